public import Backlot
import BacklotPostgreSQL
public import Floki

extension FeedStoreKind {
    /// In a database of PostgreSQL, which several servers share: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    public static var postgreSQL: FeedStoreKind { postgreSQL(configurations: [:]) }

    /// In a database of PostgreSQL.
    ///
    /// - Parameter configurations: PostgreSQL's text search configurations for languages, such as `["en": "english"]`.
    public static func postgreSQL(configurations: [String: String]) -> FeedStoreKind {
        inPostgreSQL { PostgreSQLFeedStore($0, configurations: configurations, logger: $1) }
    }
}
