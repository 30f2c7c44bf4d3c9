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

    private enum Signal: Sendable {
        case connected, lost
        case notice(String)
    }

    /// Begins to listen.
    ///
    /// - Parameter onConnect: called for each connection: the database may be another one.
    init(_ database: PostgreSQLDatabase, _ journal: FeedJournal, onConnect: @escaping @Sendable () -> Void) {
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        let (beginning, begun) = AsyncStream.makeStream(of: Void.self)
        self.beginning = beginning
        listener = database.listen(
            to: Self.channel,
            onConnect: {
                onConnect()
                continuation.yield(.connected)
            },
            onNotice: { continuation.yield(.notice($0)) },
            onLoss: {
                // At once: earlier signals may still wait for the server.
                journal.setCurrent(false)
                continuation.yield(.lost)
            }
        )
        let log = ChangeLog(database: database, journal: journal)
        task = Task {
            for await signal in signals {
                do {
                    switch signal {
                    case .lost: journal.setCurrent(false)
                    case .connected:
                        try await log.catchUp()
                        journal.setCurrent(true)
                        begun.finish()
                    case .notice(let text): try await log.read(text)
                    }
                } catch {
                    // What was missed is read with the rest.
                    journal.setCurrent(false)
                    try? await Task.sleep(for: Self.pause)
                    continuation.yield(.connected)
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

    /// Reads what happened to any feed or app.
    func catchUp() async throws {
        for (feed, revision) in try await revisions() { try await read(feed, upTo: revision) }
        let sql = "SELECT path, version FROM floki_app"
        let apps = try await database.query(sql, [], .readOnly) { row -> (String, Int) in (try row[0], try row[1]) }
        for (path, version) in apps { journal.know(version, of: path) }
    }

    /// Reads what a notice is about: `feed REVISION NAME` or `app VERSION PATH`.
    func read(_ notice: String) async throws {
        let parts = notice.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let revision = Int(parts[1]) else { return }
        let name = String(parts[2])
        switch parts[0] {
        case "feed": try await read(name, upTo: revision)
        case "app": journal.know(revision, of: name)
        default: break
        }
    }

    private func read(_ feed: String, upTo revision: Int) async throws {
        journal.know(revision, of: feed)
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
