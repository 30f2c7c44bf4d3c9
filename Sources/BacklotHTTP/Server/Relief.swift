/// Decides whose requests are given up, and whose connections are closed, when there is no room for all. Without I/O.
enum Relief {
    /// A connection that holds bytes for its client.
    struct Holder: Equatable {
        var held: Int
        /// For how long the client has made no progress, in milliseconds.
        var stalled: Int64

        /// Bytes times milliseconds: many for a short time weigh as much as few for a long one.
        fileprivate var weight: Double { Double(held) * Double(max(1, stalled)) }
    }

    /// How many bytes each of some connections has to free, so that `bytes` are freed in all.
    ///
    /// The heaviest connection frees first, down to half of what the average one holds, or half of its own. So connections that
    /// hold little keep it while others hold much.
    ///
    /// - Parameter patience: how long a client must have made no progress, in milliseconds.
    static func shares(
        of bytes: Int,
        among holders: [Holder],
        patience: Int64
    ) -> [(index: Int, bytes: Int)] {
        let order = holders.indices
            .filter { holders[$0].held > 0 && holders[$0].stalled >= patience }
            .sorted { holders[$0].weight > holders[$1].weight }
        guard bytes > 0, !order.isEmpty else { return [] }
        let average = order.reduce(0) { $0 + holders[$1].held } / order.count
        var missing = bytes
        var shares: [(index: Int, bytes: Int)] = []
        for index in order where missing > 0 {
            let held = holders[index].held
            let share = min(missing, max(held - average / 2, held / 2))
            shares.append((index, max(1, share)))
            missing -= share
        }
        return shares
    }

    /// A connection, as one that may have to be closed.
    struct Candidate: Equatable {
        var standing: Connection.Standing
        /// For how long it has been idle, or has waited for its client, in milliseconds.
        var waited: Int64
    }

    /// How long a connection counts as new, in milliseconds: its first request may be on the way.
    static let grace: Int64 = 1000

    /// The order in which connections are closed: first those that were idle for longest, then those that waited for longest,
    /// then the new ones. Connections whose handlers are at work are left out.
    static func order(of candidates: [Candidate]) -> [Int] {
        func rank(_ candidate: Candidate) -> Int {
            if candidate.waited < grace { return 2 }
            return candidate.standing == .idle ? 0 : 1
        }
        return candidates.indices.filter { candidates[$0].standing != .busy }
            .sorted { (rank(candidates[$0]), -candidates[$0].waited) < (rank(candidates[$1]), -candidates[$1].waited) }
    }
}
