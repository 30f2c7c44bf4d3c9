internal import HTTPTypes
internal import Logging

/// The path of the response from the handler to the connection.
extension HTTP2Stream {
    func complete(_ response: Response) {
        loop.preconditionIsCurrent()
        guard isOpen, !hasResponse else { return }
        if case .fault(let fault) = response.body { return commit(fault, response) }
        // A status of success would tell the client that its WebSocket is open (RFC 8441, section 4).
        if isUpgradable, response.status.kind == .successful {
            return complete(Response(WebSocketHandshake.Refusal.page))
        }
        if FieldList.mayHaveBody(response, isHead: isHead) {
            switch response.body {
            case .bytes(let bytes) where bytes.count > OutgoingSlice.copiedBytes: file = OutgoingSlice(bytes, server)
            case .bytes(let bytes): queue.append(bytes)
            // The file is read as windows open: heads of frames stand between its pieces, so the system can't send it directly.
            case .file(let slice) where slice.count > 0: file = OutgoingSlice(slice)
            case .empty, .file, .stream, .fault: break
            }
        }
        let hasBody = queue.count > 0 || file != nil
        if file == nil { queue.complete() }
        submit(response, hasBody: hasBody)
        noteHeld()
        failBody(StreamError.ended)
    }

    func startResponse(_ response: Response, _ length: Int?) -> OutgoingBody? {
        loop.preconditionIsCurrent()
        guard isOpen, !hasResponse else { return nil }
        var response = response
        let isUpgraded = isUpgradable && response.status.code == 101
        if isUpgraded { response.status = .ok }
        let isPage = isUpgradable && !isUpgraded && response.status.kind == .successful
        guard !isPage, FieldList.mayHaveBody(response, isHead: isHead) else {
            complete(response)
            return nil
        }
        // The function that writes the response may read the body, but after the head it is too late for a 100.
        if response.status.kind == .successful { sendContinue() }
        owesContinue = false
        submit(response, hasBody: true)
        let body = OutgoingBody(outlet: self, framing: .length, promised: length)
        outgoing = body
        return body
    }

    func submit(_ response: Response, hasBody: Bool) {
        hasResponse = true
        lastSent = connection.now
        connection.session.submit(response, dateLine: loop.clock.dateLine, on: self, hasBody: hasBody)
        connection.changed()
        if response.closesConnection { connection.drain() }
    }

    var hasRoom: Bool { isOpen && queue.count < Self.highWater }

    func send(_ bytes: [UInt8], of body: OutgoingBody, isLast: Bool) {
        queue.append(bytes)
        // The end travels with the last bytes, unless the client is still sending the request, which it would end as well.
        if isLast, isRequestEnded { queue.complete() }
        resumeResponse()
    }

    func isSending(_ body: OutgoingBody) -> Bool { isOpen && outgoing === body }

    func cutResponse(_ body: OutgoingBody, _ fault: ConnectionFault?) { reset(.internalError) }

    func endResponse(_ body: OutgoingBody) {
        outgoing = nil
        queue.complete()
        resumeResponse()
        failBody(StreamError.ended)
    }

    /// The stream has something to send, perhaps after a pause without bytes.
    private func resumeResponse() {
        noteHeld()
        if isDeferred {
            isDeferred = false
            lastSent = connection.now
            connection.session.resume(self)
        }
        connection.changed()
    }

    // MARK: The library's requests

    /// Decides about the next DATA frame; nil if there is nothing to send yet.
    func nextFrame(upTo most: Int) -> (count: Int, isLast: Bool)? {
        guard let frame = file.map({ nextFrame(of: $0, upTo: most) }) ?? queue.nextFrame(upTo: most) else {
            isDeferred = true
            return nil
        }
        // A frame of full size, rather than one cut to fit a tiny window.
        if frame.isLast || frame.count == queue.count || frame.count >= FrameBudget.fullFrame {
            connection.state.input.dataSent()
        }
        return frame
    }

    private func nextFrame(of file: OutgoingSlice, upTo most: Int) -> (count: Int, isLast: Bool)? {
        let isReady = file.prepare(on: loop) { [self] in
            if isOpen { resumeResponse() }
        }
        guard isReady else { return nil }
        let count = file.available(upTo: most)
        return (count, count == file.remaining)
    }

    /// Appends the payload of a DATA frame.
    ///
    /// - Returns: false when bytes are missing: a file has become shorter since its length was promised.
    func take(_ count: Int, into output: inout [UInt8]) -> Bool {
        if let file {
            guard file.take(count, into: &output) else {
                server.logger.error("a file became shorter, or unreadable, while it was sent: its stream was reset")
                return false
            }
            if file.isSent { self.file = nil }
        } else {
            queue.take(count, into: &output)
        }
        connection.output.bytes += count
        hasSentBody = true
        lastSent = connection.now
        noteHeld()
        if outgoing != nil, hasRoom { connection.state.relieved.append(self) }
        return true
    }
}

/// The bytes of a response's body that wait for a window, and how a stream of HTTP/2 cuts them into frames. A value without I/O.
struct ResponseQueue {
    private var bytes: [UInt8] = []
    /// The number of bytes at the start of `bytes` that are already sent.
    private var sent = 0
    /// Whether the body is complete.
    private var isComplete = false

    /// The number of waiting bytes.
    var count: Int { bytes.count - sent }
    /// The memory of the bytes, including those already sent.
    var capacity: Int { bytes.capacity }
    /// Whether bytes, or the end, wait to be sent.
    private(set) var isPending = false

    /// Adds bytes.
    mutating func append(_ more: [UInt8]) {
        guard !more.isEmpty else { return }
        isPending = true
        if bytes.isEmpty {
            bytes = more
        } else {
            // Sent bytes must not stay forever, but moving the rest for every piece would cost too much.
            if sent >= bytes.count / 2 {
                bytes.removeFirst(sent)
                sent = 0
            }
            bytes.append(contentsOf: more)
        }
    }

    /// Marks the body as complete.
    mutating func complete() {
        guard !isComplete else { return }
        isComplete = true
        isPending = true
    }

    /// Decides about the next frame.
    ///
    /// - Parameter most: the maximum number of bytes that the frame may have.
    /// - Returns: the number of waiting bytes that go into the frame, and whether the frame is the last one; nil if there is
    ///   nothing to send yet.
    func nextFrame(upTo most: Int) -> (count: Int, isLast: Bool)? {
        guard isPending else { return nil }
        let count = min(most, self.count)
        return (count, isComplete && count == self.count)
    }

    /// Moves `count` bytes to the end of `output`.
    mutating func take(_ count: Int, into output: inout [UInt8]) {
        output.append(copying: bytes.span.extracting(sent..<(sent + count)))
        sent += count
        if sent == bytes.count {
            bytes = []
            sent = 0
            isPending = isComplete
        }
    }

    /// Drops everything.
    mutating func removeAll() {
        self = ResponseQueue()
    }
}
