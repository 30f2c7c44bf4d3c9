import Foundation
import TestSupport
import Testing

@testable import demo_server

/// Lines of files.
@Suite(.timeLimit(.minutes(5))) struct LineReaderTests {
    private func lines(_ reader: LineReader) throws -> [LineReader.Line] {
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        #expect(try reader.next() == nil)
        return lines
    }

    @Test(arguments: [
        ("", [], false), ("\n", [""], false), ("a", ["a"], true), ("a\n", ["a"], false), ("a\nb", ["a", "b"], true),
        ("\n\nab\r\n", ["", "", "ab\r"], false),
    ])
    func `A file is lines`(text: String, expected: [String], isCut: Bool) async throws {
        try await withTemporaryFolder { folder in
            let reader = try LineReader(try folder.write(text, to: "lines"), longest: 10)
            #expect(try lines(reader) == expected.map { .whole(Array($0.utf8)) })
            #expect(reader.number == expected.count)
            #expect(reader.isCut == isCut)
        }
    }

    @Test func `A long line is skipped, wherever the buffer ends`() async throws {
        try await withTemporaryFolder { folder in
            for length in [10, 11, 65_535, 65_536, 65_537, 200_000] {
                let text = "a\n\(String(repeating: "x", count: length))\nb\n"
                let reader = try LineReader(try folder.write(text, to: "lines"), longest: 10)
                let middle = length > 10 ? LineReader.Line.tooLong : .whole(Array(repeating: 0x78, count: length))
                #expect(try lines(reader) == [.whole([0x61]), middle, .whole([0x62])])
            }
            let path = try folder.write(String(repeating: "x", count: 70_000), to: "lines")
            #expect(try lines(LineReader(path, longest: 65_536)) == [.tooLong])
        }
    }

    @Test func `What can't be read is refused`() async throws {
        try await withTemporaryFolder { folder in
            let missing = #expect(throws: LineReader.ReadingError.self) {
                try LineReader("\(folder.path)/a", longest: 10)
            }
            let advice = "name an existing file, or - for standard input"
            #expect(missing?.description == "'\(folder.path)/a' can't be read: \(advice)")
            let other = #expect(throws: LineReader.ReadingError.self) { try LineReader(folder.path, longest: 10) }
            #expect(other?.description == "'\(folder.path)' is a folder: name a file in it")
            let file = try folder.write("", to: "file")
            let below = #expect(throws: LineReader.ReadingError.self) { try LineReader("\(file)/a", longest: 10) }
            #expect(below?.fix == advice)
            try folder.forbid("file")
            guard !folder.canRead("file") else { return }  // as root
            let forbidden = #expect(throws: LineReader.ReadingError.self) { try LineReader(file, longest: 10) }
            #expect(forbidden?.description == "'\(file)' can't be read: make it readable for this program")
        }
    }
}
