internal import Synchronization

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

    /// Takes a piece of a streamed body, or begins a chunk with it; the pieces of a round are sent together.
    func send(_ bytes: [UInt8], of body: OutgoingBody, isLast: Bool) {
        if body.framing != .chunked {
            append { $0.append(contentsOf: bytes) }
        } else {
            body.chunk = bytes
        }
        if !isProcessing { flushAfterRound() }
    }

    /// Puts the chunk that has been gathered after what waits to be sent.
    func closeChunk() {
        guard let outgoing, !outgoing.chunk.isEmpty else { return }
        append { ResponseEncoder.writeChunk(outgoing.chunk, into: &$0) }
        outgoing.chunk = []
    }

    /// Sends what everything that runs in this round of the loop has to say together.
    func flushAfterRound() {
        guard isOpen, !isFlushScheduled else { return }
        isFlushScheduled = true
        loop.later { [self] in
            isFlushScheduled = false
            if isOpen { finishRound() }
        }
    }

    /// Gives the system as much as it takes.
    func flush() {
        guard isOpen, !isProcessing else { return }
        closeChunk()
        if phase == .http2 { flushHTTP2() }
        guard isOpen, sendOutput() else { return }
        if phase == .lingering, !sendingEnded, sayGoodbye() {
            sendingEnded = true
            socket.shutdownSending()
            if !inputEnded { waitForClose() }
        }
    }

    /// Sends what is in `output`, and the file after it.
    ///
    /// - Returns: whether all of it is sent.
    @discardableResult
    func sendOutput() -> Bool {
        if tls != nil, file != nil { return sendEncryptedFile() }
        return sendBytes() && sendFile()
    }

    func sendBytes() -> Bool {
        // Taken out for as long as it is worked on: each look at a property of a class is checked at run time.
        var bytes: [UInt8] = []
        swap(&bytes, &output)
        guard !bytes.isEmpty else { return true }
        var start = sent
        while start < bytes.count {
            let result: Socket.Outcome
            if let tls {
                result = tls.send(bytes.span.extracting(start...))
            } else {
                result = socket.send(bytes.span.extracting(start...), more: file != nil)
            }
            switch result {
            case .bytes(let count):
                start += count
                loop.bytesSent += count
                lastProgress = loop.clock.now
                outputMeter?.given += count
            case .wouldBlock:
                output = bytes
                sent = start
                startMeter()
                return false
            case .end, .failed:
                abort()
                return false
            }
        }
        sent = 0
        if outputMeter != nil, file == nil { outputMeter = nil }
        loop.buffers.giveBack(outputBuffer: consume bytes)
        return true
    }

    /// Starts to measure how fast the client takes the output.
    func startMeter() {
        let meter =
            outputMeter ?? OutputMeter(queued: socket.unacknowledged, at: loop.clock.now, server: server)
        // What a handler goes on writing lasts as long as its request.
        meter.hold.set(output.capacity + (isUnderWay ? Int(counts.headSize) : 0))
        outputMeter = meter
    }

    /// Watches the socket for the events that are of use now; costs a system call only when these have changed.
    ///
    /// - Parameter isLazy: whether a watch may stay that is of no use for now. Few clients send anything before they have their
    ///   answer, so that two system calls a request would change nothing; what does come ends the watch.
    func updateInterest(isLazy: Bool = false) {
        guard isOpen else { return }
        if isLazy, phase == .exchange, interest == .readable, output.isEmpty, !wantsInput, !isFileReady, !tlsWantsWrite
        {
            return
        }
        // What has arrived would be reported again and again while nothing can be received.
        let reading: Readiness = wantsInput && !(tls?.readingWantsWrite ?? false) ? .readable : []
        watch(!output.isEmpty || isFileReady || tlsWantsWrite ? reading.union(.writable) : reading)
        if !reading.isEmpty { receiveUnreadLater() }
    }

    /// Gives the client time to read the last answer and to close. Past `limits.lingering`, the oldest such connection
    /// is cut.
    private func waitForClose() {
        lastProgress = loop.clock.now
        loop.lingering.append(self, at: loop.clock.now)
        let count = server.lingering.add(1, ordering: .relaxed).newValue
        if count > server.configuration.limits.lingering { loop.lingering.oldest?.abort() }
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
