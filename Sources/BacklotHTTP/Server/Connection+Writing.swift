extension Connection {
    /// Whether more may be answered before the client has taken what is there.
    var hasRoom: Bool { output.count - sent < Self.highWater && file == nil }

    /// Whether the client has not been sent all of it yet.
    var hasOutput: Bool { !output.isEmpty || file != nil }

    /// Appends what `write` writes to what waits to be sent.
    ///
    /// The bytes are taken out while they change: each change of a property in place is checked at run time.
    func append(_ write: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        swap(&bytes, &output)
        if bytes.isEmpty {
            // An idle connection owns no buffer.
            bytes = loop.buffers.takeOutputBuffer()
        } else if sent >= Self.highWater {
            // A client that reads slowly may never see it empty: what has been sent must not stay.
            bytes.removeFirst(sent)
            sent = 0
        }
        write(&bytes)
        output = consume bytes
    }

    /// Sends a piece of a streamed body.
    func send(_ bytes: [UInt8], _ framing: ResponseFraming) {
        loop.preconditionIsCurrent()
        append { ResponseEncoder.write(bytes, framing, into: &$0) }
        if !isProcessing { finishRound() }
    }

    /// Gives the system as much as it takes.
    func flush() {
        guard isOpen, !isProcessing else { return }
        if phase == .http2 { flushHTTP2() }
        guard isOpen, sendOutput() else { return }
        if phase == .lingering, !sendingEnded {
            sendingEnded = true
            socket.shutdownSending()
        }
    }

    /// Sends what is in `output`, and the file after it.
    ///
    /// - Returns: whether all of it is sent.
    @discardableResult
    func sendOutput() -> Bool {
        sendBytes() && sendFile()
    }

    private func sendBytes() -> Bool {
        // Taken out for as long as it is worked on: each look at a property of a class is checked at run time.
        var bytes: [UInt8] = []
        swap(&bytes, &output)
        guard !bytes.isEmpty else { return true }
        var start = sent
        while start < bytes.count {
            switch socket.send(bytes.span.extracting(start...), more: file != nil) {
            case .bytes(let count):
                start += count
                loop.bytesSent += count
                lastProgress = loop.clock.now
                outputMeter?.sent += count
            case .wouldBlock:
                output = bytes
                sent = start
                startMeter()
                return false
            case .failed:
                abort()
                return false
            }
        }
        sent = 0
        if outputMeter != nil, file == nil { outputMeter = nil }
        loop.buffers.giveBack(outputBuffer: consume bytes)
        return true
    }

    /// The client has to be waited for.
    func startMeter() {
        let meter =
            outputMeter ?? OutputMeter(queued: socket.unacknowledged, at: loop.clock.now, server: server)
        meter.hold.set(output.count - sent)
        outputMeter = meter
    }

    /// Watches the socket for what can be used now; costs a system call only when that has changed.
    func updateInterest() {
        guard isOpen else { return }
        let reading: Readiness = wantsInput ? .readable : []
        watch(!output.isEmpty || isFileReady ? reading.union(.writable) : reading)
    }

    /// Stops after what is in `output`: no further request is read.
    func linger() {
        guard isOpen, phase != .lingering else { return }
        phase = .lingering
        incoming?.fail(RequestError.incomplete)
        http2?.close()
        (incoming, partial, http2) = (nil, nil, nil)
        lastProgress = loop.clock.now
        if !isProcessing { finishRound() }
    }
}
