/// The way of the bytes, and what is waited for.
extension ClientConnection {
    /// Gives the system as much as it takes.
    func send() {
        while isOpen, !isSendingOver {
            if sent == output.count {
                (output, sent) = (codec?.takeOutput() ?? [], 0)
                if output.isEmpty { break }
            }
            let bytes = output
            let rest = bytes.span.extracting(sent...)
            switch tls?.send(rest) ?? socket.send(rest) {
            case .bytes(let count):
                sent += count
                lastProgress = loop.clock.now
            case .wouldBlock: return wait()
            case .end, .failed:
                // Nothing more can be sent, but there may be an answer to read.
                isSendingOver = true
                return receive()
            }
        }
        if exchange?.isBodyHeld ?? false, continueDeadline == nil {
            continueDeadline = loop.clock.now + Self.continueWait
        }
        if !isOutputFull { exchange?.roomMade() }
        wait()
    }

    func receive() {
        var buffer = loop.buffers.takeReadBuffer()
        defer { loop.buffers.giveBack(readBuffer: buffer) }
        let received = tls?.receive(into: &buffer) ?? socket.receive(into: &buffer)
        guard let codec else { return }
        guard let exchange else { return receivedIdle(received, buffer, codec) }
        do throws(ClientConnectionError) {
            switch received {
            case .bytes(let count):
                hasReceived = true
                lastProgress = loop.clock.now
                try codec.receive(buffer.span.extracting(..<count))
                if codec.hasBegun { exchange.noteFirstByte() }
                if codec.isContinued { releaseBody(wasContinued: true) }
                if isOpen { deliver(codec, isWhole: codec.isFinished) }
            case .failed: throw broken()
            case .end:
                try codec.end()
                isSendingOver = true
                deliver(codec, isWhole: true)
            case .wouldBlock: break
            }
            if isOpen, sent == output.count { return send() }
            wait()
        } catch {
            fail(error)
        }
    }

    /// Between two exchanges, HTTP/1.1 has nothing to say, and HTTP/2 little.
    private func receivedIdle(_ received: Socket.Outcome, _ buffer: [UInt8], _ codec: any HTTPClientCodec) {
        switch received {
        case .bytes(let count):
            try? codec.receive(buffer.span.extracting(..<count))
            if codec.isReusable { send() } else { close() }
        case .wouldBlock: wait()
        case .end, .failed: close()
        }
    }

    /// Hands on what has come of the answer.
    private func deliver(_ codec: any HTTPClientCodec, isWhole: Bool) {
        guard let exchange else { return }
        let bytes = codec.takeBody()
        unconsumed += bytes.count
        if exchange.hasResponse {
            if isWhole { release() }
            exchange.bodyCame(bytes, isWhole: isWhole)
        } else if let response = codec.response {
            let version = codec.version
            if isWhole { release() }
            exchange.responded(response, version, bytes, isWhole: isWhole)
        }
    }

    /// Receives, in the next round of the loop, what TLS has decrypted already: the system doesn't report it again.
    private func receiveUnreadLater() {
        guard let tls, tls.hasUnread, isOpen, !isReceiveScheduled else { return }
        isReceiveScheduled = true
        loop.later { [self] in
            isReceiveScheduled = false
            if isOpen, !isPaused { receive() }
        }
    }

    /// Why nothing is received any more. A connection that breaks is not the end of an answer (RFC 9112, section 8), and over
    /// TLS only its own farewell is: anybody can end the connection.
    private func broken() -> ClientConnectionError {
        // A server of TLS 1.3 may refuse the client when the client's handshake is done already.
        if let failure = tls?.failure, failure.isAlert, exchange?.hasResponse != true {
            return ClientConnectionError(failure)
        }
        return .cutShort(bodyBytes: codec.flatMap { $0.response == nil ? nil : $0.bodyCount })
    }

    // MARK: What is waited for

    /// Whether nothing is received until the reader of the answer has caught up. With HTTP/2 its windows see to that.
    var isPaused: Bool { exchange?.isFull ?? false && codec is HTTP1Client }

    func wait() {
        guard isOpen else { return }
        if isPaused {
            watch(sent < output.count && !isSendingOver ? .writable : [])
        } else if tls?.readingWantsWrite ?? false {
            // What has arrived would be reported again and again while nothing can be received.
            watch(.writable)
        } else {
            watch(sent < output.count && !isSendingOver ? [.readable, .writable] : .readable)
        }
        updateDeadline()
        if !isPaused { receiveUnreadLater() }
    }

    func updateDeadline() {
        guard let exchange else { return setDeadline(lastProgress + ClientPool.patience) }
        var deadline = exchange.began + exchange.bounds.total
        // Where the client itself is waited for, the server may take its time.
        let isSending = sent < output.count || (codec?.unsent ?? 0) > 0
        if codec == nil || isSending || !exchange.isFull && (exchange.isRequestEnded || exchange.isBodyHeld) {
            deadline = min(deadline, lastProgress + exchange.bounds.idle)
        }
        setDeadline(min(deadline, continueDeadline ?? .max))
    }
}
