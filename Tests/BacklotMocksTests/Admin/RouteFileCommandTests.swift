import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// Commands about the files below `Routes/`, as the editor of preview gives them.
@Suite(.timeLimit(.minutes(5))) struct RouteFileCommandTests {
    private static let page = #"{"typ":"nav_page","title":"Books","widget":{"typ":"text","text":"Hello"}}"#

    /// An app whose routes are read from a folder.
    private func withApp(
        _ files: [String: String],
        path: String = "/",
        access: LocalAccess = LocalAccess(host: "127.0.0.1"),
        _ body: (AdminApp, TemporaryFolder) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            for (name, text) in files { try folder.write(text, to: name) }
            let app = AdminApp(path: path, access: access)
            try RouteFiles(folder.path, backend: app.backend).load()
            try await body(app, folder)
        }
    }

    private func response(_ app: AdminApp, _ method: HTTPRequest.Method, _ target: String) async throws -> Response {
        let request = try Request(method, target)
        return try await app.handler(request)
    }

    private func text(_ app: AdminApp, _ name: String) throws -> String {
        String(decoding: try #require(app.backend.routesFolder).read(name), as: UTF8.self)
    }

    @Test func `Files are listed, and found by their URLs`() async throws {
        let files = [
            "books/index.page.json": Self.page,
            "books/[id].page.yaml": "typ: nav_page\ntitle: B\nwidget: {typ: text, text: x}",
            "notes.txt.md": "no", "data/goods.yaml": "rows: []", "a.get.json": "{}",
        ]
        try await withApp(files, path: "/mock/") { app, _ in
            let all = try await app.call(.get, "/__admin/routes").json["files"]
            #expect(all == ["a.get.json", "books/[id].page.yaml", "books/index.page.json", "data/goods.yaml"])
            for (url, expected) in [
                ("/mock/books", "books/index.page.json"), ("/mock/books?a=b", "books/index.page.json"),
                ("/mock/books/7", "books/[id].page.yaml"), ("/mock/a", "a.get.json"),
            ] {
                let query = url.replacing("?", with: "%3F")
                let found = try await app.call(.get, "/__admin/routes?url=\(query)").json["files"]
                #expect(found == .array([.string(expected)]), "\(url)")
            }
            for url in ["/mock/none", "/other", "%00", "/mock"] {
                let found = try await app.call(.get, "/__admin/routes?url=\(url)").json["files"]
                #expect(found == [], "\(url)")
            }
        }
    }

    @Test func `What tags stand for isn't judged, and mistakes are told at their place behind blocks`() async throws {
        let page = """
            responses:
            - {status: 404, request: {queryParameters: {gone: "1"}}, body: gone}
            - page:
                typ: nav_page
                title: Tags
                widget:
                  typ: form
                  widgets:
                  - "{{#each data.goods}}":
                    - {typ: nav_button, text: a, actions: [{typ: push, page: "{{target}}"}]}
                    - {typ: "{{kind}}"}
                    "{{else}}": {typ: text, text: none}
                  - {typ: image, url: "{{query.url}}", aspect_ratio: "{{{query.ratio}}}"}
                  - {typ: MISTAKE, text: Last}
            """
        try await withApp(["data/goods.yaml": "rows: []", "data/settings.yaml": "value: {a: 1}"]) { app, _ in
            func judged(_ text: String) async throws -> JSONValue {
                try await app.call(.post, "/__admin/routes/tags.page.yaml", bytes: Array(text.utf8)).json
            }
            let good = try await judged(page.replacing("MISTAKE", with: "text"))
            #expect(good["problems"] == [])
            #expect(good["response"] == 1)
            #expect(good["document"]?["page"]?["title"] == "Tags")
            let bad = try await judged(page.replacing("MISTAKE", with: "txet"))
            let places = bad["problems"]?.array?.compactMap { $0["line"]?.description } ?? []
            // With and without the block's contents, the mistake is on the same line.
            #expect(Set(places) == ["14"], "\(bad)")
            for (tag, problem) in [
                ("poll_seconds: \"{{query.n}}\"", "wrong-type"), ("poll_seconds: \"{{{query.n}}}\"", ""),
                ("colour: \"{{query.c}}\"", ""),
            ] {
                let text = page.replacing("MISTAKE", with: "text").replacing(
                    "title: Tags",
                    with: "title: Tags\n    \(tag)"
                )
                let found = try await judged(text)["problems"]?[0]?["message"]?.string ?? ""
                #expect(problem.isEmpty ? found.isEmpty : found.contains(problem), "\(tag): \(found)")
            }
        }
    }

    @Test func `A file is written where nobody else has changed it`() async throws {
        try await withApp(["books.page.json": Self.page]) { app, _ in
            let first = try await response(app, .get, "/__admin/routes/books.page.json")
            #expect(first.text == Self.page && first.headers[.contentType] == "text/plain; charset=utf-8")
            let tag = try #require(first.headers[.eTag])
            let mine: HTTPFields = [.ifMatch: tag]
            let changed = Self.page.replacing("Hello", with: "Bye")
            let bytes = Array(changed.utf8)
            let saved = try await app.call(.put, "/__admin/routes/books.page.json", bytes: bytes, headers: mine)
            #expect(saved.status == 200)
            let now = try text(app, "books.page.json")
            #expect(now == changed)
            // A second editor still has the first version.
            let second = try await app.call(
                .put,
                "/__admin/routes/books.page.json",
                bytes: Array("{}".utf8),
                headers: mine
            )
            #expect(second.status == 412)
            #expect(second.json["errors"]?[0]?["detail"] == "books.page.json has changed since it was read")
            let after = try text(app, "books.page.json")
            #expect(after == changed)
            // One that another program has removed.
            let gone = try await app.call(.put, "/__admin/routes/none.page.json", bytes: [], headers: mine)
            #expect(gone.json["errors"]?[0]?["detail"] == "none.page.json is gone since it was read")
        }
    }

    @Test func `A new file takes nobody's place`() async throws {
        try await withApp(["books.page.json": Self.page]) { app, _ in
            let new: HTTPFields = [.ifNoneMatch: "*"]
            let bytes = Array(Self.page.utf8)
            let refused = try await app.call(.put, "/__admin/routes/books.page.json", bytes: bytes, headers: new).status
            #expect(refused == 412)
            let written = try await app.call(.put, "/__admin/routes/a/b.page.json", bytes: bytes, headers: new).status
            #expect(written == 200)
            let now = try text(app, "a/b.page.json")
            #expect(now == Self.page)
        }
    }

    @Test func `Of many editors that save at once, one wins`() async throws {
        try await withApp(["books.page.json": Self.page]) { app, _ in
            let tag = try #require(try await response(app, .get, "/__admin/routes/books.page.json").headers[.eTag])
            let statuses = try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        let headers: HTTPFields = [.ifMatch: tag]
                        let bytes = Array("[\(number)]".utf8)
                        return try await app.call(
                            .put,
                            "/__admin/routes/books.page.json",
                            bytes: bytes,
                            headers: headers
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 19))
        }
    }

    @Test(
        arguments: [
            "..%2Fout.page.json", "%2e%2e/out.page.json", "a/..%2f..%2fout.page.json", ".hidden.page.json",
            ".git/x.json", "__files/../../out.json", "script.sh", "page", "link/out.json", "%2Fetc%2Fout.json",
            "a//out.json%00",
        ]
    )
    func `Nothing is written outside of the folder`(name: String) async throws {
        try await withApp(["books.page.json": Self.page]) { app, folder in
            try folder.makeLink("link", to: "/tmp")
            let response = try await app.call(.put, "/__admin/routes/\(name)", bytes: Array("{}".utf8))
            #expect([404, 422].contains(response.status), "\(response)")
        }
    }

    @Test func `A draft is judged, and written nowhere`() async throws {
        try await withApp(["books.page.json": Self.page]) { app, _ in
            func judge(_ name: String, _ text: String) async throws -> JSONValue {
                try await app.call(.post, "/__admin/routes/\(name)", bytes: Array(text.utf8)).json
            }
            let good = try await judge(
                "card.page.yaml",
                "typ: nav_page\ntitle: Card\nwidget: {typ: text, text: '{{ now }}'}"
            )
            #expect(good["problems"] == [] && good["document"]?["page"]?["title"] == "Card")
            let bad = try await judge("card.page.yaml", "typ: nav_page\ntitle: Card\nwidget:\n  typ: txt\n")
            #expect(bad["document"] == .null && bad["problems"]?[0]?["line"] == 4)
            #expect(
                try await judge("card.page.json", "{")["problems"]?[0]?["message"]?.string?.hasPrefix("this is no JSON")
                    == true
            )
            #expect(try await judge("notes.md", "x")["problems"] == [])
            #expect(app.backend.routesFolder?.list()?.files.keys.sorted() == ["books.page.json"])
        }
    }

    @Test func `Schemas are told by the kinds of files`() async throws {
        let app = AdminApp()
        for kind in ["page", "route", "mapping", "data", "crud", "settings"] {
            let response = try await app.call(.get, "/__admin/schemas/\(kind)")
            #expect(response.status == 200 && response.json["$defs"] != nil, "\(kind)")
        }
        let status = try await app.call(.get, "/__admin/schemas/none").status
        #expect(status == 404)
    }

    @Test func `Without the rights nothing is there`() async throws {
        try await withApp(["books.page.json": Self.page], access: LocalAccess(host: "0.0.0.0", token: "secret")) {
            app,
            _ in
            for (method, path) in [
                (HTTPRequest.Method.get, "/routes"), (.get, "/routes/books.page.json"),
                (.put, "/routes/books.page.json"),
                (.post, "/routes/books.page.json"), (.get, "/schemas/page"),
            ] {
                let status = try await app.call(method, "/__admin\(path)", bytes: []).status
                #expect(status == 404)
            }
            let now = try text(app, "books.page.json")
            #expect(now == Self.page)
            let token: HTTPFields = [.authorization: "Bearer secret"]
            let status = try await app.call(.get, "/__admin/routes/books.page.json", headers: token).status
            #expect(status == 200)
        }
    }
}
