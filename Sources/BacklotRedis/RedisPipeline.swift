internal import Backlot
internal import Logging

/// Sends commands to a Redis server. Commands of the same moment are sent and return together, over one connection, on a separate
/// thread.
final class RedisPipeline: Sendable {
    private struct Item: Sendable {
        let command: RedisCommand
        let finish: @Sendable (Result<RedisReply, any Error>) -> Void
    }

    /// The maximum number of commands that are sent together.
    private static let batch = 256

    /// Creates another connection, for one thread only. It may block.
    let connect: @Sendable () throws(RedisError) -> RedisConnection
    private let link: ServerLink<RedisConnection>
    private let queue: BatchQueue<Item>

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - trust: the servers that are trusted over TLS.
    ///   - timeout: the longest time for connecting, and for a reply.
    init(_ address: RedisAddress, trusting trust: ServerTrust, timeout: Duration, logger: Logger) {
        precondition(timeout >= .milliseconds(1), "timeout must be at least 1 ms, but is \(timeout)")
        let connector = TLSConnector.trusting(trust)
        let connect = { @Sendable () throws(RedisError) in
            try RedisConnection(to: address, over: connector, timeout: timeout)
        }
        self.connect = connect
        let link = ServerLink(
            "\(address)",
            label: "backlot.redis.connect",
            timeout: timeout,
            logger: logger,
            connect: connect
        )
        self.link = link
        queue = BatchQueue(label: "backlot.redis", most: Self.batch) { Self.run($0, over: link, timeout: timeout) }
    }

    deinit {
        link.close()
    }

    /// Sends a command, and waits for the reply.
    ///
    /// - Throws: `RedisError`.
    func reply(to command: RedisCommand) async throws -> RedisReply {
        let reply = try await withCheckedThrowingContinuation { continuation in
            queue.submit(Item(command: command) { continuation.resume(with: $0) })
        }
        if case .error(let text) = reply { throw RedisError.refused(text) }
        return reply
    }

    private static func run(_ items: [Item], over link: ServerLink<RedisConnection>, timeout: Duration) {
        let connection: RedisConnection
        do throws(RedisError) {
            connection = try link.borrow()
        } catch {
            for item in items { item.finish(.failure(error)) }
            return
        }
        let outcome = connection.exchange(items.map(\.command), until: .now + timeout)
        if let failure = outcome.failure {
            link.drop(connection, failure)
        } else if outcome.replies.contains(where: \.saysServerIsUnfit) {
            link.drop(connection, .refused("it is not fit to work now"))
        } else {
            link.giveBack(connection)
        }
        for (item, reply) in zip(items, outcome.replies) { item.finish(.success(reply)) }
        for item in items[outcome.replies.count...] { item.finish(.failure(outcome.failure ?? .timeout)) }
    }
}
