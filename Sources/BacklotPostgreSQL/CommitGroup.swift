/// Statements of the same moment that save data: each is a transaction, and all wait for the server's disk together.
///
/// They are committed without waiting. Another transaction then waits until the disk has all earlier commits, and only after it
/// do the callers get their results.
struct CommitGroup {
    private static let off = SQLStatement("SET synchronous_commit = off")
    private static let on = SQLStatement("SET synchronous_commit = on")
    /// Writes data itself, because the server wouldn't wait for the disk after a transaction without writes.
    private static let wait = SQLStatement("SELECT pg_logical_emit_message(true, 'backlot', '')")

    private let alone: [PendingQuery]
    private let together: [PendingQuery]

    /// Groups the items that may share their wait, if there are several.
    init(_ items: [PendingQuery]) {
        let shared = items.count { $0.isGrouped } > 1
        alone = items.filter { !shared || !$0.isGrouped }
        together = items.filter { shared && $0.isGrouped }
    }

    /// The items in the order of their results.
    var items: [PendingQuery] { alone + together }

    /// The statements to send.
    var statements: [SQLStatement] {
        let saving = together.map(\.statement)
        return alone.map(\.statement) + (saving.isEmpty ? [] : [Self.off] + saving + [Self.on, Self.wait])
    }

    /// The results of the items, derived from the statements' results. If the wait has failed, so have all items that share it. If
    /// the settings can't be made, the outcome is a failure, and the connection can't be used any more.
    func outcome(_ sent: PostgreSQLConnection.Outcome) -> PostgreSQLConnection.Outcome {
        guard !together.isEmpty else { return sent }
        var outcome = sent
        outcome.results = Array(sent.results.prefix(alone.count))
        guard sent.failure == nil, let wait = sent.results.last else { return outcome }
        let settings = [sent.results[alone.count], sent.results[sent.results.count - 2]]
        for case .failure(let problem) in settings {
            // The further behaviour of the connection is unknown.
            outcome.failure = problem
            return outcome
        }
        let saved = sent.results.dropFirst(alone.count + 1).dropLast(2)
        outcome.results += saved.map { result in wait.flatMap { _ in result } }
        return outcome
    }
}
