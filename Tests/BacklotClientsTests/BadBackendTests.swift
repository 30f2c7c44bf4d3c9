import Backlot
import BacklotTesting
import ClientTestSupport
import TestSupport
import Testing

/// Backends that do what none should: a clear finding each, in bounded memory and time, and no crash.
@Suite(.timeLimit(.minutes(5))) struct BadBackendTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.applin_response\r\n"

    /// Launches an app against a server that responds to each request by a script.
    private func launch(
        _ configure: (inout ApplinClientConfiguration) -> Void = { _ in },
        _ script: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws -> (app: ApplinClient, findings: [Finding]) {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            script(connection)
        }
        defer { server.stop() }
        var configuration = ApplinClientConfiguration()
        configure(&configuration)
        let app = try ApplinClient(url: "http://\(server.address)/", configuration: configuration)
        let failure = await #expect(throws: BackendError.self) { try await app.launch() }
        return (app, failure?.findings ?? [])
    }

    /// Sends until the client has gone, or a gigabyte is sent.
    private static func sendEndlessly(_ piece: [UInt8], _ connection: RawServer.Connection) {
        for _ in 0..<(1 << 30) / piece.count where !connection.send(piece) { return }
    }

    /// The bytes of a backend, the rule that they break, and the beginning of the message.
    @Test(arguments: [
        ("", "answer-cut-short", "The connection ended before the head of the response was complete."),
        (
            "HTTP/1.1 200 OK\r\nContent-", "answer-cut-short",
            "The connection ended before the head of the response was complete."
        ),
        (head + "Content-Length: 500\r\n\r\n{\"page\":", "answer-cut-short", cutShort),
        (head + "Transfer-Encoding: chunked\r\n\r\n8\r\n{\"page\":\r\n", "answer-cut-short", cutShort),
        (
            moved + "Location: /again\r\n\r\n", "bad-redirect",
            "More than 16 redirects follow each other, the last one to http://"
        ),
        (moved + "\r\n", "bad-redirect", "A redirect has no Location."),
        (
            moved + "Location: mailto:ann@example.com\r\n\r\n", "bad-redirect",
            "A redirect leads to 'mailto:ann@example.com', where no client can go."
        ),
        (
            "SSH-2.0-OpenSSH_9.2p1\r\n", "malformed-answer",
            "The response is not HTTP: it doesn't begin as HTTP/1.1 does: \"SSH-2.0-OpenSSH_9.2p1..\"."
        ),
    ])
    func `A response that isn't valid HTTP is a finding`(response: String, rule: String, message: String) async throws {
        let (app, findings) = try await launch { $0.send(response) }
        #expect(findings.map(\.rule) == [rule])
        #expect(findings.first?.message.hasPrefix(message) == true)
        #expect(app.errorKind == .network)
        #expect(app.title == "Connection Problem")
        #expect(app.requests.count == 1)
    }

    private static let moved = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n"
    private static let cutShort = "The connection ended in the middle of the response, after 8 bytes of its body."

    @Test func `A backend that resets the connection is a finding`() async throws {
        let (app, findings) = try await launch { $0.reset() }
        #expect(findings.map(\.rule) == ["answer-cut-short"])
        #expect(app.errorKind == .network)
    }

    @Test(arguments: ["[", "{\"page\":", "{\"page\":{\"typ\":\"nav_page\",\"title\":\"\",\"widget\":"])
    func `10 MB of nesting are a finding`(level: String) async throws {
        var nested = Array(level.utf8)
        while nested.count < 10_000_000 { nested += nested }
        let body = nested
        let (app, findings) = try await launch { connection in
            connection.send(Self.head + "Content-Length: \(body.count)\r\n\r\n")
            connection.send(body)
        }
        #expect(findings.map(\.rule) == ["deep-nesting"])
        #expect(findings.first?.message.contains("more than 512 levels") == true)
        #expect(app.errorKind == .server)
    }

    @Test func `A body that is larger than the limit isn't taken`() async throws {
        let (_, findings) = try await launch({ $0.limits.body = 1000 }) { connection in
            connection.send(Self.head + "Content-Length: 1001\r\n\r\n")
            _ = connection.receive(upTo: 1)
        }
        #expect(findings.map(\.rule) == ["answer-too-large"])
        #expect(findings.first?.message == "The response's body is larger than 1000 bytes, the client's limit.")
    }

    @Test(arguments: ["\r\n", "Transfer-Encoding: chunked\r\n\r\n"])
    func `A body without end`(framing: String) async throws {
        let isChunked = framing.count > 2
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
        let chunk = isChunked ? Array("10000\r\n".utf8) + piece + Array("\r\n".utf8) : piece
        let (app, findings) = try await launch { connection in
            connection.send(Self.head + framing)
            Self.sendEndlessly(chunk, connection)
        }
        #expect(findings.map(\.rule) == ["answer-too-large"])
        #expect(app.errorKind == .network)
    }

    @Test func `A head without end`() async throws {
        let (_, findings) = try await launch { connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            Self.sendEndlessly(Array("X-Endless: yes\r\n".utf8), connection)
        }
        #expect(findings.map(\.rule) == ["answer-too-large"])
    }

    @Test func `A body that comes byte by byte, without end`() async throws {
        let (app, findings) = try await launch({ $0.limits.total = .milliseconds(100) }) { connection in
            connection.send(Self.head + "\r\n")
            Self.sendEndlessly([UInt8(ascii: " ")], connection)
        }
        #expect(findings.map(\.rule) == ["answer-too-late"])
        #expect(findings.first?.message == "It took too long: the response was not complete after 100 ms.")
        #expect(app.errorKind == .network)
    }

    @Test func `A backend that sends no bytes is too late`() async throws {
        let (_, findings) = try await launch({ $0.limits.idle = .milliseconds(50) }) { connection in
            _ = connection.receive(upTo: 1)
        }
        #expect(findings.map(\.rule) == ["answer-too-late"])
        #expect(findings.first?.message == "It took too long: no byte came for 50 ms.")
    }

    @Test func `A page of 10,000 widgets is shown with a warning`() async throws {
        let backend = Backend()
        let widgets = (0..<10_000).map { #"{"typ":"text","text":"\#($0)"}"# }
        backend.page("/", Backend.form(widgets))
        let app = try await backend.launched()
        #expect(app.findings.map(\.rule) == ["many-widgets"])
        #expect(app.findings.first?.message.hasPrefix("The page has 10002 widgets. ") == true)
        #expect(app.texts.count == 10_000)
        let failure = await #expect(throws: StepError.self) { try await app.tap("x") }
        #expect(failure.map { $0.description.split(separator: "\n").count } == 203)
        await #expect(throws: BackendError.self) {
            try await backend.client { $0.failingSeverity = .warning }.launch()
        }
    }

    @Test func `A page of 10,000 mistakes is reported in a short text`() async throws {
        let backend = Backend()
        backend.page("/", Backend.form((0..<10_000).map { _ in #"{"typ":"text","text":7}"# }))
        let app = try backend.client()
        let failure = try #require(await #expect(throws: BackendError.self) { try await app.launch() })
        #expect(failure.findings.count == 10_000)
        #expect(failure.description.utf8.count < 20_000)
        #expect(app.findings.count == 1000)
    }

    @Test func `A text that is not UTF-8 is a finding`() async throws {
        let (app, findings) = try await launch { connection in
            connection.send("HTTP/1.1 422 Unprocessable Content\r\nContent-Length: 2\r\n\r\n")
            connection.send([0x4E, 0xFF])
        }
        #expect(findings.map(\.rule) == ["not-utf8"])
        #expect(app.errorText == "N\u{FFFD}")
    }

    @Test func `Broken responses of every kind, one after the other, leave the app usable`() async throws {
        let backend = Backend()
        let responses: [(String, Response)] = [
            ("a", Response(status: .internalServerError)), ("b", .text("hello")), ("c", .page("7")),
            ("d", .page(#"{"typ":"split_page"}"#)), ("e", Response(status: .notModified)),
            ("f", Response(headers: [.contentType: "application/vnd.applin_response"], body: .bytes([0xFF, 0xFE]))),
        ]
        backend.page("/", Backend.form(responses.map { Backend.button($0.0, "\"push:/\($0.0)\"") }))
        for (name, response) in responses { backend.on("/\(name)") { _ in response } }
        let app = try await backend.launched()
        for (name, _) in responses {
            await #expect(throws: BackendError.self) { try await app.tap(name) }
            #expect(app.stack.count == 2)
            #expect(app.errorKind == .server)
            try await app.back()
        }
        #expect(app.stack == ["/"])
    }
}
