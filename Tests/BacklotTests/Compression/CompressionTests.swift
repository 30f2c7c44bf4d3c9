import Backlot
import TestSupport
import Testing

/// What is compressed, and what the fields say then; in process.
@Suite(.timeLimit(.minutes(5))) struct CompressionTests {
    /// A text of so many bytes that compresses well.
    private static func text(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 7) }
    }

    private static func make(
        _ fields: HTTPFields = [.contentType: "text/plain"],
        size: Int = 5000,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, headers: fields, body: .bytes(text(size)))
    }

    /// What a client gets.
    private static func ask(
        _ response: Response,
        _ method: HTTPRequest.Method = .get,
        _ requestFields: HTTPFields = [.acceptEncoding: "gzip"],
        compression: Compression = Compression()
    ) async throws -> Response {
        try await compression.respond(
            to: Request(method, "/", headers: requestFields),
            next: FunctionHandler { _ in response }
        ).response()
    }

    private static func bytes(_ response: Response) -> [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    // MARK: Which coding

    @Test func `A response is compressed with gzip or deflate`() async throws {
        let gzip = try await Self.ask(Self.make())
        #expect(gzip.headers == [.contentType: "text/plain", .contentEncoding: "gzip", .vary: "Accept-Encoding"])
        #expect(gzip.status == .ok)
        #expect(try ReferenceInflater.gunzip(Self.bytes(gzip)) == Self.text(5000))
        let deflate = try await Self.ask(Self.make(), .get, [.acceptEncoding: "br, gzip;q=0.5, deflate"])
        #expect(deflate.headers[.contentEncoding] == "deflate")
        #expect(try ReferenceInflater.inflate(Self.bytes(deflate)) == Self.text(5000))
    }

    /// Caches must know of the choice from the plain answer too.
    @Test(arguments: [nil, "", "br", "gzip;q=0", "identity", "identity;q=0", "gzip;q=x", "*;q=0"])
    func `None, and Vary says that there was a choice`(accepted: String?) async throws {
        var fields: HTTPFields = [:]
        fields[.acceptEncoding] = accepted
        let response = try await Self.ask(Self.make(), .get, fields)
        #expect(response.headers == [.contentType: "text/plain", .vary: "Accept-Encoding"])
        #expect(Self.bytes(response) == Self.text(5000))
    }

    @Test func `The fields of several lines are one`() async throws {
        var fields: HTTPFields = [.acceptEncoding: "br"]
        fields.append(HTTPField(name: .acceptEncoding, value: "gzip"))
        #expect(try await Self.ask(Self.make(), .get, fields).headers[.contentEncoding] == "gzip")
    }

    // MARK: What is worth it

    @Test(arguments: [(0, false), (1, false), (1199, false), (1200, true), (8 << 20, true), (8 << 20 + 1, false)])
    func `Only bodies within the limits of size are compressed`(size: Int, isCompressed: Bool) async throws {
        let response = try await Self.ask(Self.make(size: size))
        #expect(response.headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
        #expect(response.headers.contains(.vary) == isCompressed)
        let stream = Response(headers: [.contentType: "text/plain"], body: .stream(length: size) { _ in })
        #expect(try await Self.ask(stream).headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
    }

    @Test func `Sizes of one's own`() async throws {
        let compression = Compression(minimumSize: 10, maximumSize: 100, level: 9)
        for (size, isCompressed) in [(9, false), (40, true), (100, true), (101, false)] {
            let response = try await Self.ask(Self.make(size: size), compression: compression)
            #expect(response.headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
        }
        // Ten bytes become more, not fewer.
        let response = try await Self.ask(Self.make(size: 10), compression: compression)
        #expect(response.headers == [.contentType: "text/plain", .vary: "Accept-Encoding"])
        #expect(Self.bytes(response) == Self.text(10))
    }

    @Test func `What becomes no smaller is sent as it is`() async throws {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<5000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let response = try await Self.ask(Response(headers: [.contentType: "text/plain"], body: .bytes(noise)))
        #expect(response.headers == [.contentType: "text/plain", .vary: "Accept-Encoding"])
        #expect(Self.bytes(response) == noise)
    }

    @Test(arguments: [
        (200, true), (201, true), (203, true), (404, true), (422, true), (500, true), (204, false), (205, false),
        (206, false),
        (304, false), (100, false), (103, false),
    ])
    func `Only some statuses are compressed`(status: Int, isCompressed: Bool) async throws {
        let response = try await Self.ask(Self.make(status: .init(code: status)))
        #expect(response.headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
        if !isCompressed { #expect(Self.bytes(response) == Self.text(5000)) }
    }

    @Test(
        arguments: [
            [.contentType: "image/png"], [:], [.contentType: "text/plain", .contentEncoding: "br"],
            [.contentType: "text/plain", .cacheControl: "no-transform"],
            [.contentType: "text/plain", .cacheControl: "public,\tNo-Transform , max-age=5"],
            [.contentType: "text/plain", HTTPField.Name("Content-Digest") ?? .age: "sha-256=:x:"],
            [.contentType: "text/plain", HTTPField.Name("Repr-Digest") ?? .age: "sha-256=:x:"],
            [.contentType: "text/plain", HTTPField.Name("Digest") ?? .age: "sha-256=x"],
            [.contentType: "text/plain", HTTPField.Name("Content-MD5") ?? .age: "x"],
        ] as [HTTPFields]
    )
    func `Fields that keep a response as it is`(fields: HTTPFields) async throws {
        let response = try await Self.ask(Self.make(fields))
        #expect(response.headers == fields)
        #expect(Self.bytes(response) == Self.text(5000))
    }

    @Test func `A Cache-Control without no-transform allows compression`() async throws {
        let fields: HTTPFields = [
            .contentType: "text/plain", .cacheControl: "no-store, no-transformation, private=\"a\"",
        ]
        #expect(try await Self.ask(Self.make(fields)).headers[.contentEncoding] == "gzip")
    }

    @Test func `Types of one's own`() async throws {
        let compression = Compression(types: Compression.types + ["application/x-own"])
        for type in ["application/x-own", "text/css"] {
            let response = try await Self.ask(Self.make([.contentType: type]), compression: compression)
            #expect(response.headers[.contentEncoding] == "gzip")
        }
        #expect(try await Self.ask(Self.make([.contentType: "application/x-own"])).headers.contains(.vary) == false)
    }

    // MARK: Other fields

    @Test(arguments: [
        (["Origin"], ["Origin, Accept-Encoding"]),
        (["*"], ["*"]),
        (["Origin, *"], ["Origin, *"]),
        (["accept-encoding"], ["accept-encoding"]),
        (["Origin ,\tACCEPT-ENCODING\t, Cookie"], ["Origin ,\tACCEPT-ENCODING\t, Cookie"]),
        (["Origin", "Accept-Encoding"], ["Origin", "Accept-Encoding"]),
        (["Origin", "Cookie"], ["Origin, Cookie, Accept-Encoding"]),
        (["Accept"], ["Accept, Accept-Encoding"]),
        (["X-Accept-Encoding"], ["X-Accept-Encoding, Accept-Encoding"]),
        ([""], ["Accept-Encoding"]),
    ])
    func `Vary keeps what it has`(present: [String], expected: [String]) async throws {
        var fields: HTTPFields = [.contentType: "text/plain"]
        fields[values: .vary] = present
        #expect(try await Self.ask(Self.make(fields)).headers[values: .vary] == expected)
        #expect(try await Self.ask(Self.make(fields), .get, [:]).headers[values: .vary] == expected)
    }

    @Test func `A strong entity tag becomes weak with other bytes`() async throws {
        for (tag, expected) in [("\"a\"", "W/\"a\""), ("W/\"a\"", "W/\"a\"")] {
            let fields: HTTPFields = [.contentType: "text/plain", .eTag: tag]
            #expect(try await Self.ask(Self.make(fields)).headers[.eTag] == expected)
            #expect(try await Self.ask(Self.make(fields), .get, [:]).headers[.eTag] == tag)
        }
    }

    /// A 304 bears the tag that the client has: the weak one of a compressed answer, or the strong one of a plain one.
    @Test(arguments: [
        ("\"a\"", "W/\"a\"", "W/\"a\""), ("\"a\"", "\"a\"", "\"a\""), ("\"a\"", "\"b\", W/\"a\"", "W/\"a\""),
        ("\"a\"", "*", "\"a\""), ("\"a\"", "W/\"b\", \"a\"", "\"a\""), ("W/\"a\"", "W/\"a\"", "W/\"a\""),
        ("W/\"a\"", "\"a\"", "W/\"a\""),
    ])
    func `A 304 has the tag that the client has`(tag: String, ifNoneMatch: String, expected: String) async throws {
        let response = try await Self.ask(
            Response(status: .notModified, headers: [.eTag: tag]),
            .get,
            [.acceptEncoding: "gzip", .ifNoneMatch: ifNoneMatch]
        )
        #expect(response.status == .notModified)
        #expect(response.headers == [.eTag: expected, .vary: "Accept-Encoding"])
    }

    /// Caches update the response that they hold by the fields of a 304 (RFC 9110, section 15.4.5): each has the tag and the Vary of the
    /// 200 that the same request would have got.
    @Test(
        arguments: [
            [.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], [.ifNoneMatch: "*"], [.ifNoneMatch: "\"a\""],
            [.ifNoneMatch: "W/\"a\""],
        ]
            as [HTTPFields],
        [("text/plain", 5000), ("text/plain", 10), ("image/png", 5000)]
    )
    func `A 304 has the fields of its 200`(conditions: HTTPFields, body: (type: String, size: Int)) async throws {
        for coding in [[.acceptEncoding: "gzip"], [:]] as [HTTPFields] {
            var conditional = coding
            conditional.append(contentsOf: conditions)
            let validators = Validators(eTag: ETag("a"), lastModified: HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT"))
            var responses: [Response] = []
            for fields in [coding, conditional] {
                let request = try Request(.get, "/", headers: fields)
                let whole = Self.make([.contentType: body.type], size: body.size).validated(
                    by: validators,
                    for: request
                )
                responses.append(try await Self.ask(whole, .get, fields))
            }
            #expect(responses.map(\.status) == [.ok, .notModified])
            for name in [HTTPField.Name.eTag, .vary] {
                #expect(responses[0].headers[name] == responses[1].headers[name])
            }
        }
    }

    @Test func `A 304 of a type that isn't compressed is unchanged`() async throws {
        let fields: HTTPFields = [.eTag: "\"a\"", .contentType: "image/png"]
        let response = try await Self.ask(Response(status: .notModified, headers: fields))
        #expect(response.headers == fields)
    }

    /// A part is one of the plain bytes; but what it is a part of depends on the coding.
    @Test func `Partial content isn't compressed but varies`() async throws {
        let fields: HTTPFields = [.contentType: "text/plain", .eTag: "\"a\"", .contentRange: "bytes 0-9/5000"]
        let response = try await Self.ask(Self.make(fields, size: 10, status: .partialContent))
        var expected = fields
        expected[.vary] = "Accept-Encoding"
        #expect(response.headers == expected)
        #expect(Self.bytes(response) == Self.text(10))
    }

    @Test func `No parts of compressed bytes are offered`() async throws {
        let fields: HTTPFields = [.contentType: "text/plain", .acceptRanges: "bytes"]
        #expect(try await Self.ask(Self.make(fields)).headers[.acceptRanges] == nil)
        #expect(try await Self.ask(Self.make(fields), .get, [:]).headers[.acceptRanges] == "bytes")
    }

    /// A handler may have spared HEAD the body.
    @Test func `A response to HEAD varies even without a body`() async throws {
        let empty = Response(headers: [.contentType: "text/plain"])
        #expect(try await Self.ask(empty, .head).headers == [.contentType: "text/plain", .vary: "Accept-Encoding"])
        #expect(try await Self.ask(empty, .get).headers == [.contentType: "text/plain"])
        #expect(try await Self.ask(Self.make(), .head).headers[.contentEncoding] == "gzip")
    }

    // MARK: Errors and the fast path

    @Test func `Errors go through`() async throws {
        let compression = Compression()
        let request = try Request(.get, "/", headers: [.acceptEncoding: "gzip"])
        await #expect(throws: StatusError(.forbidden, "no")) {
            try await compression.respond(
                to: request,
                next: FunctionHandler { _ in throw StatusError(.forbidden, "no") }
            )
            .response()
        }
    }

    /// Answers without suspending, or with pending work.
    private struct AtOnce: Handler {
        let response: Response?

        func respond(to request: Request) -> HandlerResult {
            response.map(HandlerResult.ready) ?? .pending { throw StatusError(.internalServerError, "suspended") }
        }
    }

    /// The response to a request for gzip, if it takes no task.
    private func ready(_ router: Router) throws -> Response? {
        let request = try Request(.get, "/", headers: [.acceptEncoding: "gzip"])
        guard case .ready(let response) = try router.handler().respond(to: request) else { return nil }
        return response
    }

    @Test func `What needs no task needs none when it is compressed`() async throws {
        func ask(_ response: Response?) throws -> Response? {
            let router = Router()
            router.use(Compression())
            router.use(Decompression())
            let handler = AtOnce(response: response)
            router.add(Route(.get, "/", handler: handler, source: CodeLocation(file: #fileID, line: #line)))
            return try ready(router)
        }
        #expect(try ask(nil) == nil)
        let compressed = try #require(try ask(Self.make()))
        #expect(try ReferenceInflater.gunzip(Self.bytes(compressed)) == Self.text(5000))
        // A large one becomes a stream, which takes its time elsewhere.
        guard case .stream(length: nil, _)? = try ask(Self.make(size: 100_000))?.body else {
            Issue.record("not streamed")
            return
        }
    }

    @Test func `A middleware that may suspend keeps its handlers from answering at once`() throws {
        let router = Router()
        router.use(Compression())
        router.use { request, next in try await next(request) }
        router.add(Route(.get, "/", handler: AtOnce(response: Self.make()), source: .init(file: #fileID, line: #line)))
        #expect(try ready(router) == nil)
    }

    @Test func `Options that make no sense stop the program`() async {
        await #expect(processExitsWith: .failure) { _ = Compression(level: 0) }
        await #expect(processExitsWith: .failure) { _ = Compression(level: 10) }
        await #expect(processExitsWith: .failure) { _ = Compression(minimumSize: -1) }
        await #expect(processExitsWith: .failure) { _ = Compression(minimumSize: 10, maximumSize: 9) }
        await #expect(processExitsWith: .failure) { _ = Compression(streams: -1) }
        await #expect(processExitsWith: .failure) { _ = Decompression(ratio: 0) }
    }
}
