/// Statements that save, of the same moment: each is a transaction, and all wait for the server's disk once.
///
/// They are committed without waiting. A further transaction then waits until the disk has all that was committed before it, and
/// only after it do the callers hear of theirs.
struct CommitGroup {
    private static let off = SQLStatement("SET synchronous_commit = off")
    private static let on = SQLStatement("SET synchronous_commit = on")
    /// Writes something itself: the server wouldn't wait for a transaction that has written nothing.
    private static let wait = SQLStatement("SELECT pg_logical_emit_message(true, 'backlot', '')")

    private let alone: [PendingQuery]
    private let together: [PendingQuery]

    /// Those of the items that may share their wait do, if there are several.
    init(_ items: [PendingQuery]) {
        let shared = items.count { $0.isGrouped } > 1
        alone = items.filter { !shared || !$0.isGrouped }
        together = items.filter { shared && $0.isGrouped }
    }

    /// The items in the order of their results.
    var items: [PendingQuery] { alone + together }

    /// What is sent.
    var statements: [SQLStatement] {
        let saving = together.map(\.statement)
        return alone.map(\.statement) + (saving.isEmpty ? [] : [Self.off] + saving + [Self.on, Self.wait])
    }

    /// The results of the items, from those of the statements. Where the wait has failed, so have all that share it;
    /// where the settings can't be made, there is a failure, after which the connection can't be used.
    func outcome(_ sent: PostgreSQLConnection.Outcome) -> PostgreSQLConnection.Outcome {
        guard !together.isEmpty else { return sent }
        var outcome = sent
        outcome.results = Array(sent.results.prefix(alone.count))
        guard sent.failure == nil, let wait = sent.results.last else { return outcome }
        let settings = [sent.results[alone.count], sent.results[sent.results.count - 2]]
        for case .failure(let problem) in settings {
            // What the connection does from now on isn't known.
            outcome.failure = problem
            return outcome
        }
        let saved = sent.results.dropFirst(alone.count + 1).dropLast(2)
        outcome.results += saved.map { result in wait.flatMap { _ in result } }
        return outcome
    }
}
