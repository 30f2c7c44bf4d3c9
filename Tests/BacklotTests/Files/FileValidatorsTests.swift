import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct FileValidatorsTests {
    private static let now = FileTime(seconds: 1_800_000_000, nanoseconds: 500_000_000)

    private func make(_ modified: FileTime, coding: String? = nil) async throws -> (Validators, OpenFile) {
        try await withTemporaryFolder { folder async throws in
            let path = try folder.write("hello", to: "file")
            try folder.setModified("file", modified.seconds, nanoseconds: modified.nanoseconds)
            let file = try OpenFile(path)
            return (Validators(of: file, coding: coding, now: Self.now), file)
        }
    }

    @Test(arguments: [
        (FileTime(seconds: 1_709_210_096, nanoseconds: 123_456_789), nil, "\"65e079f0-75bcd15-5\""),
        (FileTime(seconds: 1_709_210_096), nil, "\"65e079f0-0-5\""),
        (FileTime(seconds: 1_709_210_096), "gzip", "\"65e079f0-0-5-gzip\""),
        // A second old, and not quite.
        (FileTime(seconds: 1_799_999_999, nanoseconds: 499_999_999), nil, "\"6b49d1ff-1dcd64ff-5\""),
        (FileTime(seconds: 1_799_999_999, nanoseconds: 500_000_000), nil, "W/\"6b49d1ff-1dcd6500-5\""),
        (FileTime(seconds: 1_800_000_000), nil, "W/\"6b49d200-0-5\""),
        (FileTime(seconds: 1_900_000_000), nil, "W/\"713fb300-0-5\""),
    ])
    func `The tag is made of time and size`(modified: FileTime, coding: String?, tag: String) async throws {
        #expect(try await make(modified, coding: coding).0.eTag?.description == tag)
    }

    @Test(arguments: [
        (1_709_210_096, "Thu, 29 Feb 2024 12:34:56 GMT"), (1_000_000_000, "Sun, 09 Sep 2001 01:46:40 GMT"),
        // The future is now.
        (1_900_000_000, "Fri, 15 Jan 2027 08:00:00 GMT"),
    ])
    func `The date is that of the last change`(seconds: Int, date: String) async throws {
        #expect(try await make(FileTime(seconds: seconds)).0.lastModified?.description == date)
    }

    /// Tools that make the same archive of the same files set such times.
    @Test(arguments: [0, 1, 315_532_800, 499_162_500, 999_999_999, -1])
    func `Times that are too old tell nothing`(seconds: Int) async throws {
        let (validators, file) = try await make(FileTime(seconds: seconds))
        #expect(validators.lastModified == nil)
        let time = "\(String(file.changed.seconds, radix: 16))-\(String(file.changed.nanoseconds, radix: 16))"
        #expect(validators.eTag?.value == "\(time)-5")
    }

    @Test func `What is no regular file can't be opened`() async throws {
        try await withTemporaryFolder { folder async throws in
            try folder.makeFIFO("fifo")
            for (name, code) in [
                ("/fifo", "Invalid argument"), ("", "Is a directory"), ("/nope", "No such file or directory"),
            ] {
                let path = folder.path + name
                let error = #expect(throws: FileError.self) { try OpenFile(path) }
                #expect(error?.description == "can't use the file '\(path)': \(code)")
            }
        }
    }
}
