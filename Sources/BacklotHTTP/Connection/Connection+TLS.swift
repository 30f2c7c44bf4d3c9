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
