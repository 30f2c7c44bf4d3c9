public import Backlot
public import Logging

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps the answers of `Idempotency` on a server of Redis or Valkey, which several replicas share.
///
/// ```swift
/// let responses = try RedisIdempotencyStore(RedisAddress("redis://10.0.0.5"))
/// router.use(Idempotency(store: responses))
/// ```
/// While the server is away, requests with a key fail, which is answered with 500: without it nobody can tell whether
/// they were applied. An answer that can't be kept is tried again until `lease` is over. A request whose replica has crashed may
/// begin again after `lease`.
public final class RedisIdempotencyStore: IdempotencyStore {
    /// What stands under a key.
    private struct Entry: Codable {
        let fingerprint: String
        var isDone = false
        var response: KeptResponse?
        /// What is stored keeps its key.
        private enum CodingKeys: String, CodingKey { case fingerprint, isDone, response = "answer" }
    }

    /// Sets KEYS[1] unless it is there, and returns what is.
    private static let script = """
        if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
        return redis.call('GET', KEYS[1])
        """

    private let pipeline: RedisPipeline
    private let prefix: String
    private let lease: Duration
    private let begun = Locked<[String: String]>([:])
    private let logger: Logger
    /// About how many bytes of answers wait for the server to be back.
    private let waiting = Locked(0)
    private static let mostWaiting = 16 * 1024 * 1024

    /// Makes a store and begins to connect. The server may start later.
    ///
    /// - Parameters:
    ///   - address: where the server is.
    ///   - trust: the servers that are trusted over TLS, for `rediss://`.
    ///   - prefix: the beginning of every key in Redis.
    ///   - lease: how long a request may be under way before it may begin again: longer than any handler takes.
    ///   - timeout: how long connecting may take, and a reply.
    ///   - logger: notes that the server is away, and back.
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

    /// Begins a request under an id, unless there is one.
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

    /// Keeps the answer to a request that was begun. While the server is away, it is tried again in the background, so that the
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
            // Without its answer, a request is still known to have been carried out.
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

    /// Forgets a request that was begun.
    public func abandon(_ id: String) async throws {
        guard begun.withLock({ $0.removeValue(forKey: id) }) != nil else { return }
        _ = try await pipeline.reply(to: RedisCommand("DEL", prefix + id))
    }

    private static func encode(_ entry: Entry) throws -> [UInt8] { Array(try JSONEncoder().encode(entry)) }

    private static func milliseconds(_ duration: Duration) -> Int { max(1, Int(duration / .milliseconds(1))) }
}
