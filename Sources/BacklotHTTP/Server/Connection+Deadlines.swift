extension Connection {
    /// Sets until when the client must have made progress.
    func updateDeadline() {
        guard isOpen else { return }
        let timeouts = server.configuration.timeouts
        if hasOutput { return setDeadline(lastProgress + timeouts.write) }
        switch phase {
        case .head:
            let began = isInHead ? partial?.began : nil
            let idle = isDraining ? timeouts.drainIdle : timeouts.idle
            setDeadline(began.map { $0 + timeouts.head } ?? lastProgress + idle)
        case .exchange:
            // A handler may take its time; a client that it waits for may not.
            setDeadline(incoming?.isAwaited == true ? lastProgress + timeouts.body : nil)
        case .discarding: setDeadline(lastProgress + timeouts.body)
        case .lingering: setDeadline(lastProgress + timeouts.linger)
        }
    }

    /// The client had its time.
    func timeOut() {
        if hasOutput { return abort() }
        switch phase {
        case .head where isInHead: refuse(.timedOut("the head of the request"))
        case .head: linger()
        case .exchange:
            isPersistent = false
            incoming?.fail(RequestError.timedOut("the body of the request"))
        case .discarding, .lingering: abort()
        }
    }
}
