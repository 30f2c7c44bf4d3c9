extension Connection {
    /// Sets until when the client must have made progress.
    func updateDeadline() {
        guard isOpen else { return }
        setDeadline(hasOutput ? outputDeadline : inputDeadline)
    }

    private var inputDeadline: Int64? {
        let configuration = server.configuration
        let waits = configuration.waits
        let now = loop.clock.now
        switch phase {
        case .opening: return lastProgress + (isDraining ? min(waits.handshake, waits.drainIdle) : waits.handshake)
        case .head:
            if isInHead, let began = partial?.began { return began + waits.head }
            return lastProgress + (isDraining ? waits.drainIdle : waits.idle)
        case .exchange:
            if isProbeDue { return lastProgress + Self.probeDelay }
            // A handler may take its time; a client that it waits for may not.
            return incoming?.deadline(configuration, lastProgress: lastProgress, now: now)
        case .discarding:
            return incoming?.deadline(isUnwanted: true, configuration, lastProgress: lastProgress, now: now)
        case .http2: return http2?.nextDeadline()
        case .lingering:
            return loop.lingering.deadline(of: self, lastProgress: lastProgress, isDraining: isDraining, waits)
        }
    }

    private var outputDeadline: Int64 {
        let configuration = server.configuration
        return min(lastProgress + configuration.waits.write, outputMeter?.deadline(configuration) ?? .max)
    }

    /// The client had its time.
    func timeOut() {
        if hasOutput { return outputTimeOut() }
        switch phase {
        case .opening: openingTimeOut()
        case .head where isInHead: refuse(.timedOut("the head of the request"), isHead: partial?.isHead ?? false)
        case .head: linger()
        case .exchange where isProbeDue: probe()
        case .exchange:
            isPersistent = false
            incoming?.fail(RequestError.timedOut("the body of the request"))
        case .http2:
            http2?.timeOut()
            finishRound()
        case .discarding, .lingering: abort()
        }
    }

    /// Cuts the connection, unless the client has taken more than the system has told so far.
    private func outputTimeOut() {
        if let outputMeter, outputMeter.look(queued: socket.unacknowledged) { lastProgress = loop.clock.now }
        if outputDeadline <= loop.clock.now { abort() } else { updateDeadline() }
    }
}

/// The connections of a loop that have sent their last byte and wait for their clients to close, oldest first. A value
/// without I/O.
///
/// Bytes that such a client still sends are read and dropped: to close without reading them would send a reset, and the
/// client could lose the answer (RFC 9112, section 9.6).
struct LingeringChannels {
    private var channels: [(channel: Channel, since: Int64)] = []

    /// The one that has waited longest.
    var oldest: Channel? { channels.first?.channel }

    /// Adds a connection.
    ///
    /// - Parameter now: milliseconds of the loop's clock.
    mutating func append(_ channel: Channel, at now: Int64) {
        channels.append((channel, now))
    }

    /// Takes out a connection. Returns whether it was there.
    mutating func remove(_ channel: Channel) -> Bool {
        guard let index = channels.firstIndex(where: { $0.channel === channel }) else { return false }
        channels.remove(at: index)
        return true
    }

    /// Until when the client of a connection must have closed, or sent more.
    ///
    /// - Parameters:
    ///   - lastProgress: when the client last sent something.
    ///   - isDraining: whether the server stops. Then a client that sends has no longer than one that doesn't.
    func deadline(
        of channel: Channel,
        lastProgress: Int64,
        isDraining: Bool,
        _ waits: Waits
    ) -> Int64 {
        let unmoved = lastProgress + waits.linger
        guard let since = channels.first(where: { $0.channel === channel })?.since else { return unmoved }
        return min(unmoved, since + (isDraining ? waits.linger : waits.lingerInAll))
    }
}
