/// Counts how often clients have polled a page since they opened it.
actor PollCounter {
    /// The most clients that are counted. When there are more, all begin anew.
    private static let maximumCount = 1000

    private var counts: [String: Int] = [:]

    /// The number of a client's poll, from 1; 0 where it opens the page.
    func next(for client: String, isPoll: Bool) -> Int {
        if counts.count >= Self.maximumCount, counts[client] == nil { counts = [:] }
        let count = isPoll ? (counts[client] ?? 0) + 1 : 0
        counts[client] = count
        return count
    }
}
