import Backlot
import BacklotTesting
import ClientTestSupport
import TestSupport
import Testing

/// Compressed responses.
@Suite(.timeLimit(.minutes(5))) struct CompressionTests {
    /// By Python: `Hello` in gzip.
    private static let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07,
        0x00, 0x82, 0x89, 0xD1, 0xF7, 0x05, 0x00, 0x00, 0x00,
    ]
    /// By Python: a thousand times the letter a, in gzip.
    private static let letters: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0x4B, 0x4C, 0x1C, 0x05, 0xA3, 0x60,
        0x14, 0x0C, 0x77, 0x00, 0x00, 0x03, 0xDA, 0x38, 0x9A, 0xE8, 0x03, 0x00, 0x00,
    ]

    private func send(
        _ body: [UInt8],
        coding: String,
        limits: ClientLimits = ClientLimits()
    ) async throws -> ClientExchange {
        let transport = try InProcessTransport(
            FunctionHandler { request in
                guard request.headers[.acceptEncoding] == "gzip, deflate" else {
                    return Response(status: .notAcceptable)
                }
                return Response(headers: [.contentEncoding: coding], body: .bytes(body))
            }
        )
        var session = ClientSession(transport, limits: limits)
        return try await session.send(ClientRequest(.get, HTTPURL(InProcessTransport.root)), now: 0)
    }

    @Test func `A response is asked for in gzip and deflate, and is decompressed`() async throws {
        let exchange = try await send(Self.hello, coding: "gzip")
        #expect(exchange.request.headers[.acceptEncoding] == "gzip, deflate")
        #expect(exchange.response.text == "Hello")
        #expect(exchange.response.headers[.contentEncoding] == "gzip")
        let plain = try await send(Array("plain".utf8), coding: "identity")
        #expect(plain.response.text == "plain")
    }

    @Test(arguments: [
        (hello, "br", "the content coding 'br' is not understood here; understood: gzip, deflate"),
        (Array("Hello".utf8), "gzip", "the body is not gzip: incorrect header check"),
        (Array(hello.dropLast(9)), "gzip", "the body ends before its gzip data does"),
        (hello, "gzip, gzip, gzip", "3 content codings on top of each other; at most 2 are taken"),
    ])
    func `What can't be decompressed says why`(body: [UInt8], coding: String, reason: String) async throws {
        await #expect(throws: ClientError.undecodable(reason)) { _ = try await send(body, coding: coding) }
    }

    @Test func `What becomes too large is not taken`() async throws {
        var limits = ClientLimits()
        limits.body = 1000
        #expect(try await send(Self.letters, coding: "gzip", limits: limits).response.body.count == 1000)
        limits.body = 999
        await #expect(throws: ClientError.bodyTooLarge(limit: 999)) {
            _ = try await send(Self.letters, coding: "gzip", limits: limits)
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `A page goes compressed through the whole client`(reach: ClientReach) async throws {
        let router = Router()
        router.use(Compression())
        router.get("/") { _ in
            .page(Backend.form([#"{"typ":"text","text":"\#(String(repeating: "Hello ", count: 500))"}"#]))
        }
        try await withApplinClient(router, over: reach) { app in
            try await app.launch()
            #expect(app.texts.first?.hasPrefix("Hello Hello") == true)
            #expect(app.lastRequest?.response?.headers[.contentEncoding] == "gzip")
        }
    }
}
