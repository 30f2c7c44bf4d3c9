import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct SessionCacheTests {
    private let start = ContinuousClock.now
    private let key = SessionHash(hashing: "a")

    private func make(bytes: Int = 1 << 20, age: Duration = .seconds(1)) -> SessionCache {
        SessionCache(maximumBytes: bytes, maximumAge: age)
    }

    @Test func `A copy is used until it is a second old, from when it was asked for`() {
        var cache = make()
        cache.keep(SampleRecord.make("a"), cache.ticket(for: key), readAt: start)
        #expect(cache.record(at: key, now: start + .milliseconds(999)) != nil)
        #expect(cache.record(at: key, now: start + .seconds(1)) == nil)
        #expect(cache.record(at: SessionHash(hashing: "b"), now: start) == nil)
    }

    @Test func `What changed while it was read is not kept`() {
        var cache = make()
        let ticket = cache.ticket(for: key)
        cache.drop(key)
        cache.keep(SampleRecord.make("a"), ticket, readAt: start)
        #expect(cache.record(at: key, now: start) == nil)
        cache.keep(SampleRecord.make("a"), cache.ticket(for: key), readAt: start)
        #expect(cache.record(at: key, now: start) != nil)
        let second = cache.ticket(for: key)
        cache.dropAll()
        cache.keep(SampleRecord.make("a"), second, readAt: start)
        #expect(cache.record(at: key, now: start) == nil)
    }

    @Test func `With no age nothing is kept`() {
        var cache = make(age: .zero)
        cache.keep(SampleRecord.make("a"), cache.ticket(for: key), readAt: start)
        #expect(cache.record(at: key, now: start) == nil)
    }

    @Test func `Old copies make room for new ones`() {
        var cache = make(bytes: 20_000)
        let values = [UInt8](repeating: 1, count: 1000)
        for number in 0..<100 {
            let record = SampleRecord.make("\(number)", values: values)
            cache.keep(record, cache.ticket(for: record.key), readAt: start)
        }
        let kept = (0..<100).count { cache.record(at: SessionHash(hashing: "\($0)"), now: start) != nil }
        // Each takes 1,256 bytes: a full older half, and a younger one that is being filled.
        #expect((8...17).contains(kept))
        #expect(cache.record(at: SessionHash(hashing: "99"), now: start) != nil)
    }
}
