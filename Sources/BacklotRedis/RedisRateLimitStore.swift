public import Backlot
public import Logging

/// The buckets of rate limits on a server of Redis or Valkey, which several replicas share.
///
/// ```swift
/// let limits = try RedisRateLimitStore(RedisAddress("redis://10.0.0.5"))
/// router.use(RateLimit(.perMinute(60), store: limits))
/// ```
/// Redis provides the time. A bucket that has filled up again is deleted there.
public final class RedisRateLimitStore: RateLimitStore {
    /// KEYS[1]: the bucket, a moment in microseconds. ARGV: the time from one token to the next, and the time that the moment may
    /// be ahead of now before the bucket is empty. It returns the time to wait, in microseconds.
    private static let script = """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        local used = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
        local wait = used - now - tonumber(ARGV[2])
        if wait > 0 then return wait end
        used = used + tonumber(ARGV[1])
        redis.call('SET', KEYS[1], string.format('%.0f', used), 'PX', string.format('%.0f', math.ceil((used - now) / 1000)))
        return 0
        """

    private let pipeline: RedisPipeline
    private let prefix: String

    /// Creates a store and begins to connect. The server may start later.
    ///
    /// - Parameters:
    ///   - address: the address of the server.
    ///   - trust: the servers that are trusted over TLS, for `rediss://`.
    ///   - prefix: the prefix of every key in Redis.
    ///   - timeout: the longest time for connecting, and for a reply. While the server is away, a request may wait twice as long.
    ///   - logger: logs when the server is away, and when it is back.
    public init(
        _ address: RedisAddress,
        trusting trust: ServerTrust = .system,
        prefix: String = "backlot:rate:",
        timeout: Duration = .milliseconds(200),
        logger: Logger = Logger(label: "backlot.limits")
    ) {
        self.prefix = prefix
        pipeline = RedisPipeline(address, trusting: trust, timeout: timeout, logger: logger)
    }

    /// Takes a token from a client's bucket.
    public func take(_ key: String, _ rate: RateLimit.Rate) async throws -> Duration? {
        let interval = max(1, Int(rate.interval / .microseconds(1)))
        let command = RedisCommand("EVAL", Self.script, 1, prefix + key, interval, interval * (rate.burst - 1))
        let reply = try await pipeline.reply(to: command)
        guard let wait = reply.integer else { throw RedisError.unexpected("\(reply)") }
        return wait > 0 ? .microseconds(wait) : nil
    }
}
