internal import Logging
internal import Synchronization

/// Warnings that the log has at most once a minute: otherwise strangers could fill it.
extension ServerContext {
    /// The subject of a warning.
    enum Warning: Int, CaseIterable {
        /// The resource that has run short.
        case memory, connections, descriptors
        /// Handshakes of TLS that failed, and clients that speak TLS to a port without it.
        case handshakes, encrypted
        /// Requests and connections that no handler sees.
        case refusals
    }

    func sum(_ warning: Warning, _ count: Int, at now: Int64) -> Int? {
        count > 0 ? warnings.withLock { $0[warning.rawValue].add(count, at: now) } : nil
    }

    /// Logs the requests or connections that had to be given up.
    func note(_ shortage: Warning, _ count: Int, at now: Int64) {
        guard let sum = sum(shortage, count, at: now) else { return }
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
        default:
            logger.warning(
                """
                could not accept connections \(sum) times: the process or the system has no descriptor or memory left; \
                \(open), \(descriptors) descriptors (ulimit -n)
                """
            )
        }
    }

    /// Logs a handshake that failed.
    func noteFailedHandshake(_ reason: String, from address: SocketAddress, at now: Int64) {
        logger.debug("a TLS handshake with \(address) failed: \(reason)")
        guard let count = sum(.handshakes, 1, at: now) else { return }
        logger.warning(
            "\(count) TLS \(count == 1 ? "handshake" : "handshakes") failed, the last with \(address.host): \(reason)"
        )
    }

    /// Logs that a connection's first request didn't arrive in time.
    func noteTimedOut(_ start: ConnectionStart, of connection: Connection) {
        guard start.isHandshake else {
            return logger.debug("nothing came from \(connection.remoteAddress): its connection is closed")
        }
        let limit = "it took longer than \(configuration.timeouts.handshake)"
        let reason = connection.machine.isDraining ? "the server stops" : limit
        noteFailedHandshake(reason, from: connection.remoteAddress, at: connection.loop.clock.elapsed)
    }

    /// Logs that clients speak TLS here. They couldn't read a response that tells them.
    func noteEncrypted(from address: SocketAddress, at now: Int64) {
        guard let count = sum(.encrypted, 1, at: now) else { return }
        logger.warning(
            """
            \(count) \(count == 1 ? "connection" : "connections") came with TLS, the last from \(address.host), to a port without \
            it: use http:// instead of https:// there
            """
        )
    }

    /// Logs once that a proxy names its clients but isn't trusted: all of them then count as one.
    func noteProxy(of request: Request) {
        guard !hasNotedProxy.load(ordering: .relaxed), request.namesClient, !request.isFromTrustedProxy,
            !hasNotedProxy.exchange(true, ordering: .relaxed)
        else { return }
        logger.warning(
            """
            \(request.remoteAddress.host) names the clients of its requests (Forwarded or X-Forwarded-For), but isn't a trusted \
            proxy: they all count as one client for every limit. If it is your proxy, name it (trustedProxies, --trusted-proxies)
            """
        )
    }
}

/// Lets a warning through once a minute, with the sum of the events since the last one. A value without a clock.
struct WarningPace: Equatable {
    /// In milliseconds.
    static let interval: Int64 = 60_000

    private var sum = 0
    private var last: Int64?

    /// Adds to the sum.
    ///
    /// - Parameter now: milliseconds of a clock that never jumps, and is the same on all loops.
    /// - Returns: the sum, when the warning is due.
    mutating func add(_ count: Int, at now: Int64) -> Int? {
        sum += count
        if let last, now - last < Self.interval { return nil }
        last = now
        defer { sum = 0 }
        return sum
    }
}
