import Applin
import Backlot
import TestSupport
import Testing

/// Create an account, log in, see a page, log out, 403: over a real socket, with a cookie jar.
@Suite(.timeLimit(.minutes(5))) struct SessionFlowTests {
    private struct LogIn: Decodable {
        var username: String
    }

    /// A client that keeps cookies as browsers do: by name and path.
    private final class Client {
        private let socket: RawClient
        private(set) var cookies: [String: String] = [:]

        init(_ address: SocketAddress) async throws {
            socket = try await RawClient.connect(to: address)
        }

        func send(_ method: String, _ path: String, _ body: String = "") async throws -> ReceivedResponse {
            let sent = cookies.filter { path.hasPrefix($0.key) }.map { "session=\($0.value)" }.sorted()
            var head = "\(method) \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n"
            if !sent.isEmpty { head += "Cookie: \(sent.joined(separator: "; "))\r\n" }
            try await socket.send(head + "\r\n" + body)
            let response = try await socket.receive()
            for field in response.fields where field.name.lowercased() == "set-cookie" { keep(field.value) }
            return response
        }

        private func keep(_ cookie: String) {
            let parts = cookie.split(separator: ";").map { String($0.drop { $0 == " " }) }
            let value = parts[0].dropFirst("session=".count)
            let path = parts.first { $0.hasPrefix("Path=") }.map { String($0.dropFirst(5)) } ?? "/"
            cookies[path] = parts.contains("Max-Age=0") ? nil : String(value)
        }

        func close() async { await socket.close() }
    }

    private func makeHandler(
        _ configuration: SessionConfiguration = SessionConfiguration(),
        cors: CORS? = nil
    ) -> any Handler {
        let router = Router()
        if let cors { router.use(cors) }
        let store = MemorySessionStore()
        for (path, dialect) in [("/", Dialect.documented), ("/objects/", .objects)] {
            router.applin(path, dialect: dialect, sessions: store, sessionConfiguration: configuration) { app in
                app.rpc("/log_in", LogIn.self) { try await $1.session.logIn(user: $0.username) }
                app.rpc("/log_out") { try await $0.session.logOut() }
                app.page("/account") { request in
                    let user = try await request.session.requireLogin()
                    return navPage("Account") { text("Hello, \(user)") }
                }
            }
        }
        return router.handler()
    }

    @Test(arguments: HTTPVersions.each)
    func `What pages of other sites post with the cookie isn't carried out`(version: HTTPVersions) async throws {
        let body = Array(#"{"username":"ada"}"#.utf8)
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let (evil, text) = ("https://evil.example", "text/plain")
        func expect(
            _ rows: [(origin: String?, site: String?, type: String, status: Int)],
            of handler: any Handler
        ) async throws {
            try await withServer(handler) { address in
                for row in rows {
                    var fields: HTTPFields = [.contentType: row.type]
                    fields[.origin] = row.origin?.replacing("HOST", with: "localhost:\(address.port)")
                    fields[site] = row.site
                    let response = try await address.exchange(version, .post, "/log_in", fields, body: body)
                    #expect(response.status.code == row.status, "\(fields)")
                }
            }
        }
        try await expect(
            [
                (evil, "cross-site", text, 403), (evil, nil, text, 403),
                ("null", nil, "application/x-www-form-urlencoded", 403),
                // Native clients, the server's own pages, and what a browser asks `CORS` for first.
                (nil, nil, text, 200), ("http://HOST", nil, text, 200), (evil, "same-origin", text, 200),
                (evil, "cross-site", "application/json", 200),
            ],
            of: makeHandler()
        )
        var configuration = SessionConfiguration()
        configuration.crossSiteDefence = CrossSiteDefence(allowing: ["https://app.example"])
        try await expect(
            [
                (evil, "cross-site", text, 403), ("https://app.example", "cross-site", text, 200),
                ("https://web.example", "cross-site", text, 200),
            ],
            of: makeHandler(configuration, cors: CORS(.named(["https://web.example"]), allowsCredentials: true))
        )
        configuration.crossSiteDefence = nil
        try await expect([(evil, "cross-site", text, 200)], of: makeHandler(configuration))
    }

    @Test(arguments: ["/", "/objects/"])
    func `Log in, see a page, log out, 403`(base: String) async throws {
        try await withServer(makeHandler()) { address in
            let client = try await Client(address)
            #expect(try await client.send("GET", base + "account").status == 403)
            #expect(client.cookies.isEmpty)
            let logIn = try await client.send("POST", base + "log_in", #"{"username":"ada"}"#)
            #expect(logIn.status == 200)
            #expect(logIn.body.isEmpty)
            #expect(Array(client.cookies.keys) == [base])
            let page = try await client.send("GET", base + "account")
            #expect(page.status == 200)
            #expect(page.text.contains("Hello, ada"))
            #expect(try await client.send("POST", base + "log_out", "{}").status == 200)
            #expect(client.cookies.isEmpty)
            let refused = try await client.send("GET", base + "account")
            #expect(refused.status == 403)
            #expect(refused.value(of: "content-type") == "text/plain; charset=utf-8")
            #expect(!refused.body.isEmpty)
            await client.close()
        }
    }

    @Test func `Two apps on one host keep their users apart`() async throws {
        try await withServer(makeHandler()) { address in
            let client = try await Client(address)
            _ = try await client.send("POST", "/log_in", #"{"username":"ada"}"#)
            _ = try await client.send("POST", "/objects/log_in", #"{"username":"bob"}"#)
            #expect(client.cookies.count == 2)
            #expect(try await client.send("GET", "/account").text.contains("Hello, ada"))
            // Both cookies are sent below /objects/.
            #expect(try await client.send("GET", "/objects/account").text.contains("Hello, bob"))
            await client.close()
        }
    }
}
