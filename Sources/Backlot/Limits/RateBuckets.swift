/// Buckets of tokens in a table of a fixed size.
///
/// A bucket is a single moment, up to which its tokens are used up in advance (the generic cell rate algorithm, ITU-T
/// I.371): one in the past is a full bucket, which need not be kept. Each client has eight places where its bucket may
/// be. Where all are taken, the fullest bucket goes, which is the one of a client that has asked least.
final class RateBuckets: Sendable {
    /// A bucket: the hash of its client, and a moment in nanoseconds of the clock; 0 for none.
    private struct Bucket {
        var client: UInt64 = 0
        var usedUpTo: Int64 = 0
    }

    private static let ways = 8

    private let buckets: Locked<[Bucket]>
    private let start = ContinuousClock.now
    private let sets: Int

    /// - Parameter count: how many buckets there are, at least.
    init(count: Int) {
        var sets = 1
        while sets * Self.ways < count { sets *= 2 }
        self.sets = sets
        buckets = Locked(Array(repeating: Bucket(), count: sets * Self.ways))
    }

    /// How many bytes the table takes.
    var size: Int { sets * Self.ways * MemoryLayout<Bucket>.stride }

    /// Takes a token; otherwise as `RateLimitStore.take`.
    func take(_ client: some Hashable, _ rate: RateLimit.Rate, at now: ContinuousClock.Instant = .now) -> Duration? {
        // Hashes have a random seed: nobody can find clients that share places.
        let hash = UInt64(truncatingIfNeeded: client.hashValue)
        let first = Int(truncatingIfNeeded: hash % UInt64(sets)) * Self.ways
        let interval = Int64(rate.interval / .nanoseconds(1))
        let room = interval * Int64(rate.burst - 1)
        let time = Int64(start.duration(to: now) / .nanoseconds(1))
        let wait = buckets.withLock { buckets in
            var place = first
            for index in first..<(first + Self.ways) {
                if buckets[index].client == hash {
                    place = index
                    break
                }
                if buckets[index].usedUpTo < buckets[place].usedUpTo { place = index }
            }
            let used = buckets[place].client == hash ? max(buckets[place].usedUpTo, time) : time
            guard used - time <= room else { return used - time - room }
            buckets[place] = Bucket(client: hash, usedUpTo: used + interval)
            return Int64(0)
        }
        return wait > 0 ? .nanoseconds(wait) : nil
    }
}
