import BacklotRedis
import TestSupport
import Testing

@testable import Backlot

@Suite(.needsRedis, .timeLimit(.minutes(5))) struct RedisRateLimitTests {
    @Test func `Replicas share the buckets, which are filled at a steady rate`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let replicas = [0, 1].map { _ in RedisRateLimitStore(address, timeout: .seconds(10), logger: .silent) }
        let rate = RateLimit.Rate(3, per: .seconds(3600))
        for number in 0..<3 { #expect(try await replicas[number % 2].take("a", rate) == nil) }
        for replica in replicas {
            let wait = try #require(try await replica.take("a", rate))
            #expect(wait > .seconds(1100) && wait <= .seconds(1200))
        }
        #expect(try await replicas[0].take("b", rate) == nil)
        let quick = RateLimit.Rate(1, per: .milliseconds(20))
        #expect(try await replicas[0].take("c", quick) == nil)
        // It is there again once the server says so.
        while let wait = try await replicas[1].take("c", quick) { try await Task.sleep(for: wait) }
    }

    @Test func `Requests pass while the server is away, as far as memory allows`() async throws {
        let server = try RedisServer()
        let store = RedisRateLimitStore(
            RedisAddress(host: "127.0.0.1", port: server.port),
            timeout: .milliseconds(50),
            logger: .silent
        )
        let router = Router()
        router.with(RateLimit(.perHour(1), store: store, logger: .silent)).get("/") { _ in .text("in") }
        let handler = router.handler()
        server.stop()
        #expect(try await handler(Request(.get, "/")).status == .ok)
        let error = await #expect(throws: StatusError.self) { _ = try await handler(Request(.get, "/")) }
        #expect(error?.status == .tooManyRequests)
    }
}
