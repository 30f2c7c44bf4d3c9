public import Backlot

/// The reason why a statement for a PostgreSQL server failed. No message has values of a statement, or a password.
public enum PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no connection to it.
    case away(String)
    /// It took too long. The statement may have been carried out.
    case timeout
    /// The connection ended. The statement may have been carried out.
    case closed(String)
    /// It refused, with the five characters of an SQLSTATE (PostgreSQL's documentation, appendix A).
    case refused(state: String, message: String)
    /// Its tables are of a later version of this program: those that this program doesn't know.
    case laterVersion(tables: String, stored: Int, known: Int)
    /// Its result doesn't fit the statement.
    case unexpected(String)

    /// What happened, and what to do about it.
    public var description: String {
        switch self {
        case .away(let reason): "there is no connection to PostgreSQL: \(reason)"
        case .timeout: "PostgreSQL took too long"
        case .closed(let reason): "the connection to PostgreSQL ended: \(reason)"
        case .refused(let state, let message): "PostgreSQL refused (\(state)): \(message)\(Self.advice(state))"
        case .laterVersion(let tables, let stored, let known):
            "the tables of \(tables) are of version \(stored), and this program knows \(known): start the newer program, or name another database"
        case .unexpected(let text): "PostgreSQL answered something unexpected: \(text)"
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

    /// Whether it may work later, without another program or request.
    var isPassing: Bool {
        switch self {
        case .away, .timeout, .closed, .laterVersion: true
        case .unexpected: false
        case .refused(let state, _):
            // Resources, intervention by an operator, the system, rights, read-only, conflicts that were repeated in vain.
            ["53", "57", "58", "28", "40"].contains { state.hasPrefix($0) } || ["42501", "25006"].contains(state)
        }
    }

    /// Whether the connection is of no use any more, while a new one perhaps is: the server is now one that only follows,
    /// or its tables have changed below a prepared statement.
    var spoilsConnection: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["25006", "0A000", "26000"].contains(state)
    }

    /// Whether the same transaction may succeed when it is repeated.
    var isConflict: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["40001", "40P01"].contains(state)
    }
}

extension PostgreSQLError: HTTPError {
    /// 503 while the server is away, full or can't be written to; 500 for a statement that is wrong.
    public var status: HTTPResponse.Status { isPassing ? .serviceUnavailable : .internalServerError }
    /// Nothing: the log says what is wrong.
    public var reason: String { "" }
    /// `Retry-After` with 503 (RFC 9110, section 10.2.3).
    public var headers: HTTPFields { isPassing ? [.retryAfter: "5"] : [:] }
}

extension PostgreSQLError: ServerFailure {
    package var isAway: Bool {
        if case .away = self { true } else { false }
    }
}
