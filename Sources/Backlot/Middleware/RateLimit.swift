public import Logging

/// Limits the rate of each client's requests with a token bucket that is filled at a steady rate:
/// `router.use(RateLimit(.perMinute(60)))`. For costly routes, and against guessing:
/// `router.with(RateLimit(.perMinute(5))).post("/log-in") { … }`.
///
/// A request that finds its bucket empty gets 429 (RFC 6585, section 4) and `Retry-After`. By default each client address has a
/// bucket. Behind a trusted proxy that is the address in its field. An IPv6 address counts by its first 64 bits.
///
/// Buckets are kept in memory, in a table of a fixed size. If there are more clients, those with the fewest requests are dropped
/// first. With a store, replicas share the buckets.
///
/// ```swift
/// router.use(RateLimit(.perMinute(300)))
/// router.with(RateLimit(.perMinute(5))).post("/log-in") { _ in "Welcome" }
/// ```
public struct RateLimit: Middleware {
    /// The fill rate and the capacity of a bucket.
    public struct Rate: Sendable, Equatable {
        /// The maximum number of requests at once.
        public let burst: Int
        /// The time from one token to the next.
        public let interval: Duration

        /// Creates a rate: a number of requests in each period.
        ///
        /// - Parameter burst: the maximum number of requests at once; nil for the number in a period.
        public init(_ count: Int, per period: Duration, burst: Int? = nil) {
            precondition(count >= 1, "a rate must be at least 1, but is \(count)")
            precondition(period >= .milliseconds(1), "the period must be at least 1 ms, but is \(period)")
            precondition(burst ?? 1 >= 1, "burst must be at least 1, but is \(burst ?? 0)")
            self.burst = burst ?? count
            interval = period / count
            precondition(interval >= .microseconds(1), "a rate must be at most 1,000,000 a second")
            precondition(interval * self.burst <= .days(366), "a bucket must be filled within a year")
        }

        /// A number of requests in each second.
        public static func perSecond(_ count: Int, burst: Int? = nil) -> Rate {
            Rate(count, per: .seconds(1), burst: burst)
        }

        /// A number of requests in each minute.
        public static func perMinute(_ count: Int, burst: Int? = nil) -> Rate {
            Rate(count, per: .seconds(60), burst: burst)
        }

        /// A number of requests in each hour.
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

    /// Creates a separate limit: two limits count independently.
    ///
    /// - Parameters:
    ///   - rate: the rate of each client's requests.
    ///   - key: identifies the client of a request, for example by its user or token; nil for a request without a limit. By default
    ///     it is the client's address.
    ///   - clients: the number of buckets in memory, at 16 bytes each, rounded up to a power of two.
    ///   - store: the store with the buckets that replicas share; nil for memory. While the store is unreachable, the buckets in
    ///     memory apply.
    ///   - name: separates limits that share a store.
    ///   - logger: logs that the store is unreachable.
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

    /// Passes the request on, if its client's bucket has a token.
    ///
    /// - Throws: `StatusError` with 429 if the bucket is empty; the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        let client: String
        if let key {
            guard let text = key(request) else { return try next.respond(to: request) }
            client = text
        } else if store == nil {
            // This avoids making a text from the address.
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

/// A store for the buckets of a `RateLimit` that replicas share.
public protocol RateLimitStore: Sendable {
    /// Takes a token from a client's bucket.
    ///
    /// - Parameter key: identifies the limit and the client.
    /// - Returns: nil if it had one; otherwise the time until the next one.
    /// - Throws: if the store is unreachable.
    func take(_ key: String, _ rate: RateLimit.Rate) async throws -> Duration?
}

/// Token buckets in a table of a fixed size.
///
/// A bucket is a single moment: the time until which its tokens are used up (the generic cell rate algorithm, ITU-T I.371). A
/// moment in the past is a full bucket, which need not be kept. Each client has eight possible places for its bucket. If all are
/// taken, the fullest bucket is dropped: its client has made the fewest requests.
final class RateBuckets: Sendable {
    /// A bucket: the hash of its client, and a moment in nanoseconds of the clock; 0 if empty.
    private struct Bucket {
        var client: UInt64 = 0
        var usedUpTo: Int64 = 0
    }

    private static let ways = 8

    private let buckets: Locked<[Bucket]>
    private let start = ContinuousClock.now
    private let sets: Int

    /// - Parameter count: the minimum number of buckets.
    init(count: Int) {
        var sets = 1
        while sets * Self.ways < count { sets *= 2 }
        self.sets = sets
        buckets = Locked(Array(repeating: Bucket(), count: sets * Self.ways))
    }

    /// The size of the table in bytes.
    var size: Int { sets * Self.ways * MemoryLayout<Bucket>.stride }

    /// Takes a token, like `RateLimitStore.take`.
    func take(_ client: some Hashable, _ rate: RateLimit.Rate, at now: ContinuousClock.Instant = .now) -> Duration? {
        // Hashes have a random seed, so that attackers can't find clients that share places.
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
