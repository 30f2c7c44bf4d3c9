import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct TimeoutTests {
    /// Notes that a handler was cancelled.
    private final class Notes: Sendable {
        let cancelled = AsyncStream.makeStream(of: Void.self)
        /// Ends the handler that doesn't look at its cancellation.
        let end = AsyncStream.makeStream(of: Void.self)
    }

    private func router(_ notes: Notes) -> Router {
        let router = Router()
        let wait: @Sendable (Request) async throws -> Response = { _ in
            do {
                try await Task.sleep(for: .seconds(60))
            } catch {
                notes.cancelled.continuation.yield()
                throw error
            }
            return .text("late")
        }
        router.use(Timeout(.milliseconds(50), retryAfter: .milliseconds(1500)))
        router.get("/slow") { try await wait($0) }
        router.get("/quick") { _ in .text("quick") }
        router.with(Timeout(.seconds(30))).get("/soon") { _ in
            await Task.yield()
            return .text("soon")
        }
        router.get("/deaf") { _ in
            // It looks at nothing: only the test ends it.
            await Task.detached { for await _ in notes.end.stream {} }.value
            return .text("late")
        }
        router.post("/body") { request in .text("\(try await request.body.collect().count)") }
        router.with(Timeout(.seconds(30))).get("/patient") { _ in
            try await Task.sleep(for: .milliseconds(150))
            return .text("patient")
        }
        router.get("/stream") { _ in
            Response(
                body: .stream { writer in
                    for _ in 0..<4 {
                        try await Task.sleep(for: .milliseconds(30))
                        try await writer.write("x")
                    }
                }
            )
        }
        return router
    }

    @Test(arguments: HTTPVersions.each)
    func `A handler that takes too long is cancelled and answered with 503`(version: HTTPVersions) async throws {
        let notes = Notes()
        try await withServer(router(notes).handler()) { address in
            let slow = try await address.exchange(version, "/slow")
            #expect(slow.status == .serviceUnavailable)
            #expect(slow.text == "the server took too long to respond")
            #expect(slow.headers[.retryAfter] == "2")
            var cancellations = notes.cancelled.stream.makeAsyncIterator()
            await cancellations.next()
            #expect(try await address.exchange(version, "/deaf").status == .serviceUnavailable)
            notes.end.continuation.finish()
            for path in ["quick", "soon", "patient"] {
                #expect(try await address.exchange(version, "/\(path)").text == path)
            }
            #expect(try await address.exchange(version, "/stream").text == "xxxx")
        }
    }

    @Test func `A shorter limit counts, too, after a middleware that suspends`() async throws {
        let router = Router()
        router.use(Timeout(.seconds(3600)))
        router.use { request, next in
            try await Task.sleep(for: .milliseconds(1))
            return try await next(request)
        }
        router.with(Timeout(.milliseconds(20))).get("/slow") { _ in
            try await Task.sleep(for: .seconds(3600))
            return .text("late")
        }
        try await withServer(router.handler()) { address in
            let response = try await address.exchange(.http1, "/slow")
            #expect(response.status == .serviceUnavailable)
        }
    }

    @Test func `A body that is on its way when the time is over is 408`() async throws {
        try await withServer(router(Notes()).handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send("POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf")
            let response = try await client.receive()
            #expect(response.status == 408)
            let request = HTTP2Request(method: "POST", "/body", [("content-length", "10")], isWhole: false)
            #expect(try await request.status(at: address) == 408)
        }
    }

    @Test func `A client that goes away cancels the handler`() async throws {
        let notes = Notes()
        let router = Router()
        let begun = AsyncStream.makeStream(of: Void.self)
        router.with(Timeout(.seconds(60))).get("/slow") { _ in
            begun.continuation.yield()
            do {
                try await Task.sleep(for: .seconds(60))
            } catch {
                notes.cancelled.continuation.yield()
            }
            return .text("late")
        }
        try await withServer(router.handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
            var beginnings = begun.stream.makeAsyncIterator()
            await beginnings.next()
            await client.reset()
            var cancellations = notes.cancelled.stream.makeAsyncIterator()
            await cancellations.next()
        }
    }

    @Test func `In process the time is limited too`() async throws {
        let handler = router(Notes()).handler()
        await #expect(throws: StatusError.self) { _ = try await handler(Request(.get, "/slow")) }
        #expect(try await handler(Request(.get, "/soon")).bodyText == "soon")
    }
}
