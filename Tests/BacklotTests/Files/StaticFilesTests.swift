import TestSupport
import Testing

@testable import Backlot

/// Which files are found, and which are not. Every request is answered twice: at once, as far as that can be done, and with the
/// disk.
@Suite(.timeLimit(.minutes(5))) struct StaticFilesTests {
    /// A folder `public` with files in it, and secrets around them.
    private func withFolder(_ body: (TemporaryFolder) async throws -> Void) async throws {
        try await withTemporaryFolder { folder async throws in
            try folder.write("hello", to: "public/hello.txt")
            try folder.write("{}", to: "public/sub/data.json")
            try folder.write("<p>home", to: "public/index.html")
            try folder.write("<p>docs", to: "public/docs/index.html")
            try folder.write("odd", to: "public/a b%c/é.txt")
            try folder.write("secret", to: "secret.txt")
            try folder.write("secret", to: "public/.env")
            try folder.write("secret", to: "public/.git/config")
            try folder.write("secret", to: "public/sub/.hidden/file.txt")
            try folder.makeLink("public/link.txt", to: folder.path + "/secret.txt")
            try folder.makeLink("public/inner.txt", to: "hello.txt")
            try folder.makeLink("public/linked", to: folder.path)
            try folder.makeLink("public/linkedsub", to: "sub")
            try folder.makeLink("public/loop", to: "loop")
            try folder.makeFIFO("public/fifo")
            try folder.write("", to: "public/pipes/other")
            try folder.makeFIFO("public/pipes/index.html")
            try await body(folder)
        }
    }

    private func make(
        _ folder: TemporaryFolder,
        _ configure: (Router, String) -> Void = { $0.files($1) }
    ) -> any Handler {
        let router = Router()
        configure(router, folder.path + "/public")
        router.get("/page") { _ in .text("page") }
        router.get("/users/{id}") { request in .text("user \(request.parameters["id"] ?? "")") }
        return router.handler()
    }

    /// The response, checked to be the same for a file that is open already.
    private func ask(_ handler: any Handler, _ request: Request) async throws -> Response {
        let first = try await handler(request)
        let response = try await handler(request)
        #expect(first.status == response.status)
        #expect(lastingHeaders(of: first) == lastingHeaders(of: response))
        #expect(first.bodyText == response.bodyText)
        return response
    }

    /// The header fields with a strong tag: the tag of a file that has just been written is weak, and a moment later it isn't.
    private func lastingHeaders(of response: Response) -> HTTPFields {
        var headers = response.headers
        headers[.eTag] = headers[.eTag].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
        return headers
    }

    private func get(_ handler: any Handler, _ target: String, _ headers: HTTPFields = [:]) async throws -> Response {
        try await ask(handler, Request(.get, target, headers: headers))
    }

    @Test(arguments: [
        ("/hello.txt", "hello", "text/plain; charset=utf-8"), ("/sub/data.json", "{}", "application/json"),
        ("/hello.txt?a=b", "hello", "text/plain; charset=utf-8"),
        ("/%68ello.txt", "hello", "text/plain; charset=utf-8"),
        ("/", "<p>home", "text/html; charset=utf-8"), ("/index.html", "<p>home", "text/html; charset=utf-8"),
        ("/docs/", "<p>docs", "text/html; charset=utf-8"),
        ("/a%20b%25c/%C3%A9.txt", "odd", "text/plain; charset=utf-8"),
    ])
    func `Files are found`(target: String, text: String, type: String) async throws {
        try await withFolder { folder async throws in
            let response = try await get(make(folder), target)
            #expect(response.status == .ok)
            #expect(response.bodyText == text)
            #expect(response.headers[.contentType] == type)
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
            #expect(response.headers[.cacheControl] == "no-cache")
            #expect(response.headers[.acceptRanges] == "bytes")
        }
    }

    @Test(arguments: [
        // What isn't there, and what is there but no file.
        "/nope.txt", "/sub", "/sub/", "/sub/nope", "/hello.txt/", "/hello.txt/x", "/hello.txt/index.html", "/HELLO.TXT",
        "/hello.txt.", "/hello.txt%20", "/hello", "/index", "/docs/index.html/",
        // Up and out.
        "/../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E/secret.txt", "/.%2e/secret.txt", "/..%2fsecret.txt",
        "/..%5csecret.txt", "/%2e%2e%2fsecret.txt", "/sub/../hello.txt", "/sub/../../secret.txt",
        "/sub/%2e%2e/hello.txt",
        "/sub/..%2f..%2fsecret.txt", "/%252e%252e/secret.txt", "/..%252fsecret.txt", "/./hello.txt", "/%2e/hello.txt",
        "//hello.txt", "//secret.txt", "/sub//data.json", "/sub%2fdata.json", "/%2fhello.txt", "/%2Fetc/passwd",
        "//etc/passwd", "/sub%5cdata.json",
        // Overlong and broken UTF-8, and NUL.
        "/%c0%ae%c0%ae/secret.txt", "/..%c0%afsecret.txt", "/%e0%80%ae%e0%80%ae/secret.txt", "/%FFhello.txt",
        "/hello.txt%00", "/hello.txt%00.html", "/%00/hello.txt", "/hello.txt%2f", "//", "///",
        // Hidden.
        "/.env", "/%2eenv", "/.git/config", "/.git/", "/%2egit/config", "/sub/.hidden/file.txt",
        "/sub/%2ehidden/file.txt",
        "/...", "/.well-known/x",
        // Links, wherever they lead, and what is no regular file.
        "/link.txt", "/inner.txt", "/linked/secret.txt", "/linked/", "/linked", "/linkedsub/data.json", "/loop",
        "/loop/x",
        "/fifo", "/fifo/", "/pipes/", "/pipes", "/pipes/index.html",
        // Too long for a name, and for a path.
        "/" + String(repeating: "a", count: 256), "/" + String(repeating: "a/", count: 3000) + "a",
    ])
    func `Nothing else is found`(target: String) async throws {
        try await withFolder { folder async throws in
            let handler = make(folder)
            for method in [HTTPRequest.Method.get, .head, .post] {
                let error = await #expect(throws: StatusError.self) {
                    try await ask(handler, Request(method, target))
                }
                #expect(error?.status == .notFound || error?.status == .badRequest)
            }
        }
    }

    #if os(Linux)
    @Test(arguments: ["/null", "/zero", "/tty", "/socket"])
    func `Devices and sockets are not found`(target: String) async throws {
        let router = Router()
        router.files("/dev")
        let handler = router.handler()
        await #expect(throws: StatusError.self) { try await ask(handler, Request(.get, target)) }
    }
    #endif

    @Test func `A file that may not be read is not found`() async throws {
        try await withFolder { folder async throws in
            try folder.forbid("public/hello.txt")
            // Root may read everything.
            guard !folder.canRead("public/hello.txt") else { return }
            let error = await #expect(throws: StatusError.self) { try await get(make(folder), "/hello.txt") }
            #expect(error?.status == .notFound)
        }
    }

    @Test func `Routes go before files`() async throws {
        try await withFolder { folder async throws in
            try folder.write("file", to: "public/page")
            try folder.write("file", to: "public/users/ada")
            try folder.write("file", to: "public/users/bob/photo")
            let handler = make(folder)
            #expect(try await get(handler, "/page").bodyText == "page")
            #expect(try await get(handler, "/p%61ge").bodyText == "page")
            #expect(try await get(handler, "/users/ada").bodyText == "user ada")
            #expect(try await get(handler, "/users/bob/photo").bodyText == "file")
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch, .options])
    func `Other methods are not allowed on what is found`(method: HTTPRequest.Method) async throws {
        try await withFolder { folder async throws in
            let handler = make(folder)
            for target in ["/hello.txt", "/docs/", "/docs"] {
                let error = await #expect(throws: StatusError.self) {
                    try await ask(handler, Request(method, target))
                }
                #expect(error?.status == .methodNotAllowed)
                #expect(error?.headers == [.allow: "GET, HEAD"])
            }
            let error = await #expect(throws: StatusError.self) { try await ask(handler, Request(method, "/nope")) }
            #expect(error?.status == .notFound)
        }
    }

    // MARK: Options

    @Test(arguments: ["/static", "/static/"])
    func `A folder can stand for a path`(path: String) async throws {
        try await withFolder { folder async throws in
            let handler = make(folder) { $0.files($1, at: path) }
            #expect(try await get(handler, "/static/hello.txt").bodyText == "hello")
            #expect(try await get(handler, "/static/").bodyText == "<p>home")
            #expect(try await get(handler, "/static").headers[.location] == "/static/")
            for target in ["/hello.txt", "/staticx/hello.txt", "/static/static/hello.txt", "/static/../secret.txt"] {
                await #expect(throws: StatusError.self) { try await get(handler, target) }
            }
        }
    }

    @Test func `The first folder that has a file answers`() async throws {
        try await withFolder { folder async throws in
            try folder.write("other", to: "other/hello.txt")
            try folder.write("more", to: "other/more.txt")
            let handler = make(folder) { router, path in
                router.files(path)
                router.files(folder.path + "/other", cacheControl: "max-age=60")
            }
            #expect(try await get(handler, "/hello.txt").bodyText == "hello")
            let more = try await get(handler, "/more.txt")
            #expect(more.bodyText == "more")
            #expect(more.headers[.cacheControl] == "max-age=60")
        }
    }

    @Test func `Caching and the index can be chosen`() async throws {
        try await withFolder { folder async throws in
            let handler = make(folder) { $0.files($1, cacheControl: nil, index: "data.json") }
            #expect(try await get(handler, "/hello.txt").headers[.cacheControl] == nil)
            #expect(try await get(handler, "/sub/").bodyText == "{}")
            await #expect(throws: StatusError.self) { try await get(handler, "/docs/") }
            let bare = make(folder) { $0.files($1, index: nil) }
            for target in ["/", "/docs/", "/docs"] {
                await #expect(throws: StatusError.self) { try await get(bare, target) }
            }
        }
    }

    @Test func `Mistakes keep the server from starting`() async throws {
        try await withFolder { folder async throws in
            let handler = make(folder) { router, path in
                router.files(folder.path + "/nope")
                router.files(path + "/hello.txt")
                router.files(path, at: "/{name}")
                router.files(path, at: "static")
                router.files(path, cacheControl: "a\nb")
                router.files(path, index: ".index")
                router.files(path, index: "a/b")
            }
            let error = #expect(throws: StartupError.self) { try handler.prepare() }
            #expect(error?.problems.count == 7)
            #expect(
                error?.problems[0].hasSuffix(
                    "the folder '\(folder.path)/nope' doesn't exist, so no files can be served from it"
                ) == true
            )
        }
    }

    // MARK: Redirects

    @Test(arguments: [
        ("/docs", "/docs/"), ("/docs?a=b&c=//d", "/docs/?a=b&c=//d"), ("/docs?", "/docs/?"), ("/d%6fcs", "/d%6fcs/"),
    ])
    func `A folder with an index is redirected to`(target: String, location: String) async throws {
        try await withFolder { folder async throws in
            let response = try await get(make(folder), target)
            #expect(response.status == .movedPermanently)
            #expect(response.headers == [.location: location])
            #expect(response.bodyText == "")
        }
    }

    /// Browsers take `//host` and `/\host` for another host.
    @Test(arguments: ["//docs", "//docs/..", "/%2fdocs", "/%5cdocs", "//evil.example/%2e%2e", "///docs"])
    func `No redirect leads to another host`(target: String) async throws {
        try await withFolder { folder async throws in
            await #expect(throws: StatusError.self) { try await get(make(folder), target) }
        }
    }

    // MARK: Precompressed files

    @Test(arguments: [
        ("gzip", true), ("gzip;q=0.5", true), ("br, gzip", true), ("*", true), (nil, false), ("", false),
        ("identity", false),
        ("br", false), ("gzip;q=0", false), ("gzip;q=0.1, identity", false),
    ])
    func `A compressed file is sent to those who take it`(accepted: String?, isCompressed: Bool) async throws {
        try await withFolder { folder async throws in
            try folder.write("(compressed)", to: "public/hello.txt.gz")
            try folder.setModified("public/hello.txt", 1_700_000_000, nanoseconds: 900)
            try folder.setModified("public/hello.txt.gz", 1_700_000_000)
            let handler = make(folder)
            let response = try await get(handler, "/hello.txt", accepted.map { [.acceptEncoding: $0] } ?? [:])
            #expect(response.bodyText == (isCompressed ? "(compressed)" : "hello"))
            #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
            #expect(response.headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
            #expect(response.headers[.vary] == "Accept-Encoding")
            #expect(response.headers[.eTag] == (isCompressed ? "\"6553f100-0-c-gzip\"" : "\"6553f100-384-5\""))
            // It is a file like any other, too.
            let raw = try await get(handler, "/hello.txt.gz")
            #expect(raw.headers[.contentType] == "application/gzip")
            #expect(raw.headers[.contentEncoding] == nil)
            #expect(raw.headers[.vary] == nil)
        }
    }

    @Test func `A compressed file that is of no use is passed over`() async throws {
        try await withFolder { folder async throws in
            try folder.write("(compressed)", to: "public/hello.txt.gz")
            try folder.setModified("public/hello.txt", 1_700_000_001)
            try folder.setModified("public/hello.txt.gz", 1_700_000_000)
            try folder.makeLink("public/sub/data.json.gz", to: folder.path + "/secret.txt")
            try folder.makeFIFO("public/index.html.gz")
            try folder.write("(compressed)", to: "public/lonely.txt.gz")
            let handler = make(folder)
            for target in ["/hello.txt", "/sub/data.json", "/"] {
                let response = try await get(handler, target, [.acceptEncoding: "gzip"])
                #expect(response.headers[.contentEncoding] == nil)
                #expect(response.headers[.vary] == nil)
            }
            await #expect(throws: StatusError.self) { try await get(handler, "/lonely.txt", [.acceptEncoding: "gzip"]) }
            let off = make(folder) { $0.files($1, usesPrecompressed: false) }
            try folder.setModified("public/hello.txt", 1_700_000_000)
            #expect(try await get(handler, "/hello.txt", [.acceptEncoding: "gzip"]).headers[.contentEncoding] == "gzip")
            #expect(try await get(off, "/hello.txt", [.acceptEncoding: "gzip"]).headers[.contentEncoding] == nil)
        }
    }

    @Test func `Ranges of a compressed file are of its compressed bytes`() async throws {
        try await withFolder { folder async throws in
            try folder.write("(compressed)", to: "public/hello.txt.gz")
            let headers: HTTPFields = [.acceptEncoding: "gzip", .range: "bytes=1-3"]
            let response = try await get(make(folder), "/hello.txt", headers)
            #expect(response.status == .partialContent)
            #expect(response.bodyText == "com")
            #expect(response.headers[.contentRange] == "bytes 1-3/12")
            #expect(response.headers[.contentEncoding] == "gzip")
        }
    }

    // MARK: Changes

    @Test func `A change is seen by the next request`() async throws {
        try await withFolder { folder async throws in
            let handler = make(folder)
            let before = try await get(handler, "/hello.txt")
            try folder.write("changed", to: "public/hello.txt")
            let after = try await get(handler, "/hello.txt")
            #expect(after.bodyText == "changed")
            #expect(after.headers[.eTag] != before.headers[.eTag])
            try folder.remove("public/hello.txt")
            await #expect(throws: StatusError.self) { try await get(handler, "/hello.txt") }
        }
    }

    /// Deployments put a new folder in the place of the old one.
    @Test func `A folder that takes the place of another is served`() async throws {
        try await withFolder { folder async throws in
            let handler = make(folder)
            #expect(try await get(handler, "/hello.txt").bodyText == "hello")
            try folder.write("new", to: "next/hello.txt")
            try folder.move("public", to: "old")
            try folder.move("next", to: "public")
            var text: String?
            for _ in 0..<500 where text != "new" {
                try await Task.sleep(for: .milliseconds(20))
                // One way only: the second may end between two answers.
                text = try await handler(Request(.get, "/hello.txt")).bodyText
            }
            #expect(text == "new")
        }
    }

    #if os(Linux)
    /// With neither a task nor another thread, as long as the system can be asked what it has in memory.
    @Test func `What is in memory is answered at once`() async throws {
        try await withFolder { folder async throws in
            guard try #require(FolderDescriptor(folder.path + "/public")).canTellAtOnce else { return }
            let router = Router()
            router.files(folder.path + "/public")
            let handler = router.handler()
            for target in ["/hello.txt", "/sub/data.json", "/docs/", "/docs"] {
                let request = try Request(.get, target)
                _ = try await handler(request)
                guard case .ready = try handler.respond(to: request) else {
                    Issue.record("\(target) takes a task")
                    continue
                }
            }
        }
    }
    #endif

    @Test func `Each name by itself leads where one call does`() async throws {
        try await withFolder { folder async throws in
            let root = try #require(FolderDescriptor(folder.path + "/public"))
            for path in ["hello.txt", "sub/data.json", "sub", "docs/index.html"] {
                let descriptor = openStepwise(root.descriptor, path)
                #expect(descriptor >= 0)
                _ = OpenFile.take(over: descriptor, isRemote: false)
            }
            for path in [
                "link.txt", "inner.txt", "linked/secret.txt", "linkedsub/data.json", "loop", "nope", "hello.txt/x",
            ] {
                #expect(openStepwise(root.descriptor, path) == -1)
            }
        }
    }
}
