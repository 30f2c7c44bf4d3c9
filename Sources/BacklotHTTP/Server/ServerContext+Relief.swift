internal import Logging
internal import Synchronization

/// How a server makes room: a client that holds memory or a connection without making progress loses it first.
extension ServerContext {
    /// How long a client must have made no progress before its requests are given up for memory, in milliseconds. When
    /// the budget is nearly used up, clients that make progress aren't spared.
    private static let patience: Int64 = 1000
    /// How often a loop looks for such clients, while there is no hurry, in milliseconds.
    private static let interval: Int64 = 100

    // MARK: Memory

    /// Gives up, on each loop and soon, the requests and connections that hold most and made no progress for longest.
    /// May be called on any thread.
    func relieve() {
        guard reliefs.compareExchange(expected: 0, desired: loops.count, ordering: .relaxed).exchanged else { return }
        for loop in loops {
            loop.executeLater {
                self.relieve(on: loop)
                if self.reliefs.subtract(1, ordering: .relaxed).newValue == 0 { self.relieveAgain() }
            }
        }
    }

    /// Looks again after a while, as long as memory is short: clients that stand still hold more than their share without asking
    /// for more.
    private func relieveAgain() {
        guard buffers.isPressed, !isReliefDue.exchange(true, ordering: .relaxed) else { return }
        Task.detached { [weak self] in
            try? await Task.sleep(for: .milliseconds(Self.interval))
            guard let self else { return }
            isReliefDue.store(false, ordering: .relaxed)
            relieve()
        }
    }

    private func relieve(on loop: EventLoop) {
        let now = loop.clock.now
        let isUrgent = buffers.isUrgent
        guard isUrgent || now - loop.lastRelief >= Self.interval, buffers.excess > 0 else { return }
        loop.lastRelief = now
        let connections = loop.openChannels.compactMap { $0 as? Connection }
        let patience = isUrgent ? 0 : Self.patience
        let holders = connections.map { Relief.Holder(held: $0.held, stalled: now - $0.lastAdvance) }
        // Each loop frees its share.
        let held = holders.reduce(0) { $0 + $1.held }
        let due = Int(Double(buffers.excess) * Double(held) / Double(max(1, buffers.use)))
        let shares = Relief.shares(of: due, among: holders, patience: patience)
        for (index, bytes) in shares { connections[index].relinquish(bytes, before: now - patience) }
        note(.memory, shares.count, at: loop.clock.elapsed)
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

    // MARK: Connections

    /// Whether so many connections are open that some should be closed before another is accepted.
    var isCrowded: Bool { connections.load(ordering: .relaxed) >= mostConnections - mostConnections / 16 }

    /// Closes some of a loop's connections: those that were idle for longest, then those that have waited for their
    /// clients for longest. Called on the loop.
    ///
    /// - Returns: how many were closed.
    @discardableResult
    func evict(on loop: EventLoop) -> Int {
        let now = loop.clock.now
        let connections = loop.openChannels.compactMap { $0 as? Connection }
        let candidates = connections.map { Relief.Candidate(standing: $0.standing, waited: now - $0.lastAdvance) }
        let most = max(1, mostConnections / 128)
        var evicted = 0
        for index in Relief.order(of: candidates) where evicted < most {
            // A request that is there already is answered.
            if candidates[index].standing == .idle, connections[index].hasInput { continue }
            connections[index].abort()
            evicted += 1
        }
        note(.connections, evicted, at: loop.clock.elapsed)
        return evicted
    }

    // MARK: Log

    /// The resource that has run short.
    enum Shortage: Int {
        case memory, connections, descriptors
    }

    /// Logs, at most once a minute, what had to be given up.
    func note(_ shortage: Shortage, _ count: Int, at now: Int64) {
        guard count > 0, let sum = warnings.withLock({ $0[shortage.rawValue].add(count, at: now) }) else { return }
        let open = "\(connections.load(ordering: .relaxed)) of at most \(mostConnections) connections"
        switch shortage {
        case .memory:
            logger.warning(
                """
                gave up requests of \(sum) connections that made no progress: \(buffers.use) of \
                \(buffers.limit) bytes (limits.bufferedBytes) are kept for clients; \(open)
                """
            )
        case .connections:
            logger.warning(
                "closed \(sum) connections, idle or waiting for their clients for longest, to accept others: \(open)"
            )
        case .descriptors:
            logger.warning(
                """
                could not accept connections \(sum) times: the process or the system has no descriptor or memory left; \
                \(open), \(descriptors) descriptors (ulimit -n)
                """
            )
        }
    }

    /// Logs a handshake that failed: at most once a minute as a warning, which strangers could fill the log with.
    func noteFailedHandshake(_ reason: String, from address: SocketAddress, at now: Int64) {
        logger.debug("a TLS handshake with \(address) failed: \(reason)")
        guard let count = handshakeWarning.withLock({ $0.add(1, at: now) }) else { return }
        logger.warning(
            "\(count) TLS \(count == 1 ? "handshake" : "handshakes") failed, the last with \(address.host): \(reason)"
        )
    }

    /// Logs, at most once a minute, that clients speak TLS here. They can't read an answer that says so.
    func noteEncrypted(from address: SocketAddress, at now: Int64) {
        guard let count = encryptedWarning.withLock({ $0.add(1, at: now) }) else { return }
        logger.warning(
            "\(count) \(count == 1 ? "connection" : "connections") came with TLS, the last from \(address.host), to a port without it: use http:// instead of https:// there"
        )
    }
}

/// Lets a warning through once a minute, with the sum of what happened since the last one. A value without a clock.
struct WarningPace: Equatable {
    /// In milliseconds.
    static let interval: Int64 = 60_000

    private var sum = 0
    private var last: Int64?

    /// Adds to the sum.
    ///
    /// - Parameter now: milliseconds of a clock that never jumps, and is the same on all loops.
    /// - Returns: the sum, when it is time for the warning.
    mutating func add(_ count: Int, at now: Int64) -> Int? {
        sum += count
        if let last, now - last < Self.interval { return nil }
        last = now
        defer { sum = 0 }
        return sum
    }
}
