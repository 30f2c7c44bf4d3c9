import Backlot
import BacklotClients
import TestSupport
import Testing

@testable import BacklotLoad

/// Servers that hang, lie, grow and worse.
@Suite(.timeLimit(.minutes(5))) struct BadServerTests {
    private static let cookies = (0..<2000).map { "Set-Cookie: c\($0)=\(String(repeating: "x", count: 20))\r\n" }
        .joined()

    /// The bytes that a server sends after a first valid response, and the rule that they break.
    static let responses: [(name: String, bytes: String, rule: String)] = [
        ("garbage", "SSH-2.0-OpenSSH_9.2\r\n\r\n", "malformed"),
        ("cut short", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello", "cut-short"),
        ("nothing", "", "cut-short"),
        ("an endless body", "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 300_000), "too-large"),
        ("an endless head", "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 20_000), "too-large"),
        ("a lie about its length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "too-large"),
        ("status 500", "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", "server-error"),
        ("status 404", "HTTP/1.1 404 Oh\r\nContent-Length: 0\r\n\r\n", "unexpected-status"),
        ("a redirect to itself", "HTTP/1.1 302 F\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", "bad-redirect"),
        (
            "a redirect away", "HTTP/1.1 302 F\r\nLocation: http://elsewhere.invalid/\r\nContent-Length: 0\r\n\r\n",
            "bad-redirect"
        ),
        ("many cookies", "HTTP/1.1 200 OK\r\n\(cookies)Content-Length: 0\r\n\r\n", "many-cookies"),
    ]

    private func report(
        _ response: @escaping @Sendable (RawServer.Connection) -> Void,
        limit: Duration = .seconds(10)
    ) async throws -> LoadReport {
        let count = Locked(0)
        let server = try RawServer { connection in
            let head = connection.receiveHead()
            let number = count.withLock { count in
                if !head.hasPrefix("GET /metrics") { count += 1 }
                return count
            }
            guard number > 1, !head.hasPrefix("GET /metrics") else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            }
            response(connection)
        }
        defer { server.stop() }
        var options = LoadOptions()
        options.phones = 2
        options.rate = 20
        options.duration = .milliseconds(400)
        options.limits.body = 100_000
        options.limits.head = 100_000
        options.limits.total = limit
        options.limits.idle = limit
        return try await Load("http://\(server.address)/", flows: [.get("/")], options: options).report()
    }

    @Test(arguments: responses)
    func `A bad response is a finding`(response: (name: String, bytes: String, rule: String)) async throws {
        let report = try await report { $0.send(response.bytes) }
        #expect(report.unreachable == nil, "\(response.name): \(report)")
        #expect(report.findings.map(\.rule).contains(response.rule), "\(response.name): \(report)")
        #expect(report.requests > 0)
    }

    @Test func `A server that hangs is a finding`() async throws {
        // The requests before the load have the same limit.
        let report = try await report({ _ = $0.receive(upTo: 1) }, limit: .seconds(2))
        #expect(report.findings.map(\.rule).contains("timed-out"), "\(report)")
        #expect(report.latency.max < 5000)
    }

    @Test func `A server that isn't there can't be loaded`() async throws {
        let server = try RawServer { _ in }
        let address = server.address
        server.stop()
        let report = try await Load("http://\(address)/").report()
        #expect(report.unreachable != nil)
        #expect(report.requests == 0)
        #expect(report.description.contains("can't be reached"))
        #expect(report.json["unreachable"]?.string != nil)
        #expect(report.html.contains("can&#39;t be reached") || report.html.contains("can't be reached"))
    }
}
