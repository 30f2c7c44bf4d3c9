import Backlot
import BacklotPostgreSQL
import Floki

/// The numbers of streams, which never change in a database.
final class StreamNumbers: Sendable {
    private let database: PostgreSQLDatabase
    private let known = Locked<[FeedStream: Int]>([:])

    init(database: PostgreSQLDatabase) { self.database = database }

    /// The number of a stream; nil for one without entries.
    func number(of stream: FeedStream) async throws -> Int? {
        if let number = known.withLock({ $0[stream] }) { return number }
        guard !stream.feed.utf8.contains(0), !stream.language.utf8.contains(0) else { return nil }
        let sql = "SELECT number FROM floki_stream WHERE feed = $1 AND language = $2"
        let values: [SQLValue] = [.text(stream.feed), .text(stream.language)]
        let number = try await database.query(sql, values, .readOnly) { row -> Int in try row[0] }.first
        if let number { known.withLock { $0[stream] = number } }
        return number
    }

    /// Forgets them, for a database that may be another one.
    func forget() { known.withLock { $0 = [:] } }
}
