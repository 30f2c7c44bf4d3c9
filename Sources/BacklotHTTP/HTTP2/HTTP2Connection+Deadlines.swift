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
        let isSlow = input.isSlow(isWaiting, server.configuration, at: now)
        for stream in streams where stream.isBodyAwaited && (isSlow || stream.lastReceived + waits.body <= now) {
            stream.failBody(RequestError.timedOut("the body of the request"))
        }
    }

    private func checkAnswers() {
        // While the socket is full, the connection measures what the client takes.
        let isWaiting = connection.output.isEmpty && streams.contains(where: \.isAnswerPending)
        let isSlow = output.isSlow(isWaiting, server.configuration, at: now)
        guard isWaiting else {
            for stream in streams { stream.lastSent = now }
            return
        }
        for stream in streams where stream.isAnswerPending && (isSlow || stream.lastSent + waits.write <= now) {
            stream.reset(.cancel)
        }
    }
}
