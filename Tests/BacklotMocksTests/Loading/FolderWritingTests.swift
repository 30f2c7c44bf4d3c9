import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct FolderWritingTests {
    @Test func `Files are written, replaced and removed`() async throws {
        try await withTemporaryFolder { folder in
            let routes = try #require(RoutesFolder(folder.path))
            try routes.write(Array("one".utf8), to: "__files/a/b.txt")
            try routes.write(Array("two".utf8), to: "__files/a/b.txt")
            #expect(try routes.read("__files/a/b.txt") == Array("two".utf8))
            #expect(routes.list()?.files.keys.sorted() == ["__files/a/b.txt"])
            #expect(try routes.remove("__files/a/b.txt"))
            #expect(try !routes.remove("__files/a/b.txt"))
        }
    }

    @Test(arguments: ["", "../a", "a/../../b", ".hidden", "a//b", "/etc/x", "a/", "link/x", "file/x", "link"])
    func `Nothing is written elsewhere`(name: String) async throws {
        try await withTemporaryFolder { folder in
            try folder.makeLink("link", to: "/tmp")
            try folder.write("x", to: "file")
            let routes = try #require(RoutesFolder(folder.path))
            #expect(throws: MessageError.self) { try routes.write([1], to: name) }
            #expect(throws: MessageError.self) { try routes.remove(name) }
        }
    }
}
