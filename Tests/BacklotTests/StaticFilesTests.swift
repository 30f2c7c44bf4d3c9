import Backlot
import FoundationEssentials
import Testing

struct StaticFilesTests {
    /// A folder with some files in it, for one test.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)").path
        try manager.createDirectory(atPath: folder + "/public/sub/.hidden", withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        try write("hello", folder + "/public/hello.txt")
        try write("{}", folder + "/public/sub/data.json")
        try write("secret", folder + "/secret.txt")
        try write("secret", folder + "/public/.env")
        try write("secret", folder + "/public/sub/.hidden/file.txt")
        try write(String(repeating: "x", count: 1_000_000), folder + "/public/large.bin")
        try manager.createSymbolicLink(atPath: folder + "/public/link.txt", withDestinationPath: folder + "/secret.txt")
        try manager.createSymbolicLink(atPath: folder + "/public/linked", withDestinationPath: folder)
        try await body(folder + "/public")
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func make(_ folder: String, at path: String = "/") -> any Handler {
        let router = Router()
        router.files(folder, at: path)
        router.get("/page") { _ in .text("page") }
        return router.handler()
    }

    @Test func `Files are served with their type`() async throws {
        try await withFolder { folder in
            let handler = make(folder)
            let text = try await handler.handle(Request(.get, "/hello.txt"))
            #expect(text.bodyText == "hello")
            #expect(text.headers[.contentType] == "text/plain; charset=utf-8")
            #expect(
                try await handler.handle(Request(.get, "/sub/data.json")).headers[.contentType] == "application/json"
            )
            let large = try await handler.handle(Request(.get, "/large.bin"))
            #expect(large.headers[.contentType] == "application/octet-stream")
            guard case .file(let slice) = large.body else { throw StatusError(.ok, "not a file") }
            #expect(slice.count == 1_000_000)
        }
    }

    @Test(arguments: [
        "/", "/sub", "/sub/", "/nope.txt", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
        "/sub/../hello.txt",
        "/.env", "/%2eenv", "/sub/.hidden/file.txt", "/link.txt", "/linked/secret.txt", "//hello.txt", "/hello.txt/",
        "/hello.txt%00", "/hello.txt%2f", "/sub%2fdata.json", "/./hello.txt",
    ])
    func `Nothing else is found`(target: String) async throws {
        try await withFolder { folder in
            let error = await #expect(throws: StatusError.self) { try await make(folder).handle(Request(.get, target)) }
            #expect(error?.status == .notFound || error?.status == .badRequest)
        }
    }

    @Test func `A FIFO doesn't hang the request`() async throws {
        try await withFolder { folder in
            #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
            await #expect(throws: StatusError.self) { try await make(folder).handle(Request(.get, "/pipe")) }
        }
    }

    @Test func `Routes go before files, and files answer GET and HEAD only`() async throws {
        try await withFolder { folder in
            try write("file", folder + "/page")
            let handler = make(folder)
            #expect(try await handler.handle(Request(.get, "/page")).bodyText == "page")
            #expect(try await handler.handle(Request(.head, "/hello.txt")).bodyText == "hello")
            await #expect(throws: StatusError.self) { try await handler.handle(Request(.post, "/hello.txt")) }
        }
    }

    @Test func `A folder can stand for a path`() async throws {
        try await withFolder { folder in
            let handler = make(folder, at: "/static")
            let hello = try await handler.handle(Request(.get, "/static/hello.txt"))
            #expect(hello.bodyText == "hello")
            await #expect(throws: StatusError.self) { try await handler.handle(Request(.get, "/hello.txt")) }
            await #expect(throws: StatusError.self) { try await handler.handle(Request(.get, "/staticx/hello.txt")) }
        }
    }
}

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
