import BacklotJSON

/// Clients ignore a `poll_seconds` of 0.
struct PollSecondsZero: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        guard page.tree.nodes[0].object["poll_seconds"]?.number?.uint64 == 0 else { return [] }
        let remark = Remark.warning(
            "poll-seconds-zero",
            at: 0,
            "/poll_seconds",
            message: "Clients ignore a \"poll_seconds\" of 0, so the page doesn't poll.",
            fix: "Write 1 or more, or remove it."
        )
        return [remark]
    }
}
