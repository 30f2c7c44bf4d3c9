import Applin
import Backlot
import TestSupport
import Testing

/// An app's pages and rpcs, over a real socket.
@Suite(.timeLimit(.minutes(5))) struct ApplinRoutesTests {
    private struct NewAccount: Decodable {
        var username: String
        var agree: Bool
    }

    private struct Unexpected: Error {}

    private func makeHandler() -> any Handler {
        let router = Router()
        for (base, dialect) in [("/", Dialect.documented), ("/travel/", .objects)] {
            router.applin(base, dialect: dialect) { app in
                app.page("/") { _ in navPage("Home") { button("Go") { push("/hotels") } } }
                app.page("/hotels", NewAccount.self) { input, _ in
                    plainPage { text(input.map { "Hello, \($0.username)" } ?? "Hello") }
                }
                app.rpc("/create_account", NewAccount.self) { input, _ in
                    guard input.agree else { throw UserError("Bitte stimmen Sie zu – danke.") }
                }
                app.rpc("/fail/{how}") { request in
                    switch request.parameters["how"] {
                    case "400": throw StatusError(.badRequest, "no")
                    case "403": throw StatusError(.forbidden, "Please log in.")
                    default: throw Unexpected()
                    }
                }
            }
        }
        return router.handler()
    }

    private func exchange(_ line: String, _ fields: String..., body: String? = nil) async throws -> ReceivedResponse {
        try await withServer(makeHandler()) { address in
            let client = try await RawClient.connect(to: address)
            var head = "\(line) HTTP/1.1\r\nHost: h\r\n" + fields.map { "\($0)\r\n" }.joined()
            if let body { head += "Content-Length: \(body.utf8.count)\r\n" }
            try await client.send(head + "\r\n" + (body ?? ""))
            let response = try await client.receive()
            await client.close()
            return response
        }
    }

    @Test(arguments: ["GET /", "POST /"])
    func `A page is answered whatever the client says it accepts`(line: String) async throws {
        for accept in ["Accept: application/vnd.applin_response", "Accept: text/plain", "Accept: */*", "X-None: x"] {
            let response = try await exchange(line, accept, body: line.hasPrefix("POST") ? "{}" : nil)
            #expect(response.status == 200)
            #expect(response.value(of: "content-type") == "application/vnd.applin_response")
            #expect(
                response.text == #"{"page":{"typ":"nav_page","title":"Home","widget":"#
                    + #"{"typ":"button","text":"Go","actions":["push:/hotels"]}}}"#
            )
        }
    }

    @Test func `An app with a base URL of its own has its own dialect, below its path`() async throws {
        let home = try await exchange("GET /travel/")
        #expect(home.status == 200)
        #expect(home.text.contains(#""actions":[{"typ":"push","page":"/hotels"}]"#))
        #expect(try await exchange("GET /travel/hotels").text.contains(#""text":"Hello""#))
        #expect(try await exchange("GET /travel").status == 308)
        let rpc = try await exchange("POST /travel/create_account", body: #"{"username":"a","agree":true}"#)
        #expect(rpc.status == 200)
    }

    @Test func `A page takes its variables from a POST and does without them for a GET`() async throws {
        let posted = try await exchange("POST /hotels", body: #"{"agree":false,"username":"Ada"}"#)
        #expect(posted.text.contains(#""text":"Hello, Ada""#))
        #expect(try await exchange("GET /hotels").text.contains(#""text":"Hello""#))
        // A client may still show the page of a former version of the app.
        let former = try await exchange("POST /hotels", body: #"{"agree":false}"#)
        #expect(former.status == 200)
        #expect(former.text.contains(#""text":"Hello, ""#))
    }

    @Test func `An rpc that succeeds has an empty body, with or without the page's headers`() async throws {
        for accept in ["Accept: application/vnd.applin_response", "X-None: x"] {
            let body = #"{"agree":true,"username":"user1"}"#
            let response = try await exchange(
                "POST /create_account",
                accept,
                "content-type: application/json",
                body: body
            )
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
        }
        #expect(try await exchange("GET /create_account").status == 405)
    }

    @Test(arguments: [
        ("POST /create_account", #"{"agree":false,"username":"a"}"#, 422, "Bitte stimmen Sie zu – danke."),
        (
            "POST /create_account", #"{"agree":1,"username":"a"}"#, 400,
            "the variable 'agree' is a number: expected a boolean"
        ),
        ("POST /fail/400", "{}", 400, "no"),
        ("POST /fail/403", "{}", 403, "Please log in."),
    ])
    func `What a handler throws becomes its status and a plain text`(
        line: String,
        body: String,
        status: Int,
        text: String
    ) async throws {
        let response = try await exchange(line, body: body)
        #expect(response.status == status)
        #expect(response.value(of: "content-type") == "text/plain; charset=utf-8")
        #expect(response.text == text)
    }

    @Test func `Anything else that is thrown is 500 with a plain text`() async throws {
        let response = try await exchange("POST /fail/otherwise", body: "{}")
        #expect(response.status == 500)
        #expect(response.value(of: "content-type") == "text/plain; charset=utf-8")
        #expect(response.text.hasPrefix("The server failed to respond: "))
    }

    @Test(arguments: ["travel", "/travel", "travel/", ""])
    func `A base URL's path that can't be one keeps the server from starting`(path: String) {
        let router = Router()
        router.applin(path, file: "App/Main.swift", line: 3) { _ in }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        #expect(
            error?.problems == [
                "App/Main.swift:3: '\(path)' can't be a base URL's path: the path of an app's base URL begins and ends "
                    + "with a slash, as in /travel/"
            ]
        )
    }
}

extension ReceivedResponse {
    func value(of name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }
}
