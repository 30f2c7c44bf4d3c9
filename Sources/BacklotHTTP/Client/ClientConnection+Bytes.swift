/// Sends and receives the bytes, and decides which events the connection waits for.
extension ClientConnection {
    /// Gives the system as many bytes as it accepts.
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
                // Nothing more can be sent, but there may be a response to read.
                isSendingOver = true
                return receive()
            }
        }
        if let exchange, exchange.isBodyHeld, exchange.request.waitsForContinue, continueDeadline == nil {
            continueDeadline = loop.clock.now + exchange.bounds.continueWait
        }
        if let exchange, exchange.request.opensWebSocket, exchange.isRequestEnded, !isSendingOver {
            // The end of the WebSocket's client, which the server might wait for.
            isSendingOver = true
            _ = tls?.shutDown()
            socket.shutdownSending()
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

    /// Between two exchanges, HTTP/1.1 sends nothing, and HTTP/2 only a few frames.
    private func receivedIdle(_ received: Socket.Outcome, _ buffer: [UInt8], _ codec: any HTTPClientCodec) {
        switch received {
        case .bytes(let count):
            try? codec.receive(buffer.span.extracting(..<count))
            if codec.isReusable { send() } else { close() }
        case .wouldBlock: wait()
        case .end, .failed: close()
        }
    }

    /// Delivers the received part of the response.
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

    /// Receives, in the next round of the loop, bytes that TLS has already decrypted: the system doesn't report them again.
    private func receiveUnreadLater() {
        guard let tls, tls.hasUnread, isOpen, !isReceiveScheduled else { return }
        isReceiveScheduled = true
        loop.later { [self] in
            isReceiveScheduled = false
            if isOpen, !isPaused { receive() }
        }
    }

    /// The error for a connection that can't receive any more. A broken connection isn't the end of a response (RFC 9112, section 8). Over
    /// TLS, only the server's close alert is an end: anybody can end the connection.
    private func broken() -> ClientConnectionError {
        // With TLS 1.3, a server may refuse the client after the client's handshake is done.
        if let failure = tls?.failure, failure.isAlert, exchange?.hasResponse != true {
            return ClientConnectionError(failure)
        }
        return .cutShort(bodyBytes: codec.flatMap { $0.response == nil ? nil : $0.bodyCount })
    }

    // MARK: Waiting

    /// Whether the connection stops receiving until the reader of the response has caught up. With HTTP/2, its windows do that.
    var isPaused: Bool { exchange?.isFull ?? false && codec is HTTP1Client }

    func wait() {
        guard isOpen else { return }
        if isPaused {
            watch(sent < output.count && !isSendingOver ? .writable : [])
        } else if tls?.readingWantsWrite ?? false {
            // While the connection receives nothing, the system would report the same bytes repeatedly.
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
        // While the server waits for the client, it may take its time.
        let isSending = sent < output.count || (codec?.unsent ?? 0) > 0
        if codec == nil || isSending || !exchange.isFull && (exchange.isRequestEnded || exchange.isBodyHeld) {
            deadline = min(deadline, lastProgress + exchange.bounds.idle)
        }
        setDeadline(min(deadline, continueDeadline ?? .max))
    }
}
