import Backlot
import FoundationEssentials
import Testing

struct SaveTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func contents(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func `A whole body becomes a file, and replaces what was there`() async throws {
        try await withFolder { folder in
            for text in ["first", "second one"] {
                let size = try await RequestBody(Array(text.utf8)).save(to: folder + "/photo.jpg")
                #expect(size == text.utf8.count)
                let data = try Data(contentsOf: URL(filePath: folder + "/photo.jpg"))
                #expect(String(decoding: data, as: UTF8.self) == text)
            }
            #expect(try contents(folder) == ["photo.jpg"])
        }
    }

    @Test func `A body that is too large leaves nothing`() async throws {
        try await withFolder { folder in
            let body = RequestBody(Array("too large".utf8), limit: 3)
            await #expect(throws: RequestError.bodyTooLarge(limit: 3)) { try await body.save(to: folder + "/a") }
            let left = try contents(folder)
            #expect(left == [])
        }
    }

    @Test func `A folder that isn't there is an error that names the file`() async throws {
        let body = RequestBody(Array("x".utf8))
        let error = await #expect(throws: FileError.self) { try await body.save(to: "/nowhere/at/all") }
        #expect(error?.description == "can't use the file '/nowhere/at/all': No such file or directory")
    }
}
