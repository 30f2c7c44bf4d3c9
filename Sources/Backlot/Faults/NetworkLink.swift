internal import BacklotHTTP

/// The link between a client and its network. All exchanges of the client share its throughput. A value without I/O.
///
/// Times are counted from any beginning. Bytes that are offered while others are on the link wait for those: so a pace is kept
/// however late the waits for it end.
struct NetworkLink: Sendable {
    /// The ways that bytes take.
    enum Direction: Sendable {
        case up
        case down
    }

    /// From when on the link is free.
    private var freeUp = Duration.zero
    private var freeDown = Duration.zero

    /// Puts bytes on the link.
    ///
    /// - Parameters:
    ///   - offered: since when they could have been on it.
    ///   - throughput: in bytes per second; nil for any.
    /// - Returns: when the last of them has arrived.
    mutating func send(_ count: Int, _ direction: Direction, at offered: Duration, throughput: Int?) -> Duration {
        guard let throughput else { return offered }
        let time = Duration.seconds(Double(count) / Double(throughput))
        switch direction {
        case .up:
            freeUp = max(offered, freeUp) + time
            return freeUp
        case .down:
            freeDown = max(offered, freeDown) + time
            return freeDown
        }
    }
}

/// The links of all clients that have exchanges under way.
final class NetworkLinks: Sendable {
    /// What tells clients apart: a session, or else an address.
    struct Key: Hashable {
        let client: FaultClient
        let host: String

        init(_ request: Request) {
            client = request.faultClient
            // A phone that goes to another network keeps its session.
            host = client == .noSession ? request.remoteAddress.host : ""
        }
    }

    private let links = Locked<[Key: (link: NetworkLink, users: Int)]>([:])

    /// How many clients have exchanges under way.
    var count: Int { links.withLock { $0.count } }

    /// How many exchanges are under way.
    var users: Int { links.withLock { $0.values.reduce(0) { $0 + $1.users } } }

    /// The use of a client's link. It ends with the last reference to it.
    func use(_ key: Key) -> Use {
        links.withLock { $0[key, default: (NetworkLink(), 0)].users += 1 }
        return Use(links: self, key: key)
    }

    /// An exchange's use of its client's link.
    final class Use: Sendable {
        private let links: NetworkLinks
        private let key: Key

        fileprivate init(links: NetworkLinks, key: Key) {
            self.links = links
            self.key = key
        }

        /// Puts bytes on the link, as `NetworkLink.send` does.
        func send(_ count: Int, _ direction: NetworkLink.Direction, at offered: Duration, throughput: Int?) -> Duration
        {
            links.links.withLock {
                $0[key]?.link.send(count, direction, at: offered, throughput: throughput) ?? offered
            }
        }

        deinit {
            links.links.withLock { links in
                links[key]?.users -= 1
                if links[key]?.users == 0 { links[key] = nil }
            }
        }
    }
}
