import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// A request of HTTP/1.1 that is answered over HTTP/2 (RFC 7540, section 3.2).
@Suite(.timeLimit(.minutes(5))) struct HTTP2UpgradeOverSocketTests {
    private static let fields = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAQAAAAD"]
    private static let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"

    private static let handler = FunctionHandler { request in
        .text("\(request.method) \(request.path) \(try await request.body.collect().count)")
    }

    private static func ask(_ line: String = "GET /a", body: String = "", _ more: String...) -> String {
        ([line + " HTTP/1.1", "Host: h"] + fields + more).map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    /// Takes the 101 off what the client receives.
    private static func switchOver(_ client: HTTP2Client) async throws {
        var start: [UInt8] = []
        while start.count < switching.utf8.count {
            start += try await client.raw.receivePiece(upTo: switching.utf8.count - start.count)
        }
        #expect(String(decoding: start, as: UTF8.self) == switching)
    }

    @Test(arguments: [false, true])
    func theAnswerComesOnStream1(_ isAtOnce: Bool) async throws {
        try await withTestServer(configure: { $0.http2 = .upgrade }, Self.handler) { server in
            let client = try await HTTP2Client.connect(to: server.address, settings: nil)
            let frames = Frame.preface + Frame.settings([(4, 3)]).bytes()
            try await client.raw.send(Array(Self.ask().utf8) + (isAtOnce ? frames : []))
            try await Self.switchOver(client)
            if !isAtOnce { try await client.raw.send(frames) }
            // The window of three bytes is what HTTP2-Settings says.
            let first = try #require(try await client.first(.data))
            #expect(first == .data(1, Array("GET".utf8), endStream: false))
            try await client.send(.windowUpdate(1, 100))
            let answer = try await client.answer()
            #expect(answer.status == 200 && answer.text == " /a 0")
            try await client.send(.headers(3, Frame.get("/b")), .windowUpdate(3, 100))
            let other = try await client.answer(on: 3)
            #expect(other.text == "GET /b 0")
            await client.close()
        }
    }

    @Test func HEAD() async throws {
        try await withTestServer(configure: { $0.http2 = .upgrade }, Self.handler) { server in
            let client = try await HTTP2Client.connect(to: server.address, settings: nil)
            try await client.raw.send(Self.ask("HEAD /a") + String(decoding: Frame.preface, as: UTF8.self))
            try await client.send(.settings())
            try await Self.switchOver(client)
            let answer = try await client.answer()
            #expect(answer.status == 200 && answer.body == [] && answer.fields["content-length"] == "9")
            await client.close()
        }
    }

    /// Over HTTP/1.1, as if nobody had asked.
    @Test func neverWithABody() async throws {
        try await withTestServer(configure: { $0.http2 = .upgrade }, Self.handler) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(Self.ask("POST /a", body: "xyz", "Content-Length: 3"))
            #expect(try await client.receive().text == "POST /a 3")
            try await client.send(Self.ask("POST /a", body: "1\r\nx\r\n0\r\n\r\n", "Transfer-Encoding: chunked"))
            #expect(try await client.receive().text == "POST /a 1")
            await client.close()
        }
    }

    /// Settings that make no sense are no reason to refuse the request.
    @Test func badSettings() async throws {
        try await withTestServer(configure: { $0.http2 = .upgrade }, Self.handler) { server in
            for settings in ["AAQ", "AAQAAAADAA", "!"] {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(
                    request("GET /a", Self.fields[0], Self.fields[1], "HTTP2-Settings: \(settings)")
                )
                #expect(try await client.receive().text == "GET /a 0")
                await client.close()
            }
        }
    }

    @Test(arguments: [HTTP2Support.off, .priorKnowledge])
    func onlyWhereItIsAllowed(_ support: HTTP2Support) async throws {
        try await withTestServer(configure: { $0.http2 = support }, Self.handler) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(Self.ask())
            let answer = try await client.receive()
            #expect(answer.status == 200 && answer.text == "GET /a 0")
            await client.close()
        }
    }
}
