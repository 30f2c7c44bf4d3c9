import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct RateLimitTests {
    @Test func `A bucket is filled at a steady rate, and holds its burst`() {
        let buckets = RateBuckets(count: 8)
        let rate = RateLimit.Rate.perSecond(10, burst: 3)
        let start = ContinuousClock.now
        func take(_ milliseconds: Int) -> Duration? { buckets.take("a", rate, at: start + .milliseconds(milliseconds)) }
        for _ in 0..<3 { #expect(take(0) == nil) }
        #expect(take(0) == .milliseconds(100))
        #expect(take(99) == .milliseconds(1))
        #expect(take(100) == nil)
        #expect(take(150) == .milliseconds(50))
        // However long it rests, it holds no more.
        for _ in 0..<3 { #expect(take(60_000) == nil) }
        #expect(take(60_000) == .milliseconds(100))
        #expect(buckets.take("b", rate, at: start + .seconds(60)) == nil)
    }

    @Test func `A million clients take no more memory, and who asks too often stays limited`() {
        let buckets = RateBuckets(count: 1000)
        #expect(buckets.size == 1024 * 16)
        let rate = RateLimit.Rate.perMinute(60)
        let start = ContinuousClock.now
        for _ in 0..<60 { #expect(buckets.take("greedy", rate, at: start) == nil) }
        var refusals = 0
        for client in 0..<1_000_000 where buckets.take(client, rate, at: start) != nil { refusals += 1 }
        #expect(refusals == 0)
        #expect(buckets.take("greedy", rate, at: start) == .seconds(1))
        #expect(buckets.size == 1024 * 16)
    }

    @Test(arguments: HTTPVersions.each)
    func `Too many requests are 429 with Retry-After`(version: HTTPVersions) async throws {
        let router = Router()
        router.with(RateLimit(.perHour(2))).get("/hour") { _ in .text("in") }
        router.with(RateLimit(.perMinute(1), by: { $0.headers[.from] })).get("/user") { _ in .text("in") }
        try await withServer(router.handler()) { address in
            for status in [200, 200, 429, 429] {
                let response = try await address.exchange(version, "/hour")
                #expect(response.status.code == status)
                let wait = response.headers[.retryAfter].flatMap { Int($0) }
                #expect(status == 200 ? wait == nil : (1790...1800).contains(wait ?? 0))
            }
            for (user, status) in [("a", 200), ("b", 200), ("a", 429), (nil, 200), (nil, 200)] {
                let response = try await address.exchange(version, "/user", user.map { [.from: $0] } ?? [:])
                #expect(response.status.code == status, "\(user ?? "-")")
            }
        }
    }

    @Test func `Clients behind a trusted proxy have buckets of their own, and cannot choose theirs`() async throws {
        let router = Router()
        router.with(RateLimit(.perHour(1))).get("/") { _ in .text("in") }
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        var configuration = ServerConfiguration()
        configuration.trustedProxies = [try AddressRange("127.0.0.1")]
        let rows = [
            ("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.1", 429), ("203.0.113.9, 192.0.2.1", 429),
            ("2001:db8:1:2::1", 200), ("2001:db8:1:2:3::9", 429), ("2001:db8:1:3::1", 200),
        ]
        try await withServer(router.handler(), configuration: configuration) { address in
            for (field, status) in rows {
                let response = try await address.exchange(.http1, "/", [forwarded: field])
                #expect(response.status.code == status, "\(field)")
            }
        }
    }

    private struct BrokenStore: RateLimitStore {
        func take(_ key: String, _ rate: RateLimit.Rate) async throws -> Duration? { throw StreamError.ended }
    }

    @Test func `Without its store, the limit in memory counts`() async throws {
        let router = Router()
        router.with(RateLimit(.perHour(1), store: BrokenStore())).get("/") { _ in .text("in") }
        let handler = router.handler()
        #expect(try await handler(Request(.get, "/")).status == .ok)
        let error = await #expect(throws: StatusError.self) { _ = try await handler(Request(.get, "/")) }
        #expect(error?.status == .tooManyRequests)
    }
}
