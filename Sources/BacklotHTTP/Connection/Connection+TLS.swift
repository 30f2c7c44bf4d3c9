internal import HTTPTypes
internal import Logging

/// What differs over TLS once the handshake is done.
extension Connection {
    /// How much of a file is encrypted and sent at a time: four records of TLS.
    private static let encryptedPiece = 64 * 1024

    /// Whether the client has sent bytes that have not been received.
    var hasInput: Bool { tls?.hasUnread ?? false || socket.hasInput }

    /// Whether TLS waits for room to write, besides what is in `output`.
    var tlsWantsWrite: Bool {
        guard let tls else { return false }
        return wantsInput && tls.readingWantsWrite || phase == .lingering && !sendingEnded && !hasOutput
    }

    /// Receives, in the next round of the loop, what TLS has decrypted already: the system doesn't report it again.
    func receiveUnreadLater() {
        guard let tls, tls.hasUnread, isOpen, wantsInput, !isReceiveScheduled else { return }
        isReceiveScheduled = true
        loop.later { [self] in
            isReceiveScheduled = false
            if isOpen { receive() }
        }
    }

    /// Ends a connection that is broken, and says why where it is TLS that is.
    func receivingFailed() {
        if let failure = tls?.failure {
            server.logger.debug("the TLS connection of \(remoteAddress) broke: \(failure)")
        }
        abort()
    }

    /// Tells the client that nothing more will come.
    ///
    /// - Returns: whether it is said, or needn't be.
    @discardableResult
    func sayGoodbye() -> Bool {
        guard let tls, !sendingEnded else { return true }
        return tls.shutDown() != .wantsWrite
    }

    /// Sends what is in `output`, and the file after it, through this program's memory: the system can't encrypt.
    ///
    /// - Returns: whether all of it is sent.
    func sendEncryptedFile() -> Bool {
        while let file {
            guard sendEncrypted(file) else { return false }
        }
        return sendBytes()
    }

    /// Sends the next piece of a file.
    ///
    /// - Returns: whether it is sent.
    private func sendEncrypted(_ file: OutgoingSlice) -> Bool {
        guard output.count - sent < Self.encryptedPiece || sendBytes() else { return false }
        guard loop.fileRoom > 0 else { return false }
        guard file.prepare(on: loop, whenLoaded: { [self] in didLoad() }) else {
            // It isn't the client that takes its time.
            if sendBytes() { outputMeter = nil }
            return false
        }
        let count = file.available(upTo: min(loop.fileRoom, Self.encryptedPiece - (output.count - sent)))
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
        if file.isSent { self.file = nil }
        return sendBytes()
    }
}

/// What comes before the first request: the header of the PROXY protocol, and the handshake of TLS.
extension Connection {
    /// The first byte of a handshake (RFC 8446, section 5.1).
    private static let handshakeByte: UInt8 = 22

    func beginOpening() {
        phase = .opening
        awaitsProxyHeader = server.hasProxyHeader(remoteAddress)
        updateDeadline()
    }

    func goOnOpening(_ readiness: Readiness) {
        goOnOpening()
        if readiness.contains(.hungUp), isOpen, phase == .opening { failOpening("the client is gone") }
    }

    private func goOnOpening() {
        if awaitsProxyHeader, !readProxyHeader() { return }
        if let tls { return shakeHands(tls) }
        guard let acceptor = server.tls else { return endOpening() }
        var buffer = loop.buffers.takeReadBuffer()
        let received = socket.peek(into: &buffer, upTo: 1)
        let byte = buffer[0]
        loop.buffers.giveBack(readBuffer: consume buffer)
        switch received {
        case .bytes where byte == Self.handshakeByte:
            let tls = TLSSession.server(acceptor.context, on: socket)
            self.tls = tls
            shakeHands(tls)
        case .bytes:
            isStray = true
            endOpening()
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
            lastProgress = loop.clock.now
            startHTTP2()
            finishRound()
        }
    }

    /// Waits for the first request.
    private func endOpening() {
        phase = .head
        lastProgress = loop.clock.now
        setDeadline(loop.clock.now + server.configuration.waits.head)
        if isDraining { updateDeadline() }
        if tls == nil { receive() } else { receiveUnreadLater() }
    }

    private func failOpening(_ reason: String) {
        server.noteFailedHandshake(reason, from: remoteAddress, at: loop.clock.elapsed)
        tls = nil
        // Reads on and drops the bytes: if the socket closed while some wait, the system would reset the connection, and the client
        // might lose the alert with the reason.
        linger()
    }

    func openingTimeOut() {
        guard tls != nil else {
            server.logger.debug("nothing came from \(remoteAddress): its connection is closed")
            return abort()
        }
        let limit = isDraining ? "the server stops" : "it took longer than \(server.configuration.timeouts.handshake)"
        server.noteFailedHandshake(limit, from: remoteAddress, at: loop.clock.elapsed)
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
            partial = Partial(
                bytes: bytes,
                parser: HeadParser(limits: server.configuration.limits),
                began: lastProgress,
                server: server
            )
            return false
        case .malformed(let reason):
            server.logger.debug("refused a connection from \(remoteAddress): \(reason)")
            abort()
            return false
        case .complete(let length, let client):
            socket.skip(length - earlier.count, using: &buffer)
            (partial, awaitsProxyHeader) = (nil, false)
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

    // MARK: Clear text on a port of TLS

    /// Whether a request in clear text is answered on a port of TLS.
    func mayBeStray(_ head: RequestHead) -> Bool {
        guard let prefix = server.tls?.configuration.clearTextPath, head.isMethod("GET") || head.isMethod("HEAD") else {
            return false
        }
        let path = head.string(head.line.path)
        // No way out of the folder, whatever a handler makes of the path.
        guard !path.contains(".."), !path.contains("%") else { return false }
        return path == prefix || path.hasPrefix(prefix + "/")
    }

    /// Says where to go instead.
    func refuseStray(_ head: RequestHead) {
        server.logger.debug("a request from \(remoteAddress) came in clear text to a port of TLS")
        isPersistent = false
        let host = RequestHeaders(head: head).first { $0.name.lowercased() == "host" }?.value
        let path = head.string(head.line.path)
        guard let host else {
            write(.text("speak https here\n", status: .badRequest))
            return linger()
        }
        let trust = server.tls?.configuration.clearTextPath.map { "to trust this server first: http://\(host)\($0)\n" }
        write(.text("speak https here: https://\(host)\(path)\n\(trust ?? "")", status: .badRequest))
        linger()
    }
}
