extension Connection {
    /// Whether more may be answered before the client has taken what is there.
    var hasRoom: Bool { output.count - sent < Self.highWater }

    /// Makes sure that `output` is a buffer to append to: an idle connection owns none.
    func borrowOutput() {
        if output.isEmpty { output = loop.buffers.takeOutputBuffer() }
    }

    /// Sends a piece of a streamed body.
    func send(_ bytes: [UInt8], _ framing: ResponseFraming) {
        loop.preconditionIsCurrent()
        borrowOutput()
        ResponseEncoder.write(bytes, framing, into: &output)
        if !isProcessing { finishRound() }
    }

    /// Gives the system as much as it takes.
    func flush() {
        guard isOpen, !isProcessing else { return }
        while sent < output.count {
            switch socket.send(output.span.extracting(sent...)) {
            case .bytes(let count):
                sent += count
                lastProgress = loop.clock.now
            case .wouldBlock:
                updateInterest()
                return
            case .failed:
                return abort()
            }
        }
        if !output.isEmpty {
            loop.buffers.giveBack(outputBuffer: output)
            output = []
            sent = 0
        }
        if phase == .lingering, !sendingEnded {
            sendingEnded = true
            socket.shutdownSending()
        }
    }

    /// Watches the socket for what can be used now; costs a system call only when that has changed.
    func updateInterest() {
        guard isOpen else { return }
        let reading: Readiness = wantsInput ? .readable : []
        watch(output.isEmpty ? reading : reading.union(.writable))
    }

    /// Stops after what is in `output`: no further request is read.
    func linger() {
        guard isOpen, phase != .lingering else { return }
        phase = .lingering
        incoming?.fail(RequestError.incomplete)
        (incoming, partial) = (nil, nil)
        lastProgress = loop.clock.now
        if !isProcessing { finishRound() }
    }
}
