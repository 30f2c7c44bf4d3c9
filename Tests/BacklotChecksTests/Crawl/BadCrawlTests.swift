import Backlot
import BacklotChecks
import BacklotTesting
import TestSupport
import Testing

/// Crawls of servers that do what none should: a clear finding each, in bounded memory and time, and no crash.
@Suite(.timeLimit(.minutes(5))) struct BadCrawlTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.applin_response\r\n"

    private func crawl(
        _ configure: (inout CrawlOptions) -> Void = { _ in },
        _ script: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws -> CrawlReport {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            script(connection)
        }
        defer { server.stop() }
        var options = CrawlOptions()
        options.slow = .seconds(60)
        configure(&options)
        return try await Crawl("http://\(server.address)/", options: options).report()
    }

    @Test(arguments: [
        (head + "Content-Length: 500\r\n\r\n{\"page\":", "answer-cut-short"),
        ("", "answer-cut-short"),
        ("SSH-2.0-OpenSSH\r\n\r\n", "malformed-answer"),
        ("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", "bad-redirect"),
        ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "bad-redirect"),
        (head + "Content-Encoding: br\r\nContent-Length: 1\r\n\r\n{", "undecodable-answer"),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi", "wrong-content-type"),
    ])
    func `A response that isn't valid HTTP is a finding`(response: String, rule: String) async throws {
        let report = try await crawl { $0.send(response) }
        #expect(report.findings.map(\.rule) == [rule])
        #expect(report.unreachable == nil)
    }

    @Test(arguments: ["[", "{\"page\":", "{\"page\":{\"typ\":\"nav_page\",\"title\":\"\",\"widget\":"])
    func `10 MB of nesting are a finding`(level: String) async throws {
        var nested = Array(level.utf8)
        while nested.count < 10_000_000 { nested += nested }
        let body = nested
        let report = try await crawl { connection in
            connection.send(Self.head + "Content-Length: \(body.count)\r\n\r\n")
            connection.send(body)
        }
        #expect(report.findings.map(\.rule) == ["deep-nesting"])
    }

    @Test func `A body without end`() async throws {
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
        let report = try await crawl { connection in
            connection.send(Self.head + "\r\n")
            for _ in 0..<16_384 where !connection.send(piece) { return }
        }
        #expect(report.findings.map(\.rule) == ["answer-too-large"])
    }

    @Test func `A response that never comes is a finding`() async throws {
        let report = try await crawl({ ($0.limits.total, $0.limits.idle) = (.milliseconds(50), .milliseconds(50)) }) {
            _ = $0.receive(upTo: 1)
        }
        #expect(report.findings.map(\.rule) == ["answer-too-late"])
    }

    @Test func `A server that doesn't listen is unreachable`() async throws {
        let server = try RawServer { _ in }
        let address = server.address
        server.stop()
        // A connection that the stopped server still had in its queue would be another failure.
        var report = try await Crawl("http://\(address)/").report()
        while report.unreachable == nil { report = try await Crawl("http://\(address)/").report() }
        guard case .notConnected = report.unreachable else {
            Issue.record("\(report)")
            return
        }
        #expect(report.description.hasPrefix("http://\(address)/ can't be reached: there is no connection: "))
        #expect(report.json["unreachable"]?.string != nil)
        #expect(!report.isClean)
        #expect(report.findings == [])
    }

    @Test func `A backend that goes away ends the crawl`() async throws {
        let transport = FailingTransport()
        let report = try await Crawl("http://localhost/", transport: transport).report()
        #expect(report.end == .backend)
        #expect(report.isCutShort)
        #expect(report.findings.map(\.rule) == ["no-answer", "no-answer", "no-answer"])
        #expect(report.notVisited == ["/4", "/5"])
    }
}

/// Responds to `/` with links, and refuses connections for other paths.
private struct FailingTransport: ClientTransport {
    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        guard request.url.path == "/" else { throw .notConnected("refused") }
        let actions = (1...5).map { #""push:/\#($0)""# }.joined(separator: ",")
        let page =
            #"{"page":{"typ":"nav_page","title":"T","widget":{"typ":"button","text":"B","actions":[\#(actions)]}}}"#
        return ClientResponse(
            status: .ok,
            headers: [.contentType: "application/vnd.applin_response"],
            body: Array(page.utf8)
        )
    }
}
