import Backlot
import BacklotPostgreSQL
import Floki

/// Tells a journal what any server has changed.
///
/// Each transaction that changes a feed notifies the others of its revision (`NOTIFY`). What has changed is read from the log of changes, if
/// anybody waits for it; after a lost connection, what was missed as well.
final class FeedFollower: Sendable {
    static let channel = "floki"
    /// How long the first connection is waited for.
    private static let patience = Duration.seconds(2)
    /// How long it waits after the server has refused to say what has changed.
    private static let pause = Duration.milliseconds(500)

    private let listener: PostgreSQLListener
    private let task: Task<Void, Never>
    private let beginning: AsyncStream<Void>

    /// Begins to listen.
    ///
    /// - Parameter onConnect: called for each connection: the database may be another one.
    init(_ database: PostgreSQLDatabase, _ journal: FeedJournal, onConnect: @escaping @Sendable () -> Void) {
        // One signal stands for any number of notices.
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (beginning, begun) = AsyncStream.makeStream(of: Void.self)
        let state = Locked(FollowerState())
        self.beginning = beginning
        listener = database.listen(
            to: Self.channel,
            onConnect: {
                onConnect()
                state.withLock { $0.connect() }
                continuation.yield()
            },
            onNotice: { text in
                guard let notice = Notice(text) else { return }
                // At once: the task may still wait for the server.
                journal.know(notice.revision, of: notice.name)
                guard notice.isOfFeed else { return }
                state.withLock { $0.note(notice.revision, of: notice.name) }
                continuation.yield()
            },
            onLoss: {
                state.withLock { state in
                    state.disconnect()
                    journal.setCurrent(false)
                }
            }
        )
        let log = ChangeLog(database: database, journal: journal)
        task = Task {
            for await _ in signals {
                var work = state.withLock { $0.takeWork() }
                do {
                    if let connection = work.connection {
                        work.feeds.merge(try await log.catchUp()) { max($0, $1) }
                        work.connection = nil
                        state.withLock { state in
                            if state.isConnected(connection) { journal.setCurrent(true) }
                        }
                        begun.finish()
                    }
                    for (feed, revision) in work.feeds {
                        try await log.read(feed, upTo: revision)
                        work.feeds[feed] = nil
                    }
                } catch {
                    state.withLock { $0.putBack(work) }
                    try? await Task.sleep(for: Self.pause)
                    continuation.yield()
                }
            }
        }
    }

    deinit { task.cancel() }

    /// Waits until changes are heard of, for two seconds at most.
    func waitUntilCurrent() async {
        let beginning = beginning
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in beginning {} }
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// What a transaction tells other servers: `feed REVISION NAME` or `app VERSION PATH`.
private struct Notice {
    let isOfFeed: Bool
    let revision: Int
    let name: String

    /// - Returns: nil for what other programs have sent.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, ["feed", "app"].contains(parts[0]), let revision = Int(parts[1]) else { return nil }
        isOfFeed = parts[0] == "feed"
        self.revision = revision
        name = String(parts[2])
    }
}

/// The log of changes in the database.
struct ChangeLog: Sendable {
    let database: PostgreSQLDatabase
    let journal: FeedJournal

    /// The revisions of all feeds.
    func revisions() async throws -> [String: Int] {
        let sql = "SELECT name, revision FROM floki_feed"
        let rows = try await database.query(sql, [], .readOnly) { row -> (String, Int) in (try row[0], try row[1]) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Reads the revisions of all feeds, which are returned, and the versions of all apps. They may be lower than those that were known:
    /// after a failover to a server that hasn't got the last changes, or when a backup was restored.
    func catchUp() async throws -> [String: Int] {
        journal.forget()
        let feeds = try await revisions()
        let sql = "SELECT path, version FROM floki_app"
        let apps = try await database.query(sql, [], .readOnly) { row -> (String, Int) in (try row[0], try row[1]) }
        journal.resume(with: feeds.merging(apps) { feed, _ in feed })
        return feeds
    }

    /// Reads the changes of a feed.
    func read(_ feed: String, upTo revision: Int) async throws {
        let told = journal.toldRevision(of: feed)
        guard revision > told else { return }
        guard journal.hasReaders else { return journal.begin(with: [feed: revision]) }
        let most = FeedSchema.mostChanges
        let sql = """
            SELECT revision, kind, id, language FROM floki_change WHERE feed = $1 AND revision > $2
            ORDER BY revision, number LIMIT \(most + 1)
            """
        let events = try await database.query(sql, [.text(feed), .integer(told)], .readOnly) { row in
            let kind: String = try row[1]
            return FeedEvent(
                feed: feed,
                revision: try row[0],
                kind: FeedEvent.Kind(rawValue: kind) ?? .missed,
                id: try row[2],
                language: try row[3]
            )
        }
        // Each revision has changes, unless they are forgotten.
        let revisions = [told] + events.map(\.revision)
        if events.count <= most, zip(revisions, revisions.dropFirst()).allSatisfy({ $1 <= $0 + 1 }), !events.isEmpty {
            journal.tell(events)
        } else {
            journal.tell([FeedEvent(feed: feed, revision: max(revision, events.last?.revision ?? 0), kind: .missed)])
        }
    }
}
