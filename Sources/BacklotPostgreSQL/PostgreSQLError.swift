public import Backlot

/// The reason why a statement for a PostgreSQL server failed. Messages never contain values of a statement or a password.
public enum PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The server can't be reached.
    case away(String)
    /// It took too long. The server may have executed the statement.
    case timeout
    /// The connection ended. The server may have executed the statement.
    case closed(String)
    /// The server refused the statement, with the five characters of an SQLSTATE (PostgreSQL's documentation, appendix A).
    case refused(state: String, message: String)
    /// The tables are of a later version of this program, which this one doesn't know.
    case laterVersion(tables: String, stored: Int, known: Int)
    /// The result doesn't fit the statement.
    case unexpected(String)

    /// The error, and how to fix it.
    public var description: String {
        switch self {
        case .away(let reason): "there is no connection to PostgreSQL: \(reason)"
        case .timeout: "PostgreSQL took too long"
        case .closed(let reason): "the connection to PostgreSQL ended: \(reason)"
        case .refused(let state, let message): "PostgreSQL refused (\(state)): \(message)\(Self.advice(state))"
        case .laterVersion(let tables, let stored, let known):
            "the tables of \(tables) are of version \(stored), and this program knows \(known): start the newer program, or name another database"
        case .unexpected(let text): "PostgreSQL sent an unexpected result: \(text)"
        }
    }

    private static func advice(_ state: String) -> String {
        switch state {
        case "42501": ": grant the role what is missing, or let one that may create tables start once"
        case "25006": ": name the primary server, or several hosts and target_session_attrs=read-write"
        case "53100": ": make room on the server's disk"
        case "53300": ": raise the server's max_connections, or use fewer connections"
        default: ""
        }
    }

    /// Whether the same request of the same program may work later.
    var isPassing: Bool {
        switch self {
        case .away, .timeout, .closed, .laterVersion: true
        case .unexpected: false
        case .refused(let state, _):
            // Resources, intervention by an operator, the system, rights, read-only, and conflicts after all attempts.
            ["53", "57", "58", "28", "40"].contains { state.hasPrefix($0) } || ["42501", "25006"].contains(state)
        }
    }

    /// Whether the connection is useless, although a new one perhaps works: the server has become a follower, or its tables have
    /// changed under a prepared statement.
    var spoilsConnection: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["25006", "0A000", "26000"].contains(state)
    }

    /// Whether the same transaction may succeed if it is repeated.
    var isConflict: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["40001", "40P01"].contains(state)
    }
}

extension PostgreSQLError: HTTPError {
    /// 503 while the server is away, full or can't be written to; 500 for a wrong statement.
    public var status: HTTPResponse.Status { isPassing ? .serviceUnavailable : .internalServerError }
    /// Empty: the log has the reason.
    public var reason: String { "" }
    /// `Retry-After` with 503 (RFC 9110, section 10.2.3).
    public var headers: HTTPFields { isPassing ? [.retryAfter: "5"] : [:] }
}

extension PostgreSQLError: ServerFailure {
    package var isAway: Bool {
        if case .away = self { true } else { false }
    }
}
