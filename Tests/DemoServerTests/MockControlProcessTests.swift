import Foundation
import TestSupport
import Testing

/// `demo-server mock`, as it is driven from outside.
@Suite(.serialized)
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

    private func ask(_ client: RawClient, _ line: String, _ fields: String...) async throws -> ReceivedAnswer {
        let host = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: localhost"]
        let head = ["\(line) HTTP/1.1"] + host + fields
        try await client.send(head.map { $0 + "\r\n" }.joined() + "\r\n")
        return try await client.receive()
    }

    @Test func `Without a token, commands and faults are for this machine`() async throws {
        try await withMock { client in
            #expect(try await ask(client, "GET /hello").text == #"{"hello":"world"}"#)
            let journal = try await ask(client, "GET /__admin/requests")
            #expect(journal.status == 200 && journal.text.contains(#""url":"/hello""#))
            #expect(try await ask(client, "GET /hello", "Backlot-Fault: status=503").status == 503)
            #expect(try await ask(client, "GET /hello", "Backlot-Fault: status=5").status == 400)
            #expect(try await ask(client, "GET /__admin", "Host: evil.example").status == 404)
            #expect(try await ask(client, "GET /__admin", "X-Forwarded-For: 127.0.0.1").status == 404)
            #expect(
                try await ask(client, "GET /hello", "Host: evil.example", "Backlot-Fault: status=503").status == 200
            )
            // Nobody has asked for web clients.
            #expect(
                try await ask(client, "GET /hello", "Origin: https://a.example")["Access-Control-Allow-Origin"] == nil
            )
        }
    }

    @Test func `With a token they are for who has it`() async throws {
        try await withMock("--admin-token", "open-sesame") { client in
            #expect(try await ask(client, "GET /__admin").status == 404)
            let token = "Authorization: Bearer open-sesame"
            #expect(try await ask(client, "GET /__admin", token, "Host: mocks.example").status == 200)
            #expect(try await ask(client, "GET /hello", "Backlot-Fault: status=503").status == 200)
            #expect(try await ask(client, "GET /hello", "Backlot-Fault: status=503", token).status == 503)
        }
    }

    @Test func `Web clients of an origin`() async throws {
        try await withMock("--cors", "https://app.example") { client in
            let answer = try await ask(client, "GET /hello", "Origin: https://app.example")
            #expect(answer["Access-Control-Allow-Origin"] == "https://app.example")
            #expect(answer["Access-Control-Allow-Credentials"] == "true")
            let missing = try await ask(client, "GET /nowhere", "Origin: https://app.example")
            #expect(missing.status == 404 && missing["Access-Control-Allow-Origin"] == "https://app.example")
            let other = try await ask(client, "GET /hello", "Origin: https://b.example")
            #expect(other["Access-Control-Allow-Origin"] == nil)
            let fields = ["Origin: https://app.example", "Access-Control-Request-Method: PUT"]
            let preflight = try await ask(client, "OPTIONS /hello", fields[0], fields[1])
            #expect(preflight.status == 204 && preflight["Access-Control-Allow-Methods"]?.contains("PUT") == true)
        }
    }
}
