internal import Logging

/// The callbacks of nghttp2 while it reads and writes. Each callback only records the event.
extension HTTP2Connection {
    private var elapsed: Int64 { loop.clock.elapsed }

    // MARK: Frames

    /// A frame's head has arrived.
    ///
    /// - Returns: false when the client has exceeded a limit.
    func frameBegan(_ header: HTTP2FrameHeader, _ id: Int32) -> Bool {
        guard header.type != HTTP2FrameHeader.headers || mayRead(header, id) else { return false }
        let isOfUse = header.type == HTTP2FrameHeader.resetStream && session.stream(id)?.hasBeenOfUse ?? false
        return state.input.frameBegan(header, isOfUse: isOfUse, at: elapsed)
    }

    /// The library is about to read a HEADERS or DATA frame.
    ///
    /// - Returns: false when the client has broken the protocol.
    func mayRead(_ header: HTTP2FrameHeader, _ id: Int32) -> Bool {
        let isNew = id > state.input.newest
        guard state.input.mayRead(header, id, isOpen: session.stream(id) != nil) else { return false }
        if header.endsStream, !isNew { session.stream(id)?.isClientDone = true }
        return true
    }

    /// A whole frame has arrived. A header list arrives with all of its continuations.
    ///
    /// - Returns: false when the client has exceeded a limit.
    func frameCame(_ header: HTTP2FrameHeader, _ id: Int32) -> Bool {
        switch header.type {
        case HTTP2FrameHeader.data:
            guard state.input.dataEnded(header, at: elapsed) else { return false }
            if header.endsStream { session.stream(id)?.requestEnded() }
        case HTTP2FrameHeader.headers: headersCame(header)
        case HTTP2FrameHeader.resetStream: session.stream(id)?.isClientDone = true
        case HTTP2FrameHeader.ping where header.respondsToPing: finishAnnouncement()
        default: break
        }
        return true
    }

    /// The library refuses a frame: it resets the stream or ends the connection.
    func frameRefused(_ header: HTTP2FrameHeader, _ id: Int32) {
        state.input.drop()
        if header.type == HTTP2FrameHeader.windowUpdate { session.stream(id)?.isWindowBroken = true }
    }

    // MARK: Header lists

    func headersBegan(_ header: HTTP2FrameHeader, _ id: Int32, isRequest: Bool) {
        state.input.begin(isRequest ? .request(id) : .trailers(id, 0), at: now)
        guard isRequest else { return }
        let stream = HTTP2Stream(id: id, index: streams.count, connection: self)
        stream.isClientDone = header.endsStream
        state.streams.append(stream)
        session.attach(stream)
        state.input.opened(id, isOfTrustedProxy: isOfTrustedProxy)
        state.ending.lastActive = now
    }

    /// - Returns: false when the list is an attack.
    func headerCame(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        switch state.input.add(name, value) {
        case .accepted: return true
        case .attack: return false
        case .trailersTooLarge(let id):
            session.stream(id)?.failBody(RequestError.headTooLarge(limit: server.configuration.limits.trailers))
            return true
        }
    }

    private func headersCame(_ header: HTTP2FrameHeader) {
        switch state.input.takeBlock() {
        case .request(let id):
            state.ending.hasHadRequest = true
            guard let stream = session.stream(id) else { return }
            stream.isHead = state.input.list.isHead
            let head = Result { () throws(HeaderList.ListError) in try state.input.head(hasBody: !header.endsStream) }
            state.begun.append((stream, head))
            if header.endsStream { stream.requestEnded() }
        case .trailers(let id, _): if header.endsStream { session.stream(id)?.requestEnded() }
        case nil: break
        }
    }

    // MARK: Bodies

    func dataCame(_ id: Int32, _ bytes: Span<UInt8>) {
        state.input.dataCame(bytes.count)
        guard let stream = session.stream(id) else { return session.consume(bytes.count) }
        stream.bodyCame(bytes)
    }

    /// The library could not write the head of a response.
    func responseNotSent(_ id: Int32, isTooLarge: Bool) {
        guard let stream = session.stream(id) else { return }
        if isTooLarge { server.logger.error("the header fields of a response are too large for HTTP/2") }
        session.reset(stream, .internalError)
    }

    // MARK: The end of streams

    /// The library has written a reset.
    ///
    /// - Returns: false when the connection must end.
    func resetSent(_ code: HTTP2ErrorCode, _ id: Int32) -> Bool {
        state.input.resetSent(code, isWindowBroken: session.stream(id)?.isWindowBroken, at: elapsed)
    }

    func streamClosed(_ stream: HTTP2Stream) {
        state.ending.lastActive = now
        state.input.closed(stream.id, isClientDone: stream.isClientDone, isTaken: stream.isResponseSent)
        let last = state.streams.removeLast()
        if last !== stream {
            last.index = stream.index
            state.streams[stream.index] = last
        }
        stream.close()
    }
}
