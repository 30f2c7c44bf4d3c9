import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct RouteLimitTests {
    @Test(arguments: HTTPVersions.each)
    func `A route's body limit counts, larger or smaller than the server's`(version: HTTPVersions) async throws {
        let router = Router()
        let size: @Sendable (Request) async throws -> Response = { .text("\(try await $0.body.collect().count)") }
        router.post("/plain") { try await size($0) }
        router.with(BodyLimit(10)).post("/small") { try await size($0) }
        router.group("/large", BodyLimit(1)) { group in
            group.with(BodyLimit(3_000_000)).post("/inner") { try await size($0) }
        }
        var configuration = ServerConfiguration()
        configuration.limits.body = 1000
        try await withServer(router.handler(), configuration: configuration) { address in
            let rows = [
                ("/plain", 1000, 200, "1000"), ("/plain", 1001, 413, "the body is larger than 1000 bytes"),
                ("/small", 10, 200, "10"), ("/small", 11, 413, "the body is larger than 10 bytes"),
                ("/large/inner", 3_000_000, 200, "3000000"),
                ("/large/inner", 3_000_001, 413, "the body is larger than 3000000 bytes"),
            ]
            for (path, count, status, text) in rows {
                let body = [UInt8](repeating: 120, count: count)
                let response = try await address.exchange(version, .post, path, body: body)
                #expect(response.status.code == status, "\(path) \(count)")
                #expect(response.text == text, "\(path) \(count)")
            }
        }
    }

    @Test func `Further requests than a route takes at a time are 503`() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let begun = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.with(ConcurrencyLimit(1, retryAfter: .seconds(3))).get("/report") { _ in
            begun.continuation.yield()
            for await _ in gate.stream { break }
            return .text("report")
        }
        let handler = router.handler()
        async let first = handler(Request(.get, "/report"))
        var beginnings = begun.stream.makeAsyncIterator()
        await beginnings.next()
        let refusal = await #expect(throws: StatusError.self) { _ = try await handler(Request(.get, "/report")) }
        #expect(refusal?.status == .serviceUnavailable)
        #expect(refusal?.headers[.retryAfter] == "3")
        gate.continuation.yield()
        #expect(try await first.bodyText == "report")
        gate.continuation.yield()
        gate.continuation.finish()
        #expect(try await handler(Request(.get, "/report")).bodyText == "report")
    }
}
