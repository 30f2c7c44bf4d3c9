public import Logging

/// Limits how often each client may ask, as a bucket of tokens that is filled at a steady rate:
/// `router.use(RateLimit(.perMinute(60)))`, or for what is costly or guessed at,
/// `router.with(RateLimit(.perMinute(5))).post("/log-in") { … }`.
///
/// A request that finds its bucket empty is answered with 429 (RFC 6585, section 4) and `Retry-After`. By default each
/// client address has a bucket (behind a proxy that is trusted, the address that it names), and an IPv6 address counts
/// by its first 64 bits.
///
/// Buckets are kept in memory, in a table of a fixed size: when there are more clients, those go first that have used
/// least. With a store, replicas share them.
public struct RateLimit: Middleware {
    /// How fast a bucket is filled, and how much it holds.
    public struct Rate: Sendable, Equatable {
        /// How many requests may come at once.
        public let burst: Int
        /// The time from one token to the next.
        public let interval: Duration

        /// So many requests in each period.
        ///
        /// - Parameter burst: how many may come at once; nil for as many as in a period.
        public init(_ count: Int, per period: Duration, burst: Int? = nil) {
            precondition(count >= 1, "a rate must be at least 1, but is \(count)")
            precondition(period >= .milliseconds(1), "the period must be at least 1 ms, but is \(period)")
            precondition(burst ?? 1 >= 1, "burst must be at least 1, but is \(burst ?? 0)")
            self.burst = burst ?? count
            interval = period / count
            precondition(interval >= .microseconds(1), "a rate must be at most 1,000,000 a second")
            precondition(interval * self.burst <= .days(366), "a bucket must be filled within a year")
        }

        /// So many requests in each second.
        public static func perSecond(_ count: Int, burst: Int? = nil) -> Rate {
            Rate(count, per: .seconds(1), burst: burst)
        }

        /// So many requests in each minute.
        public static func perMinute(_ count: Int, burst: Int? = nil) -> Rate {
            Rate(count, per: .seconds(60), burst: burst)
        }

        /// So many requests in each hour.
        public static func perHour(_ count: Int, burst: Int? = nil) -> Rate {
            Rate(count, per: .seconds(3600), burst: burst)
        }
    }

    private let rate: Rate
    private let name: String
    private let key: (@Sendable (Request) -> String?)?
    private let buckets: RateBuckets
    private let store: (any RateLimitStore)?
    private let logger: Logger
    private let warning = Locked<ContinuousClock.Instant?>(nil)

    /// A limit of its own: two of them count apart.
    ///
    /// - Parameters:
    ///   - rate: how many requests each client may make.
    ///   - key: names the client of a request, such as by its user or its token; nil for a request that isn't limited.
    ///     By default it is the client's address.
    ///   - clients: how many buckets there are in memory, at 16 bytes each; it is rounded up to a power of two.
    ///   - store: where replicas share the buckets; nil for memory. While the store can't be reached, those in memory
    ///     count.
    ///   - name: tells limits apart that share a store.
    ///   - logger: notes that the store can't be reached.
    public init(
        _ rate: Rate,
        by key: (@Sendable (Request) -> String?)? = nil,
        clients: Int = 65_536,
        store: (any RateLimitStore)? = nil,
        name: String = "requests",
        logger: Logger = Logger(label: "backlot.limits")
    ) {
        precondition((1...(1 << 28)).contains(clients), "clients must be 1 to 268,435,456, but is \(clients)")
        self.rate = rate
        self.key = key
        self.store = store
        self.name = name
        self.logger = logger
        buckets = RateBuckets(count: clients)
    }

    /// Hands the request on, if its client's bucket has a token.
    ///
    /// - Throws: `StatusError` with 429 where it has none; what `next` throws.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        let client: String
        if let key {
            guard let text = key(request) else { return try next.respond(to: request) }
            client = text
        } else if store == nil {
            // No text is made of the address.
            try refuse(waiting: buckets.take(request.clientAddress.clientKey, rate))
            return try next.respond(to: request)
        } else {
            client = request.clientAddress.clientKey.map { "\($0)" }.joined(separator: ".")
        }
        guard let store else {
            try refuse(waiting: buckets.take(client, rate))
            return try next.respond(to: request)
        }
        return .pending {
            try refuse(waiting: await take(client, from: store))
            return try await next(request)
        }
    }

    private func take(_ client: String, from store: any RateLimitStore) async -> Duration? {
        do {
            return try await store.take("\(name):\(client)", rate)
        } catch {
            let isDue = warning.withLock { last in
                if let last, last + .seconds(60) > .now { return false }
                last = .now
                return true
            }
            if isDue { logger.warning("the store of rate limits failed, so each replica counts for itself: \(error)") }
            return buckets.take(client, rate)
        }
    }

    private func refuse(waiting wait: Duration?) throws(StatusError) {
        guard let wait else { return }
        let seconds = max(1, wait.roundedUpSeconds)
        throw StatusError(
            .tooManyRequests,
            "there were too many requests: try again in \(seconds) s",
            headers: [.retryAfter: "\(seconds)"]
        )
    }
}

/// Where replicas share the buckets of a `RateLimit`.
public protocol RateLimitStore: Sendable {
    /// Takes a token from a client's bucket.
    ///
    /// - Parameter key: names the limit and the client.
    /// - Returns: nil where there was one; otherwise how long it takes until there is one.
    /// - Throws: where the store can't be reached.
    func take(_ key: String, _ rate: RateLimit.Rate) async throws -> Duration?
}

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
