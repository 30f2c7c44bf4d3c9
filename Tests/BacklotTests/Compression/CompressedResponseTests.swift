import Backlot
import TestSupport
import Testing

/// Compressed answers as clients read them off the wire.
@Suite(.timeLimit(.minutes(5))) struct CompressedResponseTests {
    private static let page: [UInt8] = Array(
        (0..<300).map { #"{"typ":"text","text":"Line \#($0) of the page"},"# }.joined().utf8
    )
    private static let large: [UInt8] = Array(
        (0..<8000).map { #"{"typ":"text","text":"Line \#($0) of the page"},"# }.joined().utf8
    )

    private static let json: HTTPFields = [.contentType: "application/json"]

    private static func makeRouter() -> Router {
        let router = Router()
        router.use(Compression())
        router.get("/page") { _ in Response(headers: json, body: .bytes(page)) }
        router.get("/large") { _ in Response(headers: json, body: .bytes(large)) }
        router.get("/small") { _ in Response(headers: json, body: .bytes(Array("{}".utf8))) }
        router.get("/sized") { _ in
            Response(headers: json, body: .stream(length: page.count) { try await $0.write(page) })
        }
        router.get("/short") { _ in
            Response(headers: json, body: .stream(length: page.count) { try await $0.write(Array(page.dropLast())) })
        }
        router.get("/failing") { _ in
            Response(
                headers: json,
                body: .stream { writer in
                    try await writer.write(page)
                    throw StatusError(.internalServerError, "half way")
                }
            )
        }
        return router
    }

    private static func request(_ target: String, _ fields: String..., version: String = "HTTP/1.1") -> String {
        (["\(target) \(version)", "Host: h"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    private static let gzip = "Accept-Encoding: gzip"

    @Test(arguments: ["/page", "/large", "/sized"])
    func `A body arrives whole`(path: String) async throws {
        let body = path == "/large" ? Self.large : Self.page
        try await withServer(Self.makeRouter().handler()) { address in
            let client = try await RawClient.connect(to: address)
            for _ in 0..<2 {
                try await client.send(Self.request("GET \(path)", Self.gzip))
                let response = try await client.receive()
                #expect(response["Content-Encoding"] == "gzip")
                #expect(response["Vary"] == "Accept-Encoding")
                #expect(response.body.count < body.count / 5)
                let decoded = try ReferenceInflater.gunzip(response.body)
                #expect(decoded == body)
                // Only what was compressed as a whole has a length.
                #expect((response["Content-Length"] != nil) == (path == "/page"))
            }
            await client.close()
        }
    }

    @Test func `Responses on one connection are compressed as each request asks`() async throws {
        try await withServer(Self.makeRouter().handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send(
                Self.request("GET /page", Self.gzip) + Self.request("GET /page") + Self.request("GET /small", Self.gzip)
                    + Self.request("GET /large", Self.gzip) + Self.request("GET /page", "Accept-Encoding: deflate")
                    + Self.request("GET /sized", Self.gzip)
                    + Self.request("GET /page", "Accept-Encoding: br;q=1, gzip;q=0")
            )
            let responses = try await client.receive(7)
            let codings = responses.map { $0["Content-Encoding"] }
            #expect(codings == ["gzip", nil, nil, "gzip", "deflate", "gzip", nil])
            #expect(try ReferenceInflater.gunzip(responses[0].body) == Self.page)
            #expect(responses[1].body == Self.page)
            #expect(responses[2].text == "{}")
            #expect(try ReferenceInflater.gunzip(responses[3].body) == Self.large)
            #expect(try ReferenceInflater.inflate(responses[4].body) == Self.page)
            #expect(try ReferenceInflater.gunzip(responses[5].body) == Self.page)
            #expect(responses[6].body == Self.page)
            await client.close()
        }
    }

    @Test(arguments: ["/page", "/large", "/sized", "/small"])
    func `HEAD has the fields that GET has`(path: String) async throws {
        try await withServer(Self.makeRouter().handler()) { address in
            let client = try await RawClient.connect(to: address)
            for fields in [[Self.gzip], []] {
                try await client.send(
                    (["HEAD \(path) HTTP/1.1", "Host: h"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
                )
                let head = try await client.receive(responseTo: "HEAD")
                try await client.send(
                    (["GET \(path) HTTP/1.1", "Host: h"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
                )
                let get = try await client.receive()
                #expect(head.fields.filter { $0.name != "Date" } == get.fields.filter { $0.name != "Date" })
                #expect(head.body == [])
            }
            await client.close()
        }
    }

    /// HTTP/1.0 knows no chunks: the end of the connection is the end of the body.
    @Test(arguments: ["/page", "/large"])
    func `A client of HTTP/1.0 gets a compressed body that ends with the connection`(path: String) async throws {
        try await withServer(Self.makeRouter().handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send(Self.request("GET \(path)", Self.gzip, version: "HTTP/1.0"))
            let response = try await client.receive()
            #expect(response["Content-Encoding"] == "gzip")
            #expect(response["Transfer-Encoding"] == nil)
            let decoded = try ReferenceInflater.gunzip(response.body)
            #expect(decoded == (path == "/large" ? Self.large : Self.page))
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    /// The client can tell that bytes are missing, although nobody has told it how many there would be.
    @Test(arguments: ["/short", "/failing"])
    func `A body that doesn't become whole cuts the connection`(path: String) async throws {
        try await withServer(Self.makeRouter().handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send(Self.request("GET \(path)", Self.gzip))
            await #expect(throws: RawClientError.self) { try await client.receive() }
        }
    }

    /// An event must not wait for the next one.
    @Test(arguments: ["text/event-stream", "text/plain", "application/x-ndjson"])
    func `What is written arrives before the rest is`(type: String) async throws {
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.use(Compression())
        router.get("/events") { _ in
            Response(
                headers: [.contentType: type],
                body: .stream { writer in
                    var number = 0
                    try await writer.write("event 0\n")
                    for await _ in turns {
                        number += 1
                        try await writer.write("event \(number)\n")
                        if number == 3 { return }
                    }
                }
            )
        }
        try await withServer(router.handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send(Self.request("GET /events", Self.gzip))
            var wire: [UInt8] = []
            var expected = ""
            for number in 0...3 {
                expected += "event \(number)\n"
                while try Self.decoded(wire) != expected {
                    let piece = try await client.receivePiece()
                    guard !piece.isEmpty else {
                        Issue.record("the end after \(try Self.decoded(wire))")
                        return
                    }
                    wire += piece
                }
                turn.yield()
            }
            while !wire.suffix(5).elementsEqual("0\r\n\r\n".utf8) { wire += try await client.receivePiece() }
            #expect(try ReferenceInflater.gunzip(Self.content(ofChunks: wire)) == Array(expected.utf8))
            await client.close()
        }
    }

    /// What a client can read of an answer in chunks that goes on.
    private static func decoded(_ wire: [UInt8]) throws -> String {
        let content = content(ofChunks: wire)
        guard content.count >= 10 else { return "" }
        return String(decoding: try ReferenceInflater.gunzip(beginning: content), as: UTF8.self)
    }

    /// What is in the chunks that have come.
    private static func content(ofChunks wire: [UInt8]) -> [UInt8] {
        guard let end = wire.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
        var rest = wire[end.upperBound...]
        var content: [UInt8] = []
        while let line = rest.firstRange(of: [13, 10]),
            let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), size > 0,
            rest.endIndex >= line.upperBound + size + 2
        {
            content += rest[line.upperBound..<(line.upperBound + size)]
            rest = rest[(line.upperBound + size + 2)...]
        }
        return content
    }

    @Test(arguments: [("page.json", page), ("large.json", large)])
    func `Text files are compressed, and images aren't`(name: String, body: [UInt8]) async throws {
        try await withTemporaryFolder { folder in
            try folder.write(body, to: name)
            try folder.write(body, to: "image.png")
            let router = Router()
            router.use(Compression())
            router.files(folder.path)
            try await withServer(router.handler()) { address in
                let client = try await RawClient.connect(to: address)
                for _ in 0..<2 {
                    try await client.send(
                        Self.request("GET /\(name)", Self.gzip) + Self.request("GET /\(name)")
                            + Self.request("GET /image.png", Self.gzip)
                    )
                    let responses = try await client.receive(3)
                    #expect(responses.map { $0["Content-Encoding"] } == ["gzip", nil, nil])
                    #expect(responses.map { $0["Vary"] } == ["Accept-Encoding", "Accept-Encoding", nil])
                    let decoded = try ReferenceInflater.gunzip(responses[0].body)
                    #expect(decoded == body)
                    #expect(responses[1].body == body)
                    #expect(responses[2].body == body)
                }
                await client.close()
            }
        }
    }

    @Test func `A file that becomes shorter cuts the connection`() async throws {
        try await withTemporaryFolder { folder in
            let path = try folder.write(Self.large, to: "large.json")
            let router = Router()
            router.use(Compression())
            router.get("/") { _ in
                let file = try OpenFile(path)
                try folder.truncate("large.json", to: 100_000)
                return Response(headers: Self.json, body: .file(FileSlice(file)))
            }
            try await withServer(router.handler()) { address in
                let client = try await RawClient.connect(to: address)
                try await client.send(Self.request("GET /", Self.gzip))
                await #expect(throws: RawClientError.self) { try await client.receive() }
            }
        }
    }

    @Test func `Many clients at a time get their own responses`() async throws {
        try await withServer(Self.makeRouter().handler()) { address in
            try await withThrowingDiscardingTaskGroup { group in
                for number in 0..<6 {
                    group.addTask {
                        let client = try await RawClient.connect(to: address)
                        for round in 0..<5 {
                            let path = ["/page", "/large", "/sized"][(number + round) % 3]
                            let coding = (number + round).isMultiple(of: 2) ? "gzip" : "deflate"
                            try await client.send(Self.request("GET \(path)", "Accept-Encoding: \(coding)"))
                            let response = try await client.receive()
                            let decoded =
                                coding == "gzip"
                                ? try ReferenceInflater.gunzip(response.body)
                                : try ReferenceInflater.inflate(response.body)
                            #expect(decoded == (path == "/large" ? Self.large : Self.page))
                        }
                        await client.close()
                    }
                }
            }
        }
    }
}
