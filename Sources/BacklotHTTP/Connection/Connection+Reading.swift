extension Connection {
    /// Reads what has arrived, and works on it.
    func receive() {
        // What comes meanwhile stays with the system: the watch need not change for so short a time.
        if waitsForTurn { return }
        guard wantsInput else {
            if task != nil, !inputEnded { noticeEnd() }
            return updateInterest()
        }
        let wasBlocked = tls?.readingWantsWrite ?? false
        var buffer = loop.buffers.takeReadBuffer()
        let received: Socket.Outcome
        if let tls { received = tls.receive(into: &buffer) } else { received = socket.receive(into: &buffer) }
        switch received {
        case .bytes(let count):
            loop.bytesReceived += count
            self.received(buffer, count: count)
        case .end: endInput()
        case .wouldBlock: break
        case .failed: receivingFailed()
        }
        loop.buffers.giveBack(readBuffer: consume buffer)
        if wasBlocked || tls?.readingWantsWrite ?? false { updateInterest() }
        receiveUnreadLater()
    }

    private func received(_ buffer: [UInt8], count: Int) {
        if phase == .lingering {
            // What it sends says nothing about whether it takes an answer.
            guard sendingEnded else { return }
            lastProgress = loop.clock.now
            return updateDeadline()
        }
        lastProgress = loop.clock.now
        if phase == .http2 { return receiveHTTP2(buffer.span.extracting(..<count)) }
        process(buffer, count: count)
    }

    /// Whether bytes that arrive now can be used.
    var wantsInput: Bool {
        guard !inputEnded else { return false }
        switch phase {
        case .head: return hasRoom
        case .exchange: return incoming.map { !$0.isFinished && !$0.isFull } ?? false
        case .http2: return output.count - sent < HTTP2Connection.outputLimit
        case .opening, .discarding, .lingering: return true
        }
    }

    /// Works on bytes that have just arrived, after those that were there before.
    private func process(_ buffer: [UInt8], count: Int) {
        if let partial {
            partial.bytes.append(copying: buffer.span.extracting(..<count))
            processPartial()
        } else {
            var parser = HeadParser(limits: server.configuration.limits)
            let consumed = work(on: buffer, count: count, &parser)
            if isOpen, phase != .lingering, consumed < count {
                let rest = Array(copying: buffer.span.extracting(consumed..<count))
                partial = Partial(bytes: rest, parser: parser, began: loop.clock.now, server: server)
            }
            finishRound()
        }
    }

    /// Works on the bytes that wait.
    private func processPartial() {
        workOnPartial()
        finishRound()
    }

    private func workOnPartial() {
        waitsForRoom = false
        guard let partial else { return }
        var parser = partial.parser
        let consumed = work(on: partial.bytes, count: partial.bytes.count, &parser)
        if !isOpen || phase == .lingering || consumed == partial.bytes.count {
            self.partial = nil
        } else if consumed > 0 {
            let rest = Array(partial.bytes[consumed...])
            self.partial = Partial(bytes: rest, parser: parser, began: loop.clock.now, server: server)
        } else {
            partial.parser = parser
        }
    }

    /// Goes on with bytes that had to wait for an answer, and with reading.
    func resumeInput() {
        guard isOpen, !isProcessing else { return }
        if partial != nil, phase != .lingering { processPartial() } else { finishRound() }
    }

    /// Sends what there is, and sets what to wait for next, and for how long.
    func finishRound() {
        flush()
        // Nothing would call for requests that wait here once all answers before them are sent.
        while isOpen, waitsForRoom, hasRoom {
            workOnPartial()
            flush()
        }
        if isOpen, hasRoom { outgoing?.roomMade() }
        closeIfDone()
        if !waitsForTurn { updateInterest(isLazy: true) }
        updateDeadline()
    }

    /// Takes as many messages out of `bytes` as there are and as can be worked on.
    ///
    /// - Parameter parser: sees what is not used up.
    /// - Returns: how many bytes were used up.
    private func work(on bytes: [UInt8], count: Int, _ parser: inout HeadParser) -> Int {
        isProcessing = true
        defer { isProcessing = false }
        var position = 0
        var begun = 0
        while isOpen, position < count {
            switch phase {
            case .head:
                guard hasRoom else {
                    waitsForRoom = true
                    return position
                }
                guard begun < Self.requestsPerTurn else {
                    waitForTurn()
                    return position
                }
                do throws(RequestError) {
                    guard let head = try parser.parse(bytes.span.extracting(position..<count)) else {
                        return position
                    }
                    begun += 1
                    position += head.length
                    begin(head, bytes, &position, count)
                } catch {
                    let rest = bytes.span.extracting(position..<count)
                    if isPreface(error, rest) { startHTTP2() } else { refuse(error, isHead: parser.isHead(rest)) }
                }
            case .exchange, .discarding:
                guard let incoming, !incoming.isFinished else { return position }
                feed(incoming, bytes, &position, count)
            case .http2:
                http2?.receive(bytes.span.extracting(position..<count))
                return count
            case .opening, .lingering: return count
            }
        }
        return position
    }

    /// Lets other connections have their turn before the next requests of this one.
    private func waitForTurn() {
        waitsForTurn = true
        loop.later { [self] in
            waitsForTurn = false
            resumeInput()
        }
    }

    private func feed(_ incoming: FramedBody, _ bytes: [UInt8], _ position: inout Int, _ count: Int) {
        do throws(RequestError) {
            owesContinue = false
            try incoming.feed(bytes.span.extracting(..<count), from: &position)
            if incoming.isFinished, phase == .discarding { nextRequest() }
        } catch {
            // In an exchange the handler gets the error from the body, and its answer is the refusal.
            isPersistent = false
            position = count
            if phase == .discarding { linger() }
        }
    }

    /// Looks whether the client has closed its side while a handler is at work. Other bytes stay with the system.
    private func noticeEnd() {
        var byte: [UInt8] = [0]
        switch tls?.peek() ?? socket.peek(into: &byte, upTo: 1) {
        case .end: endInput()
        case .failed: receivingFailed()
        case .bytes, .wouldBlock: break
        }
    }

    /// The client has closed its side: answers can still be sent.
    private func endInput() {
        inputEnded = true
        lastProgress = loop.clock.now
        http2?.endInput()
        if phase == .exchange, let incoming, !incoming.isFinished {
            isPersistent = false
            incoming.fail(RequestError.incomplete)
        }
        finishRound()
    }

    /// Closes after the client's last byte, once all answers are sent.
    func closeIfDone() {
        if isOpen, inputEnded, phase != .exchange, phase != .http2, !hasOutput, !waitsForTurn {
            sayGoodbye()
            abort()
        }
    }
}
