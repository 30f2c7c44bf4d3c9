/// A rule about pages, beyond what the schema of a single node says. Each is in a file of its own.
protocol PageRule: Sendable {
    /// What the rule has to say about a page; nothing, when all is well.
    func remarks(on page: CheckedPage) -> [Remark]
}
