/// The way of the request from the connection to the handler.
extension HTTP2Stream: BodySource {
    /// Takes bytes of the body.
    func bodyCame(_ bytes: Span<UInt8>) {
        unconsumed += bytes.count
        connection.input.bytes += bytes.count
        lastReceived = connection.now
        owesContinue = false
        if let incoming {
            incoming.append(bytes)
            noteFed()
        } else if isAnswered {
            dropBody()
        } else {
            received.append(copying: bytes)
        }
    }

    /// The client has ended its side of the stream.
    func requestEnded() {
        isRequestEnded = true
        if incoming != nil { noteFed() }
    }

    private func noteFed() {
        guard !isFed else { return }
        isFed = true
        connection.fed.append(self)
    }

    /// Hands on what has come.
    func deliver() {
        isFed = false
        if isRequestEnded { incoming?.finish() } else { incoming?.deliver() }
    }

    /// Whether a handler waits for the client to send.
    var isBodyAwaited: Bool { incoming?.isAwaited ?? false }

    /// Ends the body early: its reader gets `error`.
    func failBody(_ error: @autoclosure () -> any Error) {
        incoming?.fail(error())
        dropBody()
    }

    /// Opens the connection's window again by the bytes that no handler will take.
    private func dropBody() {
        guard unconsumed > 0 else { return }
        connection.session.consume(unconsumed)
        unconsumed = 0
        connection.changed()
    }

    /// The body as the handler will see it.
    func makeBody(_ head: RequestHead) -> RequestBody {
        let limit = server.configuration.limits.body
        if isRequestEnded {
            dropBody()
            defer { received = [] }
            return RequestBody(.bytes(received), limit: limit)
        }
        var length: Int?
        if case .length(let declared) = head.framing { length = declared }
        let incoming = IncomingBody(declaredLength: length, loop: loop, source: self, server: server)
        incoming.append(received.span)
        owesContinue = head.expectsContinue && received.isEmpty
        received = []
        self.incoming = incoming
        return RequestBody(.incoming(incoming), limit: limit)
    }

    func bodyWanted(taken: Int) {
        guard isOpen else { return }
        lastReceived = connection.now
        if taken > 0 {
            unconsumed -= taken
            connection.session.consume(taken, of: self)
            connection.changed()
        } else if owesContinue {
            sendContinue()
        }
    }

    /// Tells a client that waits with the body to send it (RFC 9110, section 10.1.1).
    func sendContinue() {
        guard owesContinue, !isAnswered else { return }
        owesContinue = false
        var head = FieldList()
        head.append(":status", decimal: 100)
        connection.session.submitInformational(head, on: self)
        connection.changed()
    }
}
