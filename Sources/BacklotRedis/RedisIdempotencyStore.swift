public import Backlot
public import Logging

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps the responses of `Idempotency` on a server of Redis or Valkey, which several replicas share.
///
/// ```swift
/// let responses = try RedisIdempotencyStore(RedisAddress("redis://10.0.0.5"))
/// router.use(Idempotency(store: responses))
/// ```
/// While the server is away, requests with a key fail with a 500: without the server, nobody can tell whether they were applied.
/// If a response can't be kept, the store tries again until `lease` is over. If the replica of a request crashes, the request may
/// begin again after `lease`.
public final class RedisIdempotencyStore: IdempotencyStore {
    /// The value of a key.
    private struct Entry: Codable {
        let fingerprint: String
        var isDone = false
        var response: KeptResponse?
        /// Stored data keeps its old key.
        private enum CodingKeys: String, CodingKey { case fingerprint, isDone, response = "answer" }
    }

    /// Sets KEYS[1] unless it exists, and returns the existing value.
    private static let script = """
        if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
        return redis.call('GET', KEYS[1])
        """

    private let pipeline: RedisPipeline
    private let prefix: String
    private let lease: Duration
    private let begun = Locked<[String: String]>([:])
    private let logger: Logger
    /// The approximate number of bytes of responses that wait for the server to be back.
    private let waiting = Locked(0)
    private static let mostWaiting = 16 * 1024 * 1024

    /// Creates a store and begins to connect. The server may start later.
    ///
    /// - Parameters:
    ///   - address: the address of the server.
    ///   - trust: the servers that are trusted over TLS, for `rediss://`.
    ///   - prefix: the prefix of every key in Redis.
    ///   - lease: an unfinished request may begin again when it is this old. Choose a longer time than any handler takes.
    ///   - timeout: the longest time for connecting, and for a reply.
    ///   - logger: logs when the server is away, and when it is back.
    public init(
        _ address: RedisAddress,
        trusting trust: ServerTrust = .system,
        prefix: String = "backlot:once:",
        lease: Duration = .seconds(300),
        timeout: Duration = .seconds(1),
        logger: Logger = Logger(label: "backlot.idempotency")
    ) {
        precondition(lease >= .milliseconds(1), "lease must be at least 1 ms, but is \(lease)")
        self.prefix = prefix
        self.lease = lease
        self.logger = logger
        pipeline = RedisPipeline(address, trusting: trust, timeout: timeout, logger: logger)
    }

    /// Begins a request with an id, unless it has already begun.
    public func begin(_ id: String, fingerprint: String, lifetime: Duration) async throws -> IdempotencyState {
        let new = try Self.encode(Entry(fingerprint: fingerprint))
        let time = Self.milliseconds(min(lease, lifetime))
        let command = RedisCommand("EVAL", Self.script, 1, prefix + id, new, time)
        guard let bytes = try await pipeline.reply(to: command).bytes else {
            begun.withLock { $0[id] = fingerprint }
            return .begun
        }
        let entry = try JSONDecoder().decode(Entry.self, from: Data(bytes))
        return entry.isDone
            ? .done(fingerprint: entry.fingerprint, entry.response) : .underWay(fingerprint: entry.fingerprint)
    }

    /// Keeps the response to a begun request. While the server is away, the store tries again in the background, so that the
    /// client needn't wait.
    public func finish(_ id: String, with response: KeptResponse?, lifetime: Duration) async throws {
        guard let fingerprint = begun.withLock({ $0.removeValue(forKey: id) }) else { return }
        do {
            try await keep(Entry(fingerprint: fingerprint, isDone: true, response: response), id, lifetime)
        } catch {
            let size = response?.size ?? 0
            let isLate = waiting.withLock { waiting in
                guard waiting + size <= Self.mostWaiting else { return false }
                waiting += size
                return true
            }
            // Even without its response, a request is known to have been carried out.
            let entry = Entry(fingerprint: fingerprint, isDone: true, response: isLate ? response : nil)
            Task {
                await retry(entry, id, lifetime)
                if isLate { waiting.withLock { $0 -= size } }
            }
        }
    }

    private func keep(_ entry: Entry, _ id: String, _ lifetime: Duration) async throws {
        let command = RedisCommand("SET", prefix + id, try Self.encode(entry), "PX", Self.milliseconds(lifetime))
        _ = try await pipeline.reply(to: command)
    }

    private func retry(_ entry: Entry, _ id: String, _ lifetime: Duration) async {
        let end = ContinuousClock.now + lease
        var pause = Duration.milliseconds(100)
        while ContinuousClock.now < end {
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
            do { return try await keep(entry, id, lifetime) } catch { continue }
        }
        logger.error("a response couldn't be kept: its request may be carried out again")
    }

    /// Forgets a begun request.
    public func abandon(_ id: String) async throws {
        guard begun.withLock({ $0.removeValue(forKey: id) }) != nil else { return }
        _ = try await pipeline.reply(to: RedisCommand("DEL", prefix + id))
    }

    private static func encode(_ entry: Entry) throws -> [UInt8] { Array(try JSONEncoder().encode(entry)) }

    private static func milliseconds(_ duration: Duration) -> Int { max(1, Int(duration / .milliseconds(1))) }
}
