internal import Logging

/// The library's calls while it reads and writes. Each only takes notes.
extension HTTP2Connection {
    /// A frame's header is there.
    ///
    /// - Returns: false when the client has gone too far; `failure` says why.
    func frameBegan(_ header: HTTP2FrameHeader) -> Bool {
        hasData = false
        return header.budgetKind.map(spend) ?? true
    }

    /// The library is about to read a HEADERS or DATA frame.
    ///
    /// - Returns: false when the client has broken the protocol; `failure` says how.
    func mayRead(_ header: HTTP2FrameHeader, _ id: Int32) -> Bool {
        let stream = session.stream(id)
        if let code = numbers.refusal(of: header.type, on: id, isOpen: stream != nil) {
            failure = code
            return false
        }
        if header.endsStream { stream?.isClientDone = true }
        return true
    }

    private func spend(_ kind: FrameBudget.Kind) -> Bool {
        guard !budget.spend(kind, at: loop.clock.elapsed) else { return true }
        server.logger.debug("too many frames of the kind '\(kind)' from \(remoteAddress)")
        failure = .enhanceYourCalm
        return false
    }

    // MARK: Header lists

    func headersBegan(_ header: HTTP2FrameHeader, _ id: Int32, isRequest: Bool) {
        blockBegan = now
        guard isRequest else {
            block = .trailers(session.stream(id), 0)
            return
        }
        list.removeAll()
        let stream = add(id)
        stream.isClientDone = header.endsStream
        block = .request(stream)
    }

    /// Adds a stream.
    func add(_ id: Int32) -> HTTP2Stream {
        let stream = HTTP2Stream(id: id, index: streams.count, connection: self)
        streams.append(stream)
        session.attach(stream)
        numbers.opened(id)
        lastActive = now
        return stream
    }

    /// - Returns: false when the list is an attack.
    func headerCame(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        switch block {
        case .request:
            list.add(name, value)
            guard list.isBomb else { return true }
        case .trailers(let stream, let size):
            let size = size + name.count + value.count + 32
            block = .trailers(stream, size)
            let limit = server.configuration.limits.trailers
            guard size > limit else { return true }
            stream?.failBody(RequestError.headTooLarge(limit: limit))
            guard size > server.configuration.limits.head else { return true }
        case nil: return true
        }
        failure = .enhanceYourCalm
        return false
    }

    /// The library refuses a frame: it resets its stream, or ends the connection.
    func frameRefused(_ header: HTTP2FrameHeader, _ id: Int32) {
        headersDropped()
        if header.type == HTTP2FrameHeader.windowUpdate { session.stream(id)?.isWindowBroken = true }
    }

    /// The header list that was being read is broken.
    func headersDropped() {
        blockBegan = nil
        blockSize = 0
        block = nil
    }

    /// A frame is there, with a header list its continuations included.
    ///
    /// - Returns: false when the client has gone too far; `failure` says why.
    func frameCame(_ header: HTTP2FrameHeader, _ id: Int32) -> Bool {
        switch header.type {
        case HTTP2FrameHeader.data:
            guard hasData || header.length == 0 || header.endsStream || spend(.emptyData) else { return false }
            if header.endsStream { session.stream(id)?.requestEnded() }
        case HTTP2FrameHeader.headers: headersCame(header)
        case HTTP2FrameHeader.resetStream: session.stream(id)?.isClientDone = true
        case HTTP2FrameHeader.ping where header.answersPing: finishAnnouncement()
        default: break
        }
        return true
    }

    private func headersCame(_ header: HTTP2FrameHeader) {
        let block = block
        headersDropped()
        switch block {
        case .request(let stream):
            hasHadRequest = true
            stream.isHead = list.isHead
            do throws(HeaderList.Failure) {
                stream.head = .success(try list.head(hasBody: !header.endsStream))
            } catch {
                stream.head = .failure(error)
            }
            begun.append(stream)
            if header.endsStream { stream.requestEnded() }
        case .trailers(let stream, _): if header.endsStream { stream?.requestEnded() }
        case nil: break
        }
    }

    // MARK: Bodies

    func dataCame(_ id: Int32, _ bytes: Span<UInt8>) {
        hasData = true
        if bytes.count >= FrameBudget.fullFrame { budget.dataExchanged() }
        guard let stream = session.stream(id) else { return session.consume(bytes.count) }
        stream.bodyCame(bytes)
    }

    /// A frame with the last bytes of an answer, or of its head, is written.
    func answerSent(_ id: Int32) {
        session.stream(id)?.answerSent()
    }

    /// The library could not write the head of an answer.
    func answerNotSent(_ id: Int32, isTooLarge: Bool) {
        guard let stream = session.stream(id) else { return }
        if isTooLarge { server.logger.error("the header fields of an answer are too large for HTTP/2") }
        session.reset(stream, .internalError)
    }

    // MARK: The end of streams

    /// A reset is written.
    ///
    /// - Returns: false when there have been too many for the client's mistakes, or one is not the stream's alone.
    func resetSent(_ code: HTTP2ErrorCode, _ id: Int32) -> Bool {
        // It can only be that a setting has opened the windows of all streams too far (RFC 9113, section 6.9.2), or
        // that the client has sent more than a window allows.
        if code == .flowControlError, session.stream(id)?.isWindowBroken == false {
            failure = code
            return false
        }
        return !code.blamesPeer || spend(.reset)
    }

    func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) {
        guard let stream = session.stream(id) else { return }
        if case .request(let current) = block, current === stream { headersDropped() }
        lastActive = now
        if stream.isAnswerSent { budget.answerTaken() }
        numbers.closed(id, isClientDone: stream.isClientDone)
        remove(stream)
        stream.close()
    }

    private func remove(_ stream: HTTP2Stream) {
        let last = streams.removeLast()
        guard last !== stream else { return }
        last.index = stream.index
        streams[stream.index] = last
    }
}
