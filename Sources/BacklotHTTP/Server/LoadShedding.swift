internal import Logging
internal import Synchronization

/// Decides which requests to give up and which connections to close when there isn't room for all. Does no I/O.
enum LoadShedding {
    /// The party that a connection waits for.
    enum Party: Equatable {
        /// The connection has no request.
        case nobody, client, handler
    }

    /// A connection that may have to give up requests or close.
    struct Candidate: Equatable {
        var waitsFor = Party.client
        /// The number of bytes that the connection holds for its client.
        var held = 0
        /// The time since the connection became idle, or since its client last made progress, in milliseconds.
        var stalled: Int64

        /// Bytes times milliseconds: many bytes for a short time weigh as much as a few for a long time.
        fileprivate var weight: Double { Double(held) * Double(max(1, stalled)) }

        /// The rank for closing: lower ranks are closed first.
        fileprivate var rank: Int { stalled < LoadShedding.grace ? 2 : waitsFor == .nobody ? 0 : 1 }
    }

    /// A connection counts as new up to this age, in milliseconds: its first request may still arrive.
    static let grace: Int64 = 1000

    /// The numbers of bytes that connections must free, so that they free `bytes` in total.
    ///
    /// The heaviest connection frees first, down to half of the average, or half of what it holds. So connections that hold
    /// little keep it while others hold much.
    ///
    /// - Parameter patience: the shortest time without progress, in milliseconds.
    static func shares(
        of bytes: Int,
        among candidates: [Candidate],
        patience: Int64
    ) -> [(index: Int, bytes: Int)] {
        let order = candidates.indices
            .filter { candidates[$0].held > 0 && candidates[$0].stalled >= patience }
            .sorted { candidates[$0].weight > candidates[$1].weight }
        guard bytes > 0, !order.isEmpty else { return [] }
        let average = order.reduce(0) { $0 + candidates[$1].held } / order.count
        var missing = bytes
        var shares: [(index: Int, bytes: Int)] = []
        for index in order where missing > 0 {
            let held = candidates[index].held
            let share = min(missing, max(held - average / 2, held / 2))
            shares.append((index, max(1, share)))
            missing -= share
        }
        return shares
    }

    /// The order of closing: first the connections that were idle longest, then those that have waited longest, then the new
    /// ones. Connections with running handlers are left out.
    static func order(of candidates: [Candidate]) -> [Int] {
        candidates.indices.filter { candidates[$0].waitsFor != .handler }
            .sorted { first, second in
                let (first, second) = (candidates[first], candidates[second])
                return (first.rank, -first.stalled) < (second.rank, -second.stalled)
            }
    }
}

/// Frees memory and connections: clients that hold them without making progress lose them first.
extension ServerContext {
    /// The shortest time without progress before a client's requests are given up for memory, in milliseconds. When the budget is
    /// nearly used up, clients that make progress aren't spared.
    private static let patience: Int64 = 1000
    /// The interval between a loop's searches for clients without progress, in milliseconds. Urgent searches don't wait for it.
    private static let interval: Int64 = 100

    private func candidates(on loop: EventLoop) -> [(connection: Connection, candidate: LoadShedding.Candidate)] {
        loop.openChannels.compactMap { channel in
            guard let connection = channel as? Connection else { return nil }
            let stalled = loop.clock.now - connection.lastAdvance
            return (connection, .init(waitsFor: connection.waitsFor, held: connection.held, stalled: stalled))
        }
    }

    /// Gives up, soon and on each loop, the requests and connections that hold most and have made no progress for longest. May be
    /// called on any thread.
    func shedLoad() {
        guard sheddingLoops.compareExchange(expected: 0, desired: loops.count, ordering: .relaxed).exchanged else {
            return
        }
        for loop in loops {
            loop.executeLater {
                self.shedLoad(on: loop)
                if self.sheddingLoops.subtract(1, ordering: .relaxed).newValue == 0 { self.shedLoadAgain() }
            }
        }
    }

    /// Searches again after a while, as long as memory is short: stalled clients hold more than their share without requesting
    /// more.
    private func shedLoadAgain() {
        guard buffers.isPressed, !isSheddingDue.exchange(true, ordering: .relaxed) else { return }
        Task.detached { [weak self] in
            try? await Task.sleep(for: .milliseconds(Self.interval))
            guard let self else { return }
            isSheddingDue.store(false, ordering: .relaxed)
            shedLoad()
        }
    }

    private func shedLoad(on loop: EventLoop) {
        let now = loop.clock.now
        let isUrgent = buffers.isUrgent
        guard isUrgent || now - loop.lastShedding >= Self.interval, buffers.excess > 0 else { return }
        loop.lastShedding = now
        let patience = isUrgent ? 0 : Self.patience
        let all = candidates(on: loop)
        // Each loop frees its share.
        let held = all.reduce(0) { $0 + $1.candidate.held }
        let due = Int(Double(buffers.excess) * Double(held) / Double(max(1, buffers.use)))
        let shares = LoadShedding.shares(of: due, among: all.map(\.candidate), patience: patience)
        var missing = due
        var count = 0
        for (index, bytes) in shares where missing > 0 {
            let connection = all[index].connection
            let held = connection.held
            connection.relinquish(bytes, before: now - patience)
            // HTTP/1.1 has one request at a time, and gives it up completely.
            missing -= held - connection.held
            count += 1
        }
        note(.memory, count, at: loop.clock.elapsed)
    }

    /// Returns freed memory to the system, after a moment: it may be needed again at once.
    func giveBackMemory() {
        guard !isMemoryDue.exchange(true, ordering: .relaxed) else { return }
        Task.detached { [self] in
            try? await Task.sleep(for: .seconds(2))
            isMemoryDue.store(false, ordering: .relaxed)
            Blocking.start { SystemAllocator.giveBack() }
        }
    }

    /// Whether the server should close some connections before it accepts another.
    var isCrowded: Bool { connections.load(ordering: .relaxed) >= mostConnections - mostConnections / 16 }

    /// Closes some of a loop's connections: first those that were idle longest, then those that have waited for their clients
    /// longest. Must be called on the loop.
    ///
    /// - Returns: the number of closed connections.
    @discardableResult
    func evict(on loop: EventLoop) -> Int {
        let all = candidates(on: loop)
        let most = max(1, mostConnections / 128)
        var evicted = 0
        for index in LoadShedding.order(of: all.map(\.candidate)) where evicted < most {
            let (connection, candidate) = all[index]
            // A request that has already arrived gets its response.
            if candidate.waitsFor == .nobody, connection.hasInput { continue }
            connection.abort()
            evicted += 1
        }
        note(.connections, evicted, at: loop.clock.elapsed)
        return evicted
    }
}
