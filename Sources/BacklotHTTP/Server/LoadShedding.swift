internal import Logging
internal import Synchronization

/// Decides whose requests are given up, and whose connections are closed, when there is no room for all. Without I/O.
enum LoadShedding {
    /// The party that a connection waits for.
    enum Party: Equatable {
        /// None: there is no request.
        case nobody, client, handler
    }

    /// A connection, as one that may have to give up requests or close.
    struct Candidate: Equatable {
        var waitsFor = Party.client
        /// How many bytes it holds for its client.
        var held = 0
        /// For how long it has been idle, or its client has made no progress, in milliseconds.
        var stalled: Int64

        /// Bytes times milliseconds: many for a short time weigh as much as few for a long one.
        fileprivate var weight: Double { Double(held) * Double(max(1, stalled)) }

        /// Whether it is closed before those of a higher rank.
        fileprivate var rank: Int { stalled < LoadShedding.grace ? 2 : waitsFor == .nobody ? 0 : 1 }
    }

    /// How long a connection counts as new, in milliseconds: its first request may be on the way.
    static let grace: Int64 = 1000

    /// How many bytes each of some connections has to free, so that `bytes` are freed in all.
    ///
    /// The heaviest connection frees first, down to half of what the average one holds, or half of its own. So connections that
    /// hold little keep it while others hold much.
    ///
    /// - Parameter patience: how long a client must have made no progress, in milliseconds.
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

    /// The order in which connections are closed: first those that were idle for longest, then those that waited for longest,
    /// then the new ones. Connections whose handlers are at work are left out.
    static func order(of candidates: [Candidate]) -> [Int] {
        candidates.indices.filter { candidates[$0].waitsFor != .handler }
            .sorted { first, second in
                let (first, second) = (candidates[first], candidates[second])
                return (first.rank, -first.stalled) < (second.rank, -second.stalled)
            }
    }
}

/// How a server makes room: a client that holds memory or a connection without making progress loses it first.
extension ServerContext {
    /// How long a client must have made no progress before its requests are given up for memory, in milliseconds. When
    /// the budget is nearly used up, clients that make progress aren't spared.
    private static let patience: Int64 = 1000
    /// How often a loop looks for such clients, while there is no hurry, in milliseconds.
    private static let interval: Int64 = 100

    private func candidates(on loop: EventLoop) -> [(connection: Connection, candidate: LoadShedding.Candidate)] {
        loop.openChannels.compactMap { channel in
            guard let connection = channel as? Connection else { return nil }
            let stalled = loop.clock.now - connection.lastAdvance
            return (connection, .init(waitsFor: connection.waitsFor, held: connection.held, stalled: stalled))
        }
    }

    /// Gives up, on each loop and soon, the requests and connections that hold most and made no progress for longest.
    /// May be called on any thread.
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

    /// Looks again after a while, as long as memory is short: clients that stand still hold more than their share without asking
    /// for more.
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
            // HTTP/1.1 has one request, and gives up all of it.
            missing -= held - connection.held
            count += 1
        }
        note(.memory, count, at: loop.clock.elapsed)
    }

    /// Gives freed memory back to the system, a moment from now: it may be needed again at once.
    func giveBackMemory() {
        guard !isMemoryDue.exchange(true, ordering: .relaxed) else { return }
        Task.detached { [self] in
            try? await Task.sleep(for: .seconds(2))
            isMemoryDue.store(false, ordering: .relaxed)
            Blocking.start { SystemAllocator.giveBack() }
        }
    }

    /// Whether so many connections are open that some should be closed before another is accepted.
    var isCrowded: Bool { connections.load(ordering: .relaxed) >= mostConnections - mostConnections / 16 }

    /// Closes some of a loop's connections: those that were idle for longest, then those that have waited for their
    /// clients for longest. Called on the loop.
    ///
    /// - Returns: how many were closed.
    @discardableResult
    func evict(on loop: EventLoop) -> Int {
        let all = candidates(on: loop)
        let most = max(1, mostConnections / 128)
        var evicted = 0
        for index in LoadShedding.order(of: all.map(\.candidate)) where evicted < most {
            let (connection, candidate) = all[index]
            // A request that is there already is answered.
            if candidate.waitsFor == .nobody, connection.hasInput { continue }
            connection.abort()
            evicted += 1
        }
        note(.connections, evicted, at: loop.clock.elapsed)
        return evicted
    }
}
