internal import HTTPTypes
internal import Logging

/// The steps before the first request: the header of the PROXY protocol, and the handshake of TLS.
extension Connection {
    /// The first byte of a handshake (RFC 8446, section 5.1).
    private static let handshakeByte: UInt8 = 22

    /// Continues after an event.
    func continueOpening(_ readiness: Readiness) {
        continueOpening()
        if readiness.contains(.hungUp), machine.isOpening { failOpening("the client is gone") }
    }

    private func continueOpening() {
        if machine.phase == .proxyHeader, !readProxyHeader() { return }
        if let tls { return shakeHands(tls) }
        guard let acceptor = server.tls else { return endOpening() }
        var buffer = loop.buffers.takeReadBuffer()
        let received = socket.peek(into: &buffer, upTo: 1)
        let byte = buffer[0]
        loop.buffers.giveBack(readBuffer: consume buffer)
        switch received {
        case .bytes where byte == Self.handshakeByte:
            machine.open(with: .handshake)
            let tls = TLSSession.server(acceptor.context, on: socket)
            self.tls = tls
            shakeHands(tls)
        case .bytes: endOpening()
        case .wouldBlock: break
        // A probe of a load balancer, for example.
        case .end, .failed: abort()
        }
    }

    private func shakeHands(_ tls: TLSSession) {
        switch tls.handshake() {
        case .wantsRead: watch(.readable)
        case .wantsWrite: watch(.writable)
        case .failed(let failure): failOpening(failure.description)
        case .done:
            watch(.readable)
            guard tls.applicationProtocol == "h2" else { return endOpening() }
            machine.advance(to: .http2, at: loop.clock.now)
            startHTTP2()
            round()
        }
    }

    /// Speaks HTTP/2 from now on.
    func startHTTP2() {
        machine.open(with: .http2)
        let http2 = HTTP2Connection(self)
        self.http2 = http2
        if machine.isDraining { http2.drain() }
    }

    /// Waits for the first request.
    private func endOpening() {
        machine.advance(to: .head, at: loop.clock.now)
        updateDeadline()
        if tls == nil { receive() } else { receiveUnreadLater() }
    }

    private func failOpening(_ reason: String) {
        server.noteFailedHandshake(reason, from: remoteAddress, at: loop.clock.elapsed)
        tls = nil
        // Reads on and drops the bytes: if the socket closed while some wait, the system would reset the connection, and the client
        // might lose the alert with the reason.
        finish()
    }

    func noteOpeningTimedOut() {
        guard tls != nil else {
            return server.logger.debug("nothing came from \(remoteAddress): its connection is closed")
        }
        let isDraining = machine.isDraining
        let limit = isDraining ? "the server stops" : "it took longer than \(server.configuration.timeouts.handshake)"
        server.noteFailedHandshake(limit, from: remoteAddress, at: loop.clock.elapsed)
    }

    /// Ends a broken connection. The log names the reason if TLS failed.
    func receivingFailed() {
        if let failure = tls?.failure {
            server.logger.debug("the TLS connection of \(remoteAddress) broke: \(failure)")
        }
        abort()
    }

    // MARK: PROXY protocol

    /// Takes in the header.
    ///
    /// - Returns: whether it is complete.
    private func readProxyHeader() -> Bool {
        var buffer = loop.buffers.takeReadBuffer()
        defer { loop.buffers.giveBack(readBuffer: buffer) }
        let earlier = partial?.bytes ?? []
        let bytes: [UInt8]
        switch socket.peek(into: &buffer, upTo: ProxyHeader.longest) {
        case .bytes(let count): bytes = earlier + buffer[..<count]
        case .wouldBlock: return false
        case .end, .failed:
            abort()
            return false
        }
        switch ProxyHeader.read(bytes.span) {
        case .incomplete:
            // All of it belongs to the header: the system would report what stays with it again and again.
            socket.skip(bytes.count - earlier.count, using: &buffer)
            let parser = HeadParser(limits: server.configuration.limits)
            partial = Partial(bytes: bytes, parser: parser, server: server)
            return false
        case .malformed(let reason):
            server.logger.debug("refused a connection from \(remoteAddress): \(reason)")
            abort()
            return false
        case .complete(let length, let client):
            socket.skip(length - earlier.count, using: &buffer)
            partial = nil
            machine.open(with: .opening)
            return client.map(take) ?? true
        }
    }

    /// Takes the address of the client for that of the connection, unless the client has too many.
    private func take(_ client: SocketAddress) -> Bool {
        guard server.admit(connectionFrom: client) else {
            server.logger.debug("refused a connection: there are too many from \(client.host)")
            abort()
            return false
        }
        remoteAddress = client
        return true
    }
}
