extension HTTP2Connection {
    private var waits: Waits { server.configuration.waits }

    /// How often open streams are looked at, in milliseconds: often enough for the shortest of their waits.
    private var checkInterval: Int64 {
        let shortest = min(waits.body, waits.write, waits.rateGrace, waits.linger)
        return min(max(shortest / 4, Deadlines.resolution), 1000)
    }

    /// When to call `timeOut` next, in milliseconds of the loop's clock.
    func nextDeadline() -> Int64 {
        guard streams.isEmpty else {
            // One look at all of them from time to time: a deadline for each stream would have to be set with every
            // frame.
            let check = nextCheck ?? now + checkInterval
            nextCheck = check
            return check
        }
        nextCheck = nil
        return blockDeadline ?? shutdownDeadline ?? idleDeadline
    }

    private var blockDeadline: Int64? { blockBegan.map { $0 + waits.head } }

    private var shutdownDeadline: Int64? {
        guard case .announced(let since) = shutdown else { return nil }
        return since + waits.linger
    }

    /// A client that has sent nothing but the preface and SETTINGS has no longer than one that has sent no head.
    private var idleDeadline: Int64 { lastActive + (hasHadRequest ? waits.idle : waits.head) }

    /// Gives up requests, answers and connections whose time is over.
    func timeOut() {
        nextCheck = nil
        if let shutdownDeadline, shutdownDeadline <= now { finishAnnouncement() }
        if let blockDeadline, blockDeadline <= now { return terminate(.noError) }
        if streams.isEmpty {
            if idleDeadline <= now { terminate(.noError) }
        } else {
            checkBodies()
            checkAnswers()
        }
    }

    private func checkBodies() {
        let isWaiting = streams.contains(where: \.isBodyAwaited)
        let isSlow = progress.isInputSlow(isWaiting, server.configuration, at: now)
        for stream in streams where stream.isBodyAwaited && (isSlow || stream.lastReceived + waits.body <= now) {
            stream.failBody(RequestError.timedOut("the body of the request"))
        }
    }

    private func checkAnswers() {
        // While the socket is full, the connection measures what the client takes.
        let isWaiting = connection.output.isEmpty && streams.contains(where: \.isAnswerPending)
        let isSlow = progress.isOutputSlow(isWaiting, server.configuration, at: now)
        guard isWaiting else {
            for stream in streams { stream.lastSent = now }
            return
        }
        for stream in streams where stream.isAnswerPending && (isSlow || stream.lastSent + waits.write <= now) {
            stream.reset(.cancel)
        }
    }
}

/// Measures a client against the least rate that it must keep while bodies are waited for, or answers wait for windows.
///
/// The streams of a connection are measured together: they share one link, and the client decides which of them goes
/// first. A value without I/O.
struct HTTP2Progress {
    /// How many bytes of bodies have come, and how many of answers were sent, ever.
    var received = 0
    var sent = 0

    /// The rate since there was first something to wait for, and what had been moved before; nil while there is
    /// nothing.
    private struct Stall {
        var meter: RateMeter
        let before: Int

        init(before: Int, at now: Int64) {
            meter = RateMeter()
            meter.wait(true, at: now)
            self.before = before
        }
    }

    private var input: Stall?
    private var output: Stall?

    /// Notes whether bodies are waited for.
    ///
    /// - Parameter now: milliseconds of the loop's clock.
    /// - Returns: whether they come too slowly.
    mutating func isInputSlow(_ isWaiting: Bool, _ configuration: ServerConfiguration, at now: Int64) -> Bool {
        Self.isSlow(&input, isWaiting, moved: received, configuration, at: now)
    }

    /// Notes whether answers wait for windows. Returns whether they are taken too slowly.
    mutating func isOutputSlow(_ isWaiting: Bool, _ configuration: ServerConfiguration, at now: Int64) -> Bool {
        Self.isSlow(&output, isWaiting, moved: sent, configuration, at: now)
    }

    private static func isSlow(
        _ stall: inout Stall?,
        _ isWaiting: Bool,
        moved: Int,
        _ configuration: ServerConfiguration,
        at now: Int64
    ) -> Bool {
        guard isWaiting else {
            stall = nil
            return false
        }
        var current = stall ?? Stall(before: moved, at: now)
        current.meter.bytes = moved - current.before
        stall = current
        let grace = configuration.waits.rateGrace
        let deadline = current.meter.deadline(grace: grace, leastRate: configuration.limits.leastRate)
        return deadline.map { $0 <= now } ?? false
    }
}
