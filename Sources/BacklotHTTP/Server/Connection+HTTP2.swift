/// How a connection comes to speak HTTP/2, and its frames to the socket.
extension Connection {
    /// How often frames are gathered and sent before others get their turn.
    private static let writesPerTurn = 16

    /// Whether what HTTP/1 can't read is the preface of HTTP/2: only the first bytes of a connection may be that.
    func isPreface(_ error: RequestError, _ bytes: Span<UInt8>) -> Bool {
        error == .versionNotSupported && !hasHadRequest && server.configuration.http2 != .off
            && HTTP2Preface.begins(bytes)
    }

    /// Speaks HTTP/2 from now on.
    func startHTTP2() {
        phase = .http2
        let http2 = HTTP2Connection(self)
        self.http2 = http2
        if isDraining { http2.drain() }
    }

    /// Answers a request over HTTP/2 that came over HTTP/1.1, if it asks for that.
    func upgradeToHTTP2(_ head: RequestHead) -> Bool {
        guard !isDraining, let upgrade = HTTP2Upgrade(head) else { return false }
        let http2 = HTTP2Connection(self)
        guard http2.accept(upgrade, isHead: head.isMethod("HEAD")) else { return false }
        append { $0.append(HTTP2Upgrade.answer) }
        phase = .http2
        self.http2 = http2
        http2.begin(head)
        return true
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
