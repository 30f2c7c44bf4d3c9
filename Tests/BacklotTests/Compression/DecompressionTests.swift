import Backlot
import FoundationEssentials
import TestSupport
import Testing

/// Compressed requests, on the wire.
@Suite(.timeLimit(.minutes(5))) struct DecompressionTests {
    private static let text =
        #"{"page":{"typ":"nav_page","title":"Hello","widget":{"typ":"text","text":"Hello, hello, hello!"}}}"#

    /// The text, by `gzip -9n`.
    private static let gzip = bytes(
        """
        1f8b0800000000000203ab562a484c4f55b2aa562aa92c50b252ca4b2c8b078be828956496e40065943c527372f281fcf2cc94f4d41284d292d4
        8a129032100555a5a3908144292ad5d6d6020071cea61061000000
        """
    )

    /// The text, by Python's zlib.
    private static let zlib = bytes(
        """
        789cab562a484c4f55b2aa562aa92c50b252ca4b2c8b078be828956496e40065943c527372f281fcf2cc94f4d41284d292d48a129032100555a5
        a3908144292ad5d6d6020016252002
        """
    )

    /// 3 MB of zeros, by Python: gzip in gzip.
    private static let zerosTwice = bytes(
        """
        1f8b080000000000020393efe660000126e6b7071919818c2685ffebf33c1c181946c1281805a360148c8251300a46c12818055400fa6ca98b18
        7d0f1cd3650000aa9252107d0b0000
        """
    )

    /// A gigabyte of zeros, by Python: gzip data with 1024 times the same block, of which each becomes a megabyte. The end is
    /// missing, but nobody comes so far.
    private static var bomb: [UInt8] {
        let zeros = [UInt8](repeating: 0, count: 1016)
        let block = bytes("ecc13101000000c2a0f54f6d085fa0") + zeros + bytes("3e030000ffff")
        return bytes("1f8b0800000000000003") + [[UInt8]](repeating: block, count: 1024).flatMap { $0 }
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func makeRouter() -> Router {
        let router = Router()
        router.use(Decompression())
        router.post("/echo") { .text(String(decoding: try await $0.body.collect(), as: UTF8.self)) }
        router.post("/count") { request in
            var count = 0
            for try await piece in request.body { count += piece.count }
            return .text("\(count)")
        }
        router.post("/fields") { request in
            let names = request.headers.map { $0.name.lowercased() }.sorted()
            return .text(
                "\(names.joined(separator: " ")), length: \(request.body.declaredLength.map(String.init) ?? "unknown")"
            )
        }
        router.post("/ignore") { _ in .text("ignored") }
        router.post("/limited") { request in
            .text("\(try await request.body.limited(to: 97).collect().count)")
        }
        router.post("/tight") { request in
            .text("\(try await request.body.limited(to: 96).collect().count)")
        }
        return router
    }

    private static func request(_ path: String, _ body: [UInt8], _ fields: String...) -> [UInt8] {
        let length = fields.contains { $0.hasPrefix("Transfer-Encoding") } ? [] : ["Content-Length: \(body.count)"]
        let head = ["POST \(path) HTTP/1.1", "Host: h"] + fields + length
        return Array((head.map { $0 + "\r\n" }.joined() + "\r\n").utf8) + body
    }

    private static func chunked(_ body: [UInt8], by size: Int) -> [UInt8] {
        var wire: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            let chunk = body[start..<min(start + size, body.count)]
            wire += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10]
        }
        return wire + Array("0\r\n\r\n".utf8)
    }

    private func withClient(
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (RawClient) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.eventLoops = 1
        configure(&configuration)
        try await withServer(Self.makeRouter().handler(), configuration: configuration) { address in
            let client = try await RawClient.connect(to: address)
            try await body(client)
            await client.close()
        }
    }

    // MARK: What is taken

    private static let encoded: [(String, [UInt8], Int)] = [
        ("gzip", gzip, 1), ("x-gzip", gzip, 1), ("GZIP, identity", gzip, 1), ("deflate", zlib, 1),
        ("gzip", gzip + gzip, 2),
        ("identity", Array(text.utf8), 1), ("", Array(text.utf8), 1),
    ]

    @Test(arguments: encoded)
    func `Handlers see what was encoded`(coding: String, body: [UInt8], times: Int) async throws {
        try await withClient { client in
            let encoding = "Content-Encoding: \(coding)"
            try await client.send(Self.request("/echo", body, encoding))
            for size in [1, 10, 1000] {
                let chunks = Self.chunked(body, by: size)
                try await client.send(Self.request("/echo", chunks, encoding, "Transfer-Encoding: chunked"))
            }
            for response in try await client.receive(4) {
                #expect(response.status == 200)
                #expect(response.text == String(repeating: Self.text, count: times))
            }
        }
    }

    @Test func `A bomb in two codings is a 413, on one line or on two`() async throws {
        try await withClient { client in
            try await client.send(
                Self.request("/count", Self.zerosTwice, "Content-Encoding: gzip, gzip")
                    + Self.request("/count", Self.zerosTwice, "Content-Encoding: gzip", "Content-Encoding: gzip")
            )
            for response in try await client.receive(2) { #expect(response.status == 413) }
            // The outer one alone is harmless.
            try await client.send(Self.request("/count", Self.zerosTwice, "Content-Encoding: gzip"))
            #expect(try await client.receive().text == "2941")
        }
    }

    /// The fields of the encoded bytes say nothing of those that a handler reads.
    @Test func `Handlers see no coding and no length`() async throws {
        try await withClient { client in
            let request = Self.request(
                "/fields",
                Self.gzip,
                "Content-Encoding: gzip",
                "Content-Type: text/plain",
                "A: b"
            )
            try await client.send(request + Self.request("/fields", Array("hello".utf8), "A: b"))
            let responses = try await client.receive(2)
            #expect(responses[0].text == "a content-type host, length: unknown")
            #expect(responses[1].text == "a content-length host, length: 5")
        }
    }

    @Test func `A request without a body has none`() async throws {
        try await withClient { client in
            try await client.send(Self.request("/count", [], "Content-Encoding: gzip"))
            #expect(try await client.receive().text == "0")
            let chunks = Self.chunked([], by: 1)
            try await client.send(
                Self.request("/count", chunks, "Content-Encoding: gzip", "Transfer-Encoding: chunked")
            )
            #expect(try await client.receive().text == "0")
        }
    }

    /// What has been decoded is handed on before the rest is there.
    @Test func `A body streams`() async throws {
        let (pieces, piece) = AsyncStream.makeStream(of: [UInt8].self)
        let router = Router()
        router.use(Decompression())
        router.post("/") { request in
            for try await bytes in request.body { piece.yield(bytes) }
            piece.finish()
            return Response()
        }
        try await withServer(router.handler()) { address in
            let client = try await RawClient.connect(to: address)
            var seen = pieces.makeAsyncIterator()
            try await client.send(Self.request("/", [], "Content-Encoding: gzip", "Transfer-Encoding: chunked"))
            for _ in 0..<3 {
                let chunk = Array("\(String(Self.gzip.count, radix: 16))\r\n".utf8) + Self.gzip + [13, 10]
                try await client.send(chunk)
                #expect(await seen.next() == Array(Self.text.utf8))
            }
            try await client.send("0\r\n\r\n")
            #expect(try await client.receive().status == 200)
            #expect(await seen.next() == nil)
            await client.close()
        }
    }

    @Test func `A client that asks first is told to go on when the body is read`() async throws {
        try await withClient { client in
            let request = Self.request("/echo", Self.gzip, "Content-Encoding: gzip", "Expect: 100-continue")
            for _ in 0..<2 {
                try await client.send(Array(request.dropLast(Self.gzip.count)))
                #expect(try await client.receive().status == 100)
                try await client.send(Self.gzip)
                #expect(try await client.receive().text == Self.text)
            }
        }
    }

    @Test func `A compressed upload is saved as what it was`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = try Request(.put, "/", headers: [.contentEncoding: "gzip"], body: Self.gzip)
        _ = try await Decompression().respond(
            to: request,
            next: FunctionHandler { .text("\(try await $0.body.save(to: path))") }
        ).response()
        #expect(FileManager.default.contents(atPath: path) == Data(Self.text.utf8))
    }

    @Test func `Attributes and the rest of a request stay`() async throws {
        enum Mark: RequestAttribute { typealias Value = String }
        var request = try Request(.post, "/a?b", headers: [.contentEncoding: "gzip", .accept: "x"], body: Self.gzip)
        request.attributes[Mark.self] = "kept"
        request.body.limit = 1234
        _ = try await Decompression().respond(
            to: request,
            next: FunctionHandler { seen in
                #expect(seen.attributes[Mark.self] == "kept")
                #expect(seen.target == "/a?b")
                #expect(seen.method == .post)
                #expect(seen.headers[.accept] == "x")
                #expect(seen.body.limit == 1234)
                return Response()
            }
        ).response()
    }

    // MARK: What is refused

    @Test(arguments: ["br", "zstd, gzip", "gzip, gzip, gzip", "gzip;q=1"])
    func `A coding that is not understood is refused unseen`(coding: String) async throws {
        try await withClient { client in
            let fields = ["Content-Encoding: \(coding)", "Content-Length: 5", "Expect: 100-continue"]
            let head = (["POST /ignore HTTP/1.1", "Host: h"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
            try await client.send(head)
            let response = try await client.receive()
            #expect(response.status == 415)
            #expect(response["Accept-Encoding"] == "gzip, deflate")
        }
        try await withClient { client in
            // One that sends at once can go on.
            try await client.send(Self.request("/ignore", Self.gzip, "Content-Encoding: \(coding)"))
            try await client.send(Self.request("/echo", Self.gzip, "Content-Encoding: gzip"))
            #expect(try await client.receive(2).map(\.status) == [415, 200])
        }
    }

    private static let malformed: [(String, [UInt8], String)] = [
        ("gzip", Array(text.utf8), "the body is not gzip: incorrect header check"),
        ("gzip", gzip + [0, 0], "the body is not gzip: incorrect header check"),
        ("gzip", gzip + Array("GET / HTTP/1.1\r\n\r\n".utf8), "the body is not gzip: incorrect header check"),
        ("gzip", Array(gzip.dropLast()), "the body ends before its gzip data does"),
        ("gzip", Array(gzip.dropLast()) + [1], "the body is not gzip: incorrect length check"),
        ("gzip", zlib, "the body is not gzip: incorrect header check"),
        ("deflate", gzip, "the body is not deflate: incorrect header check"),
        ("deflate", zlib + [0], "the body is not deflate: there are bytes after its end"),
        ("deflate", Array(zlib.dropLast()) + [1], "the body is not deflate: incorrect data check"),
        ("deflate", Array(zlib.dropFirst(2).dropLast(4)), "the body is not deflate: incorrect header check"),
        ("deflate, gzip", gzip, "the body is not deflate: incorrect header check"),
        ("gzip, deflate", zlib, "the body is not gzip: incorrect header check"),
    ]

    /// The connection lives on: where a malformed body ends is known.
    @Test(arguments: malformed)
    func `A malformed body is a 400 that leaves the connection open`(
        coding: String,
        body: [UInt8],
        reason: String
    ) async throws {
        try await withClient { client in
            let encoding = "Content-Encoding: \(coding)"
            try await client.send(Self.request("/echo", body, encoding) + Self.request("/echo", Array("next".utf8)))
            let chunks = Self.chunked(body, by: 3)
            try await client.send(Self.request("/count", chunks, encoding, "Transfer-Encoding: chunked"))
            let responses = try await client.receive(3)
            #expect(responses.map(\.status) == [400, 200, 400])
            #expect(responses[0].text == reason)
            #expect(responses[1].text == "next")
            #expect(responses[2].text == reason)
        }
    }

    @Test func `A body that nobody reads is not decoded`() async throws {
        try await withClient { client in
            try await client.send(Self.request("/ignore", [1, 2, 3], "Content-Encoding: gzip"))
            #expect(try await client.receive().text == "ignored")
        }
    }

    // MARK: Limits

    @Test func `The limit counts decoded bytes`() async throws {
        try await withClient { client in
            try await client.send(
                Self.request("/limited", Self.gzip, "Content-Encoding: gzip")
                    + Self.request("/tight", Self.gzip, "Content-Encoding: gzip")
            )
            let responses = try await client.receive(2)
            #expect(responses[0].text == "97")
            #expect(responses[1].status == 413)
            #expect(responses[1].text == "the body is larger than 96 bytes")
        }
    }

    /// Encoded bytes that are too many whatever they become are refused unseen.
    @Test func `A length beyond the limit`() async throws {
        try await withClient { client in
            let fields = "Content-Encoding: gzip\r\nExpect: 100-continue\r\n"
            try await client.send("POST /tight HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\(fields)\r\n")
            let response = try await client.receive()
            #expect(response.status == 413)
            #expect(response.text == "the body is larger than 96 bytes")
        }
    }

    /// A gigabyte of zeros in a megabyte: what a handler gets of it is bounded, and so is the memory for it.
    @Test(arguments: ["/count", "/echo"])
    func `A bomb is a 413`(path: String) async throws {
        let bomb = Self.bomb
        #expect(bomb.count < 1_100_000)
        try await withClient(configure: { $0.limits.body = 2 << 30 }) { client in
            async let sending: Void = client.send(Self.request(path, bomb, "Content-Encoding: gzip"))
            let response = try await client.receive()
            #expect(response.status == 413)
            #expect(response.text == "the body becomes more than 100 times as large when it is decoded")
            _ = try? await sending
        }
    }

    /// Encoded bytes that become nothing count too: otherwise they could go on for ever.
    @Test func `Endless empty members are refused`() async throws {
        let empty: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let members = [[UInt8]](repeating: empty, count: 100_000).flatMap { $0 }
        try await withClient { client in
            let wire = Self.request(
                "/count",
                Self.chunked(members, by: 60_000),
                "Content-Encoding: gzip",
                "Transfer-Encoding: chunked"
            )
            async let sending: Void = client.send(wire)
            let response = try await client.receive()
            #expect(response.status == 413)
            #expect(response.text == "the body is larger than 1048576 bytes")
            _ = try? await sending
        }
    }
}
