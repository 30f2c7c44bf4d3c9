/// How a connection starts HTTP/2, and sends its frames.
extension Connection {
    /// How often frames are gathered and sent before others get their turn.
    private static let writesPerTurn = 16

    /// Whether bytes that HTTP/1 can't read are the preface of HTTP/2. Only the first bytes of a connection can be it.
    func isPreface(_ error: RequestError, _ bytes: Span<UInt8>) -> Bool {
        // Over TLS, the handshake decides (RFC 9113, section 3.2).
        error == .versionNotSupported && !hasHadRequest && server.configuration.http2 != .off && server.tls == nil
            && HTTP2Preface.begins(bytes)
    }

    /// Speaks HTTP/2 from now on.
    func startHTTP2() {
        phase = .http2
        let http2 = HTTP2Connection(self)
        self.http2 = http2
        if isDraining { http2.drain() }
    }

    /// Reads frames.
    func receiveHTTP2(_ bytes: Span<UInt8>) {
        isProcessing = true
        http2?.receive(bytes)
        isProcessing = false
        finishRound()
    }

    /// Sends frames as long as there are any and the system takes them.
    func flushHTTP2() {
        guard let http2 else { return }
        var writes = 0
        while sendOutput(), http2.wantsToWrite {
            guard writes < Self.writesPerTurn else {
                flushAfterRound()
                break
            }
            writes += 1
            append { http2.write(into: &$0) }
            if output.isEmpty { break }
        }
        http2.relieve()
        http2.publishHeld()
        if inputEnded, isOpen, output.isEmpty, !http2.wantsToWrite { http2.resetBlocked() }
        if isOpen, http2.isOver { linger() }
    }
}
