import Applin
import Backlot
import BacklotHummingbird
import BacklotPreview
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

/// Backlot's routers inside of Hummingbird.
@Suite struct BacklotResponderTests {
    typealias Context = ClientRequestContext

    private struct Unexpected: Error {}

    private static var backlot: Backlot.Router {
        let router = Backlot.Router()
        router.applin("/clinic/", sessions: MemorySessionStore()) { app in
            app.page("/") { request in
                let user = try await request.session.user
                return navPage("Clinic") { text("Hello, \(user ?? "nobody")!") }
            }
            app.rpc("/log_in") { request in try await request.session.logIn(user: "ada") }
        }
        router.get("/clinic/denied") { _ in throw StatusError(.forbidden, "Please log in.") }
        router.get("/clinic/broken") { _ in throw Unexpected() }
        router.get("/clinic/scheme") { request in .text("\(request.scheme) \(request.remoteAddress.host)") }
        router.post("/clinic/echo") { request in
            let body = request.body
            return Backlot.Response(
                body: .stream { writer in for try await piece in body { try await writer.write(piece) } }
            )
        }
        router.post("/clinic/size") { request in .text("\(try await request.body.collect(upTo: 10).count)") }
        router.get("/clinic/short") { _ in Backlot.Response(body: .stream(length: 10) { try await $0.write("short") }) }
        router.get("/clinic/nothing") { _ in Backlot.Response(status: .noContent, body: .bytes([1])) }
        _ = router.preview(LocalAccess(host: "127.0.0.1"))
        return router
    }

    private static func hummingbird() throws -> some HTTPResponder<Context> {
        let router = Hummingbird.Router(context: Context.self)
        router.get("/api/time") { _, _ in "noon" }
        router.get("/clinics") { _, _ in "all clinics" }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        router.add(middleware: try BacklotResponder(backlot, below: "/clinic", "/__preview", logger: logger))
        return router.buildResponder()
    }

    private static func ask(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:],
        body: Hummingbird.RequestBody = .init(buffer: ByteBuffer()),
        from address: NIOCore.SocketAddress? = nil,
        scheme: String = "http",
        authority: String = "test"
    ) async throws -> Hummingbird.Response {
        let head = HTTPRequest(method: method, scheme: scheme, authority: authority, path: path, headerFields: headers)
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = address
        var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        logger[metadataKey: "hb.request.id"] = "1"
        let context = Context(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        return try await hummingbird().respond(to: Hummingbird.Request(head: head, body: body), context: context)
    }

    @Test(arguments: [
        ("/api/time", "noon"), ("/clinics", "all clinics"), ("/clinic/scheme?a=b", "http 0.0.0.0"),
    ]) func `Paths decide who answers`(path: String, text: String) async throws {
        let response = try await Self.ask(path)
        #expect(response.status == .ok)
        #expect(try await gathered(response.body) == text)
    }

    @Test func `What neither knows is 404`() async throws {
        #expect(try await Self.ask("/clinic/elsewhere").status == .notFound)
        let response = try await Self.ask("/elsewhere")
        #expect(response.status == .notFound && response.body.contentLength == 0)
    }

    @Test func `Sessions go through`() async throws {
        let responder = try Self.hummingbird()
        func ask(_ path: String, _ method: HTTPRequest.Method, _ cookie: String?) async throws -> Hummingbird.Response {
            var fields = HTTPFields()
            fields[.cookie] = cookie
            let head = HTTPRequest(method: method, scheme: "http", authority: "test", path: path, headerFields: fields)
            var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            logger[metadataKey: "hb.request.id"] = "1"
            let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
            let request = Hummingbird.Request(head: head, body: .init(buffer: ByteBuffer()))
            return try await responder.respond(to: request, context: Context(source: source))
        }
        #expect(try await gathered(ask("/clinic/", .get, nil).body).contains("Hello, nobody!"))
        let logIn = try await ask("/clinic/log_in", .post, nil)
        let cookie = try #require(logIn.headers[.setCookie]?.split(separator: ";").first)
        #expect(try await gathered(ask("/clinic/", .get, String(cookie)).body).contains("Hello, ada!"))
    }

    @Test(arguments: [("127.0.0.1:8080", HTTPResponse.Status.ok), ("localhost", .ok), ("elsewhere.example", .notFound)])
    func `Preview goes through, for this machine alone`(authority: String, status: HTTPResponse.Status) async throws {
        let response = try await Self.ask("/__preview", headers: [.accept: "text/html"], authority: authority)
        #expect(response.status == status)
    }

    @Test func `Bodies stream both ways, piece by piece`() async throws {
        let (body, source) = Hummingbird.RequestBody.makeStream()
        let response = try await Self.ask("/clinic/echo", .post, body: body)
        let (pieces, echoed) = AsyncStream.makeStream(of: String.self)
        let writing = Task { try await response.body.write(PieceWriter { echoed.yield($0) }) }
        var echoes = pieces.makeAsyncIterator()
        // The second piece is sent when the first has come back.
        for piece in ["one", "two"] {
            await source.yield(ByteBuffer(string: piece))
            #expect(await echoes.next() == piece)
        }
        source.finish()
        try await writing.value
    }

    @Test func `A body that breaks off ends the response with an error`() async throws {
        let (body, source) = Hummingbird.RequestBody.makeStream()
        let response = try await Self.ask("/clinic/echo", .post, body: body)
        source.finish(Unexpected())
        await #expect(throws: Unexpected.self) { try await gathered(response.body) }
    }

    @Test(arguments: [
        ("/clinic/denied", HTTPResponse.Status.forbidden, "Please log in."),
        ("/clinic/broken", .internalServerError, "The server failed to respond: "),
        ("/clinic/a b", .badRequest, ""), ("/clinic/\r\nX: 1", .badRequest, ""),
    ]) func `Errors are responses`(path: String, status: HTTPResponse.Status, text: String) async throws {
        let response = try await Self.ask(path)
        #expect(response.status == status)
        #expect(try await gathered(response.body).contains(text) || text.isEmpty)
    }

    @Test(arguments: [("12345", "5"), ("12345678901", nil)]) func `Limits of bodies hold`(
        body: String,
        size: String?
    ) async throws {
        for headers in [[:], [.contentLength: String(body.utf8.count)]] as [HTTPFields] {
            let buffer = Hummingbird.RequestBody(buffer: ByteBuffer(string: body))
            let response = try await Self.ask("/clinic/size", .post, headers: headers, body: buffer)
            #expect(response.status == (size == nil ? .contentTooLarge : .ok))
            if let size { #expect(try await gathered(response.body) == size) }
        }
    }

    @Test func `Responses without a body have none`() async throws {
        let head = try await Self.ask("/clinic/scheme", .head)
        #expect(head.headers[.contentLength] == "12" && head.body.contentLength == 0)
        let nothing = try await Self.ask("/clinic/nothing")
        #expect(nothing.status == .noContent && nothing.body.contentLength == 0)
    }

    @Test func `Fewer bytes than promised are an error`() async throws {
        let response = try await Self.ask("/clinic/short")
        #expect(response.body.contentLength == 10)
        await #expect(throws: StreamError.lengthMismatch(promised: 10)) { try await gathered(response.body) }
    }

    @Test func `The scheme and the address are the client's`() async throws {
        let address = try NIOCore.SocketAddress(ipAddress: "2001:db8::1", port: 4711)
        let response = try await Self.ask("/clinic/scheme", from: address, scheme: "https")
        #expect(try await gathered(response.body) == "https 2001:db8::1")
    }
}

/// All of a body.
func gathered(_ body: Hummingbird.ResponseBody) async throws -> String {
    let (pieces, piece) = AsyncStream.makeStream(of: String.self)
    do {
        try await body.write(PieceWriter { piece.yield($0) })
    } catch {
        piece.finish()
        throw error
    }
    piece.finish()
    return await pieces.reduce(into: "") { $0 += $1 }
}

/// Hands on what is written.
struct PieceWriter: ResponseBodyWriter {
    let wrote: @Sendable (String) -> Void

    mutating func write(_ buffer: ByteBuffer) async throws { wrote(String(buffer: buffer)) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
