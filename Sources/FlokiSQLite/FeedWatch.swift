import Backlot
import BacklotDatabase
import Dispatch
import Floki
import Logging

/// Looks for changes of a file, made by this process or another, and reports them to the journal.
///
/// SQLite has no notices. So a read-only connection asks it for a number that changes with each commit of another connection
/// (`PRAGMA data_version`), which takes some microseconds. It asks every 50 ms while somebody waits for events, or if somebody
/// has requested a revision in the last half minute. Otherwise it never asks.
final class FeedWatch: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(50)
    /// The time to watch the file after a request.
    private static let attention = Duration.seconds(30)
    /// The greatest age of known values (see ``FeedStore/revision(of:)``).
    private static let patience = Duration.milliseconds(1900)

    private struct State {
        /// The number of the last seen commit.
        var version: Int64?
        /// The last seen row of the log.
        var row: Int64 = 0
        var hasFailed = false
    }

    private struct Times {
        var isWatching = false
        var isClosed = false
        /// The time when the last look at the file began.
        var looked: ContinuousClock.Instant?
        var asked = ContinuousClock.now
    }

    let journal = FeedJournal()
    private let readers: DatabaseReaders
    private let queue = DispatchQueue(label: "backlot.floki.watch", qos: .utility)
    private let state = Locked(State())
    private let times = Locked(Times())
    private let logger: Logger

    /// Begins with the current state of the file.
    init(_ path: String, logger: Logger) throws {
        readers = try DatabaseReaders(path, label: "backlot.floki.watch", count: 1)
        self.logger = logger
        try look()
    }

    /// A revision or version of the journal; nil while it is unknown.
    func known(_ read: (FeedJournal) -> Int?) -> Int? {
        let now = ContinuousClock.now
        let isKnown = times.withLock { times in
            times.asked = now
            return times.looked.map { now - $0 < Self.patience } ?? false
        }
        watch()
        return isKnown ? read(journal) : nil
    }

    /// The events from now on. Waits for one look at the file.
    func events() -> FeedEvents {
        queue.sync {
            tryToLook()
            defer { watch() }
            return journal.events()
        }
    }

    /// Records a change by this process, and reports it as soon as possible.
    func note(_ change: (inout JournalState) -> Void) {
        journal.note(change)
        // Without readers, the next request triggers a look at the file.
        if journal.hasReaders { queue.async { [weak self] in self?.tryToLook() } }
    }

    /// Stops looking, and closes the connection. Blocks until both are done.
    func close() {
        times.withLock { $0.isClosed = true }
        readers.close()
    }

    /// Begins to look, unless it already does.
    private func watch() {
        let isNew = times.withLock { times in
            defer { times.isWatching = true }
            return !times.isWatching && !times.isClosed
        }
        if isNew { queue.async { [weak self] in self?.goOn() } }
    }

    private func goOn() {
        tryToLook()
        let isWanted = journal.hasReaders
        let goesOn = times.withLock { times in
            times.isWatching = !times.isClosed && (isWanted || .now - times.asked < Self.attention)
            return times.isWatching
        }
        if goesOn { queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.goOn() } }
    }

    private func tryToLook() {
        guard !times.withLock({ $0.isClosed }) else { return }
        do {
            try look()
            state.withLock { $0.hasFailed = false }
        } catch {
            // The file was closed meanwhile.
            guard !times.withLock({ $0.isClosed }) else { return }
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst { logger.warning("looking for changes of the feeds fails, and is being repeated: \(error)") }
        }
    }

    /// Reports the changes since the last look.
    private func look() throws {
        let began = ContinuousClock.now
        try readers.read { database in
            let version: Int64? = try database.first("PRAGMA data_version") { $0[0] }
            let isSame = state.withLock { state in
                defer { state.version = version }
                return state.version == version
            }
            if !isSame {
                do {
                    try tell(database)
                } catch {
                    state.withLock { $0.version = nil }
                    throw error
                }
            }
        }
        times.withLock { $0.looked = began }
    }

    private func tell(_ database: Database) throws {
        let row = state.withLock { $0.row }
        let last: Int64 = try database.first("SELECT coalesce(max(number), 0) FROM change") { $0[0] } ?? 0
        // From now on, the connection reads one state of the file. A reader who comes later doesn't need its changes.
        if journal.hasReaders, last > row {
            var events = try database.all("SELECT name, forgotten FROM feed") { row in
                FeedEvent(feed: row[0], revision: row[1], kind: .missed)
            }
            let sql = """
                SELECT feed.name, change.revision, kind, id, language FROM change JOIN feed ON feed.number = change.feed
                WHERE change.number > ? ORDER BY change.number
                """
            let missed = Dictionary(uniqueKeysWithValues: events.map { ($0.feed, $0.revision) })
            try database.forEach(sql, [row]) { row in
                let event = FeedEvent(
                    feed: row[0],
                    revision: row[1],
                    kind: FeedEvent.Kind(rawValue: row[2]) ?? .missed,
                    id: row[3],
                    language: row[4]
                )
                if event.revision > missed[event.feed] ?? 0 { events.append(event) }
                return true
            }
            journal.tell(events)
        }
        let feeds = try database.all("SELECT name, revision FROM feed") { ($0[0] as String, $0[1] as Int) }
        let apps = try database.all("SELECT path, version FROM app") { ($0[0] as String, $0[1] as Int) }
        journal.note { journal in
            for (feed, revision) in feeds { journal.know(revision, of: feed) }
            for (app, version) in apps { journal.know(version: version, of: app) }
        }
        state.withLock { $0.row = last }
    }
}
