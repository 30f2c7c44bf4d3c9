import Foundation
import TestSupport
import Testing

/// `demo-server mock`, as it is driven from outside.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MockControlProcessTests {
    /// Starts a server with one mock, `/hello`, and calls `body` with a client of it.
    private func withMock(_ options: String..., body: (RawClient) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try folder.write(#"{"hello":"world"}"#, to: "hello.get.json")
            let arguments = ["mock", "--routes", folder.path, "--port", "0", "--log-level", "critical"]
            let server = try ServerProcess("demo-server", arguments + options)
            let client = try await RawClient.connect(to: #require(server.address()))
            try await body(client)
            await client.close()
            server.signal(SIGTERM)
            #expect(server.outcome().status == 0)
        }
    }

    private func ask(_ client: RawClient, _ line: String, _ fields: [String] = []) async throws -> ReceivedResponse {
        let host = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: localhost"]
        let head = ["\(line) HTTP/1.1"] + host + fields
        try await client.send(head.map { $0 + "\r\n" }.joined() + "\r\n")
        return try await client.receive()
    }

    /// The statuses of some requests, each a line and its fields.
    private func statuses(_ client: RawClient, _ requests: [[String]]) async throws -> [Int] {
        var statuses: [Int] = []
        for request in requests {
            statuses.append(try await ask(client, request[0], Array(request.dropFirst())).status)
        }
        return statuses
    }

    @Test func `Without a token, commands and faults are for this machine`() async throws {
        try await withMock { client in
            let mock = try await ask(client, "GET /hello")
            #expect(mock.text == #"{"hello":"world"}"#)
            let journal = try await ask(client, "GET /__admin/requests")
            #expect(journal.status == 200 && journal.text.contains(#""url":"/hello""#))
            let statuses = try await statuses(
                client,
                [
                    ["GET /hello", "Backlot-Fault: status=503"], ["GET /hello", "Backlot-Fault: status=5"],
                    ["GET /__admin", "Host: evil.example"], ["GET /__admin", "X-Forwarded-For: 127.0.0.1"],
                    ["GET /hello", "Host: evil.example", "Backlot-Fault: status=503"],
                ]
            )
            #expect(statuses == [503, 400, 404, 404, 200])
            // Nobody has asked for web clients.
            let response = try await ask(client, "GET /hello", ["Origin: https://a.example"])
            #expect(response["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test func `Faults and delays are for pages, not for what preview requests for itself`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("page: {typ: nav_page, title: Home, widget: {typ: empty}}", to: "index.page.yaml")
            let arguments = ["mock", "--routes", folder.path, "--port", "0", "--log-level", "notice"]
            let server = try ServerProcess("demo-server", arguments)
            let client = try await RawClient.connect(to: #require(server.address()))
            let fault = #"{"status":503,"session":"*"}"#
            func order(_ path: String, _ body: String) async throws -> Int {
                let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                try await client.send(head + body)
                return try await client.receive().status
            }
            #expect(try await order("/__admin/faults", fault) == 201)
            let own = [["GET /", "Accept: text/html"], ["GET /__preview/web/main.js"]]
            #expect(try await statuses(client, own) == [200, 200])
            #expect(try await ask(client, "GET /").status == 503)
            #expect(try await order("/__admin/settings", #"{"fixedDelay": 120000}"#) == 200)
            #expect(try await statuses(client, own) == [200, 200])
            await client.close()
            server.signal(SIGTERM)
            let outcome = server.outcome()
            #expect(outcome.status == 0 && outcome.errors.contains("replicas share none of them"))
        }
    }

    @Test func `With a token they are for who has it`() async throws {
        try await withMock("--admin-token", "open-sesame") { client in
            let token = "Authorization: Bearer open-sesame"
            let statuses = try await statuses(
                client,
                [
                    ["GET /__admin"], ["GET /__admin", token, "Host: mocks.example"],
                    ["GET /hello", "Backlot-Fault: status=503"], ["GET /hello", "Backlot-Fault: status=503", token],
                ]
            )
            #expect(statuses == [404, 200, 200, 503])
        }
    }

    @Test func `Web clients of an allowed origin can use the mocks`() async throws {
        try await withMock("--cors", "https://app.example") { client in
            let response = try await ask(client, "GET /hello", ["Origin: https://app.example"])
            #expect(response["Access-Control-Allow-Origin"] == "https://app.example")
            #expect(response["Access-Control-Allow-Credentials"] == "true")
            let missing = try await ask(client, "GET /nowhere", ["Origin: https://app.example"])
            #expect(missing.status == 404 && missing["Access-Control-Allow-Origin"] == "https://app.example")
            let other = try await ask(client, "GET /hello", ["Origin: https://b.example"])
            #expect(other["Access-Control-Allow-Origin"] == nil)
            let fields = ["Origin: https://app.example", "Access-Control-Request-Method: PUT"]
            let preflight = try await ask(client, "OPTIONS /hello", fields)
            #expect(preflight.status == 204 && preflight["Access-Control-Allow-Methods"]?.contains("PUT") == true)
        }
    }
}
