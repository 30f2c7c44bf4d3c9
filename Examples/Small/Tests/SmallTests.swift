import Backlot
import BacklotTesting
import Foundation
import Testing

@testable import a2ui_poll
@testable import applin_tasks
@testable import chat
@testable import events
@testable import files
@testable import floki_news
@testable import form
@testable import hello
@testable import json_api
@testable import members
@testable import middleware
@testable import sessions
@testable import store
@testable import tls
@testable import upload
@testable import views_settings
@testable import xpedite_customers

/// Each program in Sources.
@Suite(.timeLimit(.minutes(5))) struct SmallTests {
    /// An empty folder for one test.
    private static func makeFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "small-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test(arguments: [
        hello.makeRouter(), form.makeRouter(), sessions.makeRouter(), upload.makeRouter(folder: "."),
        json_api.makeRouter(),
        applin_tasks.makeRouter(), views_settings.makeRouter(), a2ui_poll.makeRouter(),
    ])
    func `Every page is as clients want it`(router: Router) async {
        let report = await router.check()
        #expect(!report.hasErrors && !report.pages.isEmpty, "\(report)")
    }

    @Test func `hello greets`() async throws {
        try await withApplinClient(hello.makeRouter()) { app in
            try await app.launch()
            #expect(app.title == "Hello" && app.texts.contains("Hello, world!"))
        }
    }

    @Test func `form shows mistakes at their fields, and what was booked`() async throws {
        try await withApplinClient(form.makeRouter()) { app in
            try await app.launch()
            try await app.tap("New booking")
            try await app.enter("many", into: "Nights")
            try await app.tap("Book")
            try await app.back()
            #expect(app.errors == ["Enter your name.", "Must be a whole number."])
            try await app.enter("Ann", into: "Name")
            try await app.enter("15", into: "Nights")
            try await app.tap("Book")
            try await app.back()
            #expect(app.errors == ["Stay from 1 to 14 nights."])
            try await app.enter("3", into: "Nights")
            try await app.choose("garden", from: "Room")
            try await app.tap("Book")
            #expect(app.texts.contains("Ann: 3 nights, garden"))
        }
    }

    @Test func `sessions keep a basket, also after the log-in`() async throws {
        try await withApplinClient(sessions.makeRouter()) { app in
            try await app.launch()
            #expect(app.texts.contains("Your basket is empty."))
            try await app.tap("Add green tea")
            try await app.tap("Log in")
            try await app.enter("Ann", into: "Name")
            try await app.tap("Log in")
            #expect(app.title == "Teas for Ann" && app.texts.contains("In your basket: green"))
            let other = app.otherDevice()
            try await other.launch()
            #expect(other.texts.contains("Your basket is empty."))
            try await app.tap("Log out")
            #expect(app.title == "Teas for you" && app.texts.contains("Your basket is empty."))
        }
    }

    @Test(arguments: [
        (nil, "/members/me", 401, nil), ("wrong", "/members/me", 401, nil), ("1", "/members/me", 200, "Hello, Ann!"),
        ("1", "/members/all", 403, nil), ("2", "/members/all", 200, #"["Ann","Bob"]"#), (nil, "/", 200, nil),
    ])
    func `members lets in who may`(token: String?, path: String, status: Int, text: String?) async throws {
        let known = ["1": Member(name: "Ann"), "2": Member(name: "Bob", isAdmin: true)]
        try await withHTTPClient(members.makeRouter(known)) { client in
            let headers: HTTPFields = token.map { [.authorization: "Bearer \($0)"] } ?? [:]
            let response = try await client.get(path, headers: headers)
            #expect(response.status.code == status)
            if let text { #expect(response.text == text) }
        }
    }

    @Test func `upload takes a photo, and any file from a form`() async throws {
        let folder = try Self.makeFolder()
        let router = upload.makeRouter(folder: folder)
        try await withApplinClient(router) { app in
            try await app.launch()
            #expect(app.texts.contains("You have no photo."))
            try await app.tap("Choose a photo")
            try await app.uploadPhoto([0xFF, 0xD8, 0xFF, 0xE0, 1])
            #expect(!app.texts.contains("You have no photo.") && app.imageURLs.map(\.path) == ["/photo.jpg"])
        }
        try await withHTTPClient(router) { client in
            #expect(try await client.get("/photo.jpg").body == [0xFF, 0xD8, 0xFF, 0xE0, 1])
            let form =
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../a\"\r\n\r\nHello\r\n--x--\r\n"
            let type: HTTPFields = [.contentType: "multipart/form-data; boundary=x"]
            let saved = try await client.send(.post, "/files", headers: type, body: Array(form.utf8))
            let name = saved.text.trimmingCharacters(in: .newlines)
            #expect(
                saved.status == .created
                    && FileManager.default.contents(atPath: "\(folder)/\(name)") == Data("Hello".utf8)
            )
            let empty = try await client.send(.post, "/files", headers: type, body: Array("--x--\r\n".utf8))
            #expect(empty.status == .badRequest)
        }
    }

    @Test(arguments: ClientReach.allCases) func `events reach who listens, and who comes back`(
        reach: ClientReach
    ) async throws {
        try await withHTTPClient(events.makeRouter(), over: reach) { client in
            let messages = try await client.stream("/messages")
            for text in ["one", "two"] {
                #expect(try await client.send(.post, "/messages", body: Array(text.utf8)).status == .noContent)
            }
            var all = ""
            for try await text in messages {
                all += text
                if all.contains("two") { break }
            }
            #expect(all.contains("id: 1\n") && all.contains("data: one\n"))
            let lastEvent: HTTPFields = [try #require(HTTPField.Name("Last-Event-ID")): "1"]
            for try await text in try await client.stream("/messages", headers: lastEvent) where !text.isEmpty {
                #expect(text.contains("two") && !text.contains("one"))
                break
            }
        }
    }

    @Test func `chat tells everybody in the room`() async throws {
        let server = try Server(chat.makeRouter(), port: 0).start()
        do {
            let ann = try TestWebSocket(port: server.address.port, path: "/rooms/garden?name=ann")
            let bob = try TestWebSocket(port: server.address.port, path: "/rooms/garden?name=bob")
            try ann.send("hello")
            #expect(try ann.text(until: "ann: hello").hasPrefix("HTTP/1.1 101"))
            try bob.send("hi")  // he may have come after her first message, but is in the room now
            #expect(try bob.text(until: "bob: hi").hasPrefix("HTTP/1.1 101"))
            try ann.send("welcome")
            #expect(try bob.text(until: "ann: welcome").contains("ann: welcome"))
        }
        await server.shutdown()
    }

    @Test func `json-api keeps books, and says what is wrong`() async throws {
        let router = json_api.makeRouter()
        try await withHTTPClient(router) { client in
            let created = try await client.post("/api/books", json: ["title": "Emma", "pages": "474"])
            #expect(created.status == .badRequest && created.text.contains("#/pages"))
            let emma = try await client.post("/api/books", json: NewBook(title: "Emma", pages: 474))
            #expect(emma.status == .created && emma.headers[.location] == "/api/books/1")
            let again = try await client.post("/api/books", json: NewBook(title: "Emma", pages: 474))
            #expect(again.status == .conflict && again.mediaType == "application/problem+json")
            #expect(try await client.get("/api/books?maximumPages=100").json(as: [Book].self).isEmpty)
            #expect(try await client.get("/api/books/1").json(as: Book.self).title == "Emma")
            #expect(try await client.get("/api/books/2").status == .notFound)
            #expect(try await client.get("/").text.contains("Emma, 474 pages"))
        }
        #expect(router.openAPI(title: "Library", version: "1").gaps == [])
    }

    @Test func `middleware adds its fields where it belongs`() async throws {
        try await withHTTPClient(middleware.makeRouter()) { client in
            let timing = try #require(HTTPField.Name("Server-Timing"))
            let home = try await client.get("/")
            #expect(home.headers[timing]?.hasPrefix("handler;dur=") == true && home.headers[.cacheControl] == nil)
            #expect(try await client.get("/logo.svg").headers[.cacheControl] == "max-age=3600")
            #expect(try await client.get("/old/logo.svg").status == .gone)
        }
    }

    @Test func `store keeps sessions`() async throws {
        let own = DictionaryStore()
        try await withHTTPClient(store.makeRouter(own)) { client in
            let texts = try await [client.get("/").text, client.get("/").text]
            #expect(texts == ["Visit 1\n", "Visit 2\n"])
            let before = client.cookie("session")
            _ = try await client.send(.post, "/log_in")
            #expect(client.cookie("session") != before)
            #expect(try await client.get("/").text == "Visit 3\n")
        }
        #expect(await own.sessionCount() == 1)
        await own.removeAll(of: "ann", mount: "/")
        #expect(await own.sessionCount() == 0)
    }

    @Test func `files are served, and nothing else`() async throws {
        let folder = try Self.makeFolder()
        try Data("<h1>Hello</h1>".utf8).write(to: URL(filePath: "\(folder)/index.html"))
        try await withHTTPClient(files.makeRouter(folder: folder)) { client in
            #expect(try await client.get("/").text == "<h1>Hello</h1>")
            #expect(try await client.get("/assets/index.html").headers[.cacheControl] == "max-age=31536000, immutable")
            let download = try await client.get("/download/index.html")
            #expect(download.headers[.contentDisposition]?.contains("index.html") == true)
            #expect(try await client.get("/download/..%2fetc").status == .notFound)
        }
    }

    @Test func `tls speaks https`() async throws {
        let folder = try Self.makeFolder()
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost -addext"
            .split(separator: " ").map(String.init)
            + ["subjectAltName=IP:127.0.0.1", "-keyout", "\(folder)/key.pem", "-out", "\(folder)/cert.pem"]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        let certificates = try TLSCertificates(certificateFile: "\(folder)/cert.pem", keyFile: "\(folder)/key.pem")
        let server = try makeServer(certificates: certificates, port: 0).start()
        let transport = SocketTransport(trusting: .only(try TLSTrust(.file("\(folder)/cert.pem"))))
        let url = try HTTPURL("https://\(server.address)/")
        let response = try await transport.response(to: ClientRequest(.get, url), limits: ClientLimits())
        #expect(response.text.hasPrefix("Over ") && response.headers[.strictTransportSecurity] == "max-age=300")
        await server.shutdown()
    }

    @Test func `applin-tasks adds a task, and asks before it removes one`() async throws {
        try await withApplinClient(applin_tasks.makeRouter()) { app in
            try await app.launch()
            try await app.tap("New task")
            try await app.tap("Add")
            try await app.back()
            #expect(app.errors == ["Say what there is to do."])
            try await app.enter("Call Ann", into: "Title")
            try await app.tap("Add")
            try await app.tap("Call Ann")
            try await app.tap("Done")
            #expect(app.modal?.title == "Is it done?")
            try await app.tap("Yes")
            #expect(app.stack == ["/"] && !app.screen.contains("Call Ann"))
        }
    }

    @Test func `xpedite-customers loads rows, opens one and adds one`() async throws {
        try await withXpediteClient(xpedite_customers.makeRouter()) { app in
            try await app.connect()
            #expect(app.rows.rows.count == 50)
            try await app.loadMore()
            #expect(app.rows.rows.count == 100)
            try await app.tapRow(1)
            #expect(app.title == "Customer 2")
            try await app.call("newCustomer")
            try app.enter("Ann", into: "name")
            try await app.tap("Save")
            #expect(app.fields().contains { $0["title"] == "Email: must have an @" })
            try app.enter("ann@example.com", into: "email")
            try await app.tap("Save")
            #expect(app.title == "Customers" && app.rows.rows.count == 50)
        }
    }

    @Test func `floki-news has a story in each language`() async throws {
        try await withFlokiClient(try await floki_news.makeRouter()) { app in
            try await app.launch()
            #expect(app.tabTitles == ["News", "About"])
            try await app.show("News")
            #expect(app.titles == ["Ferry"])
            try await app.open(1)
            #expect(app.page?.contains("The ferry came at noon.") == true)
        }
    }

    @Test func `views-settings remembers the switch`() async throws {
        try await withDynamicViewsClient(views_settings.makeRouter()) { app in
            try await app.load("settings")
            #expect(!app.screen.contains("Settings.hint"))
            try await app.toggle("Settings.showHints")
            try await app.choose("Settings.south", from: "Settings.shop")
            #expect(app.screen.contains("Settings.hint"))
        }
    }

    @Test func `a2ui-poll counts the votes`() async throws {
        try await withA2UIClient(a2ui_poll.makeRouter()) { app in
            try await app.launch()
            #expect(app.texts.contains("Garden: 0"))
            try await app.tap("Vote", number: 2)
            #expect(app.texts.contains("Garden: 0") && app.texts.contains("Harbour: 1"))
        }
    }
}
