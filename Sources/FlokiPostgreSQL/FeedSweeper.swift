import Backlot
import BacklotPostgreSQL
import Logging

/// Marks entries that have ended, so that queries needn't skip them, and removes them later. One server at a time does so.
final class FeedSweeper: Sendable {
    /// The interval for marking entries that have ended.
    private static let marking = Duration.seconds(5)
    /// The number of entries to mark or remove at a time. Writers get their turn in between.
    private static let most = 1_000
    /// An ended entry still marks a place in its feed for this time, in seconds: clients that show it may request the entries
    /// after it.
    private static let grace = 60 * 60
    /// The number of the lock, common to all programs that sweep feeds.
    private static let lock = 7_096_021_466_219_153_670

    private let database: PostgreSQLDatabase

    init(_ database: PostgreSQLDatabase) { self.database = database }

    /// Sweeps repeatedly, until its task is cancelled.
    func run(every interval: Duration, clock: SessionClock, logger: Logger) async {
        var nextRemoval = ContinuousClock.now + interval
        var problem = ""
        while !Task.isCancelled {
            try? await Task.sleep(for: min(interval, Self.marking))
            do {
                try await mark(before: clock.secondsSince1970 - LateEntries.margin)
                guard ContinuousClock.now >= nextRemoval else { continue }
                nextRemoval = .now + interval
                problem = ""
                try await remove(before: clock.secondsSince1970 - Self.grace)
            } catch let error as PostgreSQLError where error.isAway {
                // The database logs it.
            } catch is CancellationError {
            } catch {
                if problem != "\(error)" { logger.warning("expired entries can't be removed: \(error)") }
                problem = "\(error)"
            }
        }
    }

    /// Marks the entries that ended before a time, in seconds since 1970, and returns their number.
    @discardableResult
    func mark(before time: Int) async throws -> Int {
        try await sweep(before: time, "NOT ended AND expires > 0") {
            """
            marked AS (
                UPDATE floki_entry AS e SET ended = true FROM due WHERE e.stream = due.stream AND e.id = due.id
                RETURNING e.stream, e.id, e.sort, e.tags
            ), retagged AS (
                UPDATE floki_tag AS t SET ended = true FROM marked CROSS JOIN unnest(marked.tags) AS name
                WHERE t.stream = marked.stream AND t.tag = name AND NOT t.ended AND t.sort = marked.sort AND t.id = marked.id
            )
            """
        }
    }

    /// Removes the marked entries that ended before a time, in seconds since 1970, and returns their number.
    @discardableResult
    func remove(before time: Int) async throws -> Int {
        try await sweep(before: time, "ended") {
            """
            removed AS (
                DELETE FROM floki_entry AS e USING due WHERE e.stream = due.stream AND e.id = due.id
                RETURNING e.stream, e.id, e.sort, e.tags
            ), untagged AS (
                DELETE FROM floki_tag AS t USING removed CROSS JOIN unnest(removed.tags) AS name
                WHERE t.stream = removed.stream AND t.tag = name AND t.ended AND t.sort = removed.sort AND t.id = removed.id
            )
            """
        }
    }

    private func sweep(before time: Int, _ condition: String, _ tables: () -> String) async throws -> Int {
        let condition = "\(condition) AND expires < $1"
        let find = """
            SELECT s.feed FROM (SELECT stream FROM floki_entry WHERE \(condition) ORDER BY expires LIMIT 1) AS e
            JOIN floki_stream AS s ON s.number = e.stream WHERE pg_try_advisory_xact_lock($2)
            """
        let sweep = """
            WITH due AS MATERIALIZED (
                SELECT stream, id FROM floki_entry
                WHERE \(condition) AND stream IN (SELECT number FROM floki_stream WHERE feed = $2)
                ORDER BY expires LIMIT \(Self.most)
            ), \(tables()) SELECT count(*) FROM due
            """
        var count = 0
        while true {
            let swept = try await database.transaction { connection -> Int in
                let feed = try connection.query(find, [.integer(time), .integer(Self.lock)]) { row -> String in
                    try row[0]
                }
                guard let feed = feed.first else { return 0 }
                // The feed's writers wait for this transaction, and it waits for them.
                try connection.run("SELECT FROM floki_feed WHERE name = $1 FOR UPDATE", [.text(feed)])
                return try connection.query(sweep, [.integer(time), .text(feed)]) { row -> Int in try row[0] }.first
                    ?? 0
            }
            count += swept
            guard swept > 0, !Task.isCancelled else { return count }
        }
    }
}
