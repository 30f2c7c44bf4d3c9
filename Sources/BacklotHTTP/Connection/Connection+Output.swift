internal import Logging
internal import Synchronization

extension Connection {
    /// How many bytes of responses may wait before the client must catch up.
    static let highWater = 256 * 1024
    /// Files up to this size, in bytes, are read and sent with their heads: one system call less, and cheaper up to
    /// here.
    static let copiedFileSize = 32 * 1024
    /// How much of a file is encrypted and sent at a time: four records of TLS.
    private static let encryptedPiece = 64 * 1024
    /// How often frames of HTTP/2 are gathered and sent before others get their turn.
    private static let writesPerTurn = 16

    private var waiting: Int { output.count - sent }

    /// Whether more may be written before the client has taken what is there.
    var hasRoom: Bool { waiting < Self.highWater && activity?.file == nil }

    /// Whether the client has not been sent all of it yet.
    var hasOutput: Bool { !output.isEmpty || activity?.file != nil }

    // MARK: Gathering

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
        roundLater()
    }

    /// Puts the chunk that has been gathered after what waits to be sent.
    func closeChunk() {
        guard let outgoing = activity?.outgoing, !outgoing.chunk.isEmpty else { return }
        append { ResponseEncoder.writeChunk(outgoing.chunk, into: &$0) }
        outgoing.chunk = []
    }

    /// Sends a slice of a file after what is in `output`. Until it is sent there is no room for anything else.
    func write(_ slice: FileSlice) {
        guard slice.count <= Self.copiedFileSize else {
            active.file = OutgoingSlice(slice)
            return
        }
        var read: Result<Int?, FileError> = .success(nil)
        append { bytes in
            read = Result { () throws(FileError) in
                try slice.file.read(slice.within(slice.count, from: 0), into: &bytes, mayBlock: false)
            }
        }
        switch read {
        case .success(slice.count): break
        case .success(nil): active.file = OutgoingSlice(slice)
        case .success, .failure: cutFile()
        }
    }

    /// Cuts the connection: the file has become shorter, or can't be read, and its length is promised already.
    private func cutFile() {
        server.logger.error("a file became shorter, or unreadable, while it was sent: its connection was cut")
        activity?.file = nil
        // Responses before this one are whole, and may still be here.
        sendOutput()
        abort()
    }

    // MARK: Sending

    /// Gives the system as much as it takes.
    func flush() {
        closeChunk()
        if let http2 { flush(http2) }
        guard isOpen, sendOutput(), machine.phase == .finishing, sayGoodbye() else { return }
        machine.sent(at: loop.clock.now)
        socket.shutdownSending()
        guard machine.input != .ended else { return }
        // The client gets time to read the last response and to close. Past the limit, the oldest such connection is cut.
        loop.lingering.append(self)
        let count = server.lingering.add(1, ordering: .relaxed).newValue
        if count > server.configuration.limits.lingering { loop.lingering.first?.abort() }
    }

    /// Sends frames as long as there are any and the system takes them.
    private func flush(_ http2: HTTP2Connection) {
        var writes = 0
        while sendOutput(), http2.wantsToWrite {
            guard writes < Self.writesPerTurn else {
                machine.yield()
                break
            }
            writes += 1
            append { http2.write(into: &$0) }
            if output.isEmpty { break }
        }
        http2.relieve()
        http2.publishHeld()
        if machine.input == .ended, isOpen, output.isEmpty, !http2.wantsToWrite { http2.resetBlocked() }
        if isOpen, http2.isOver { perform(machine.finish(at: loop.clock.now)) }
    }

    /// Sends what is in `output`, and the file after it.
    ///
    /// - Returns: whether all of it is sent.
    @discardableResult
    func sendOutput() -> Bool {
        guard let file = activity?.file else { return sendBytes() }
        return tls == nil ? sendBytes() && send(file) : sendEncrypted(file) && sendBytes()
    }

    private func sendBytes() -> Bool {
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
                result = socket.send(bytes.span.extracting(start...), more: activity?.file != nil)
            }
            switch result {
            case .bytes(let count):
                start += count
                noteSent(count)
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
        if activity?.file == nil { stopMeter() }
        loop.buffers.giveBack(outputBuffer: consume bytes)
        return true
    }

    /// Sends of a large body what the system takes and this turn allows.
    ///
    /// - Returns: whether nothing of it is left.
    private func send(_ file: OutgoingSlice) -> Bool {
        while !file.isSent {
            guard prepare(file) else { return false }
            switch file.send(to: socket, most: loop.fileRoom) {
            case .bytes(0):
                cutFile()
                return false
            case .bytes(let count):
                loop.fileRoom -= count
                noteSent(count)
            case .wouldBlock:
                startMeter()
                return false
            case .end, .failed:
                abort()
                return false
            }
        }
        activity?.file = nil
        stopMeter()
        return true
    }

    /// Encrypts and sends a large body through this program's memory: the system can't encrypt.
    ///
    /// - Returns: whether nothing of it is left, but for bytes in `output`.
    private func sendEncrypted(_ file: OutgoingSlice) -> Bool {
        while !file.isSent {
            guard waiting < Self.encryptedPiece || sendBytes() else { return false }
            guard prepare(file) else {
                _ = sendBytes()
                return false
            }
            let count = file.available(upTo: min(loop.fileRoom, Self.encryptedPiece - waiting))
            var isThere = true
            append { bytes in
                let before = bytes.count
                isThere = file.take(count, into: &bytes)
                if !isThere { bytes.removeLast(bytes.count - before) }
            }
            guard isThere else {
                cutFile()
                return false
            }
            loop.fileRoom -= count
            guard file.isSent || sendBytes() else { return false }
        }
        activity?.file = nil
        return true
    }

    /// Finds out whether bytes of a large body can be sent in this turn.
    private func prepare(_ file: OutgoingSlice) -> Bool {
        guard loop.fileRoom > 0 else {
            startMeter()
            return false
        }
        let isReady = file.prepare(on: loop) { [self] in
            loop.fileRoom = OutgoingSlice.window
            activity?.outputMeter?.lastTaken = loop.clock.now
            round()
        }
        // It isn't the client that takes its time.
        if !isReady, output.isEmpty { stopMeter() }
        return isReady
    }

    /// Tells the client that nothing more will come.
    ///
    /// - Returns: whether it is said, or needn't be.
    @discardableResult
    func sayGoodbye() -> Bool {
        guard let tls, machine.phase != .lingering else { return true }
        return tls.shutDown() != .wantsWrite
    }

    // MARK: Slow clients

    private func noteSent(_ count: Int) {
        loop.bytesSent += count
        activity?.outputMeter?.note(count, at: loop.clock.now)
    }

    /// Starts to measure how fast the client takes the output.
    private func startMeter() {
        let meter =
            activity?.outputMeter ?? OutputMeter(queued: socket.unacknowledged, at: loop.clock.now, server: server)
        // What a handler goes on writing lasts as long as its request.
        meter.hold.set(output.capacity + (isUnderWay ? Int(counts.headSize) : 0))
        active.outputMeter = meter
    }

    private func stopMeter() {
        guard let activity, activity.outputMeter != nil else { return }
        activity.outputMeter = nil
        machine.written(at: loop.clock.now)
    }

    /// Cuts the connection, unless the client has taken more than the system has told so far.
    func outputTimedOut() {
        guard let meter = activity?.outputMeter else { return }
        let now = loop.clock.now
        meter.look(queued: socket.unacknowledged, at: now)
        if meter.deadline(server.configuration) <= now { abort() } else { updateDeadline() }
    }

    // MARK: Interest

    /// Whether bytes that arrive now can be used.
    var wantsInput: Bool {
        let isBodyFull = activity?.incoming?.isFull ?? false
        let hasRoom = http2 == nil ? hasRoom : waiting < HTTP2Connection.outputLimit
        return machine.wantsInput(hasRoom: hasRoom, isBodyFull: isBodyFull)
    }

    /// Whether the client has sent bytes that have not been received.
    var hasInput: Bool { tls?.hasUnread ?? false || socket.hasInput }

    /// Watches the socket for the events that are of use now; costs a system call only when these have changed.
    ///
    /// - Parameter isLazy: whether a watch may stay that is of no use for now. Few clients send anything before they have their
    ///   response, so that two system calls a request would change nothing; what does come ends the watch.
    func updateInterest(isLazy: Bool = false) {
        guard isOpen else { return }
        let wantsInput = wantsInput
        let isWritingBlocked =
            !output.isEmpty || activity?.file.map { !$0.isLoading } ?? false
            || machine.phase == .finishing && !hasOutput && tls != nil
        let isReadingBlocked = wantsInput && tls?.readingWantsWrite ?? false
        let writing: Readiness = isWritingBlocked || isReadingBlocked ? .writable : []
        if isLazy, interest == .readable, writing.isEmpty, !wantsInput, machine.isInExchange { return }
        // What has arrived would be reported again and again while nothing can be received.
        let isReading = wantsInput && !isReadingBlocked
        let watchesEnd = machine.phase == .exchange && machine.input == .open
        watch(writing.union(isReading ? .readable : watchesEnd ? .ended : []))
        if isReading { receiveUnreadLater() }
    }

    /// Receives, in the next round of the loop, what TLS has decrypted already: the system doesn't report it again.
    func receiveUnreadLater() {
        if tls?.hasUnread ?? false, wantsInput { roundLater() }
    }
}
