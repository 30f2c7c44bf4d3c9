import Backlot
import BacklotHummingbird
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Testing

/// Hummingbird's routers inside of Backlot.
@Suite struct HummingbirdHandlerTests {
    private struct Unexpected: Error {}

    private static var hummingbird: some HTTPResponder<BasicRequestContext> {
        let router = Hummingbird.Router()
        router.get("/api/{name}") { request, context in
            "\(context.parameters.get("name") ?? "") \(request.uri.query ?? "") \(request.headers[.accept] ?? "")"
        }
        router.get("/id") { _, context in context.id }
        router.get("/denied") { _, _ -> String in throw Hummingbird.HTTPError(.forbidden, message: "Please log in.") }
        router.get("/missing") { _, _ -> String in throw Hummingbird.HTTPError(.notFound) }
        router.get("/broken") { _, _ -> String in throw Unexpected() }
        router.post("/echo") { request, _ in
            Hummingbird.Response(status: .ok, body: .init(asyncSequence: request.body))
        }
        router.delete("/nothing") { _, _ in Hummingbird.HTTPResponse.Status.noContent }
        return router.buildResponder()
    }

    private static var router: Backlot.Router {
        let router = Backlot.Router()
        router.get("/own") { _ in .text("own") }
        router.add(HummingbirdHandler(hummingbird, logger: Logger(label: "test")))
        return router
    }

    private static func ask(_ request: Backlot.Request) async throws -> Backlot.Response {
        let handler = router.handler()
        return try await handler(request)
    }

    private static func text(_ response: Backlot.Response) async throws -> String {
        let (pieces, piece) = AsyncStream.makeStream(of: [UInt8].self)
        try await response.body.write { piece.yield($0) }
        piece.finish()
        return String(decoding: await pieces.reduce(into: []) { $0 += $1 }, as: UTF8.self)
    }

    @Test(arguments: [("/own", "own"), ("/api/clinic?a=b", "clinic a=b text/plain")])
    func `Hummingbird answers the rest`(
        target: String,
        text: String
    ) async throws {
        let response = try await Self.ask(try Backlot.Request(.get, target, headers: [.accept: "text/plain"]))
        #expect(response.status == .ok)
        #expect(try await Self.text(response) == text)
    }

    @Test func `The request's id is Hummingbird's too`() async throws {
        let request = try Backlot.Request(.get, "/id")
        #expect(try await Self.text(Self.ask(request)) == request.id)
    }

    @Test(arguments: ["/missing", "/elsewhere"]) func `Backlot responds with 404 where Hummingbird finds nothing`(
        target: String
    ) async throws {
        await #expect {
            try await Self.ask(try Backlot.Request(.get, target))
        } throws: { error in
            (error as? any Backlot.HTTPError)?.status == .notFound
        }
    }

    @Test func `Its errors are responses`() async throws {
        #expect(try await Self.ask(try Backlot.Request(.get, "/denied")).status == .forbidden)
        await #expect(throws: Unexpected.self) { try await Self.ask(try Backlot.Request(.get, "/broken")) }
        #expect(try await Self.ask(try Backlot.Request(.delete, "/nothing")).status == .noContent)
    }

    @Test func `Bodies stream`() async throws {
        let body = Array("a body".utf8)
        let response = try await Self.ask(try Backlot.Request(.post, "/echo", body: body))
        #expect(response.body.length == nil)
        #expect(try await Self.text(response) == "a body")
    }

    @Test func `As a handler it answers all`() async throws {
        let handler = HummingbirdHandler(Self.hummingbird, logger: Logger(label: "test"))
        let response = try await handler(try Backlot.Request(.get, "/elsewhere"))
        #expect(response.status == .notFound)
    }
}
