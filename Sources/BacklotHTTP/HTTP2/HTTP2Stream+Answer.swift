internal import HTTPTypes
internal import Logging

/// The way of the answer from the handler to the connection.
extension HTTP2Stream {
    func complete(_ response: Response) {
        loop.preconditionIsCurrent()
        guard isOpen, !isAnswered else { return }
        if case .fault(let fault) = response.body { return commit(fault, response) }
        if HTTP2ResponseHead.mayHaveBody(response, isHead: isHead) {
            switch response.body {
            case .bytes(let bytes): queue.append(bytes)
            // Read as windows open: heads of frames stand between its pieces, so the system can't send it.
            case .file(let slice) where slice.count > 0: file = OutgoingFile(slice)
            case .empty, .file, .stream, .fault: break
            }
        }
        let hasBody = queue.count > 0 || file != nil
        if file == nil { queue.complete() }
        submit(response, hasBody: hasBody)
        noteHeld()
        failBody(StreamError.ended)
    }

    func startAnswer(_ response: Response, _ length: Int?) -> OutgoingBody? {
        loop.preconditionIsCurrent()
        guard isOpen, !isAnswered else { return nil }
        guard HTTP2ResponseHead.mayHaveBody(response, isHead: isHead) else {
            complete(response)
            return nil
        }
        // The function that writes the answer may read the body, and a 100 can't be sent once the head is.
        if response.status.kind == .successful { sendContinue() }
        owesContinue = false
        submit(response, hasBody: true)
        let body = OutgoingBody(outlet: self, framing: .length, promised: length)
        outgoing = body
        return body
    }

    func submit(_ response: Response, hasBody: Bool) {
        isAnswered = true
        lastSent = connection.now
        connection.submit(response, on: self, hasBody: hasBody)
        if response.closesConnection { connection.drain() }
    }

    var hasRoom: Bool { isOpen && queue.count < Self.highWater }

    func send(_ bytes: [UInt8], of body: OutgoingBody, isLast: Bool) {
        queue.append(bytes)
        // The end travels with the last bytes. It would end the request as well while the client still sends that.
        if isLast, isRequestEnded { queue.complete() }
        resumeAnswer()
    }

    func isSending(_ body: OutgoingBody) -> Bool { isOpen && outgoing === body }

    func cutAnswer(_ body: OutgoingBody) { reset(.internalError) }

    func endAnswer(_ body: OutgoingBody) {
        outgoing = nil
        queue.complete()
        resumeAnswer()
        failBody(StreamError.ended)
    }

    /// There is something to send, perhaps after a time in which there was nothing.
    private func resumeAnswer() {
        noteHeld()
        if isDeferred {
            isDeferred = false
            lastSent = connection.now
            connection.session.resume(self)
        }
        connection.changed()
    }

    // MARK: What the library asks for

    /// Decides about the next DATA frame; nil when there is nothing to send yet.
    func nextFrame(upTo most: Int) -> (count: Int, isLast: Bool)? {
        guard let frame = file.map({ nextFrame(of: $0, upTo: most) }) ?? queue.nextFrame(upTo: most) else {
            isDeferred = true
            return nil
        }
        // As large as it could be, and not only as a tiny window allows.
        if frame.isLast || frame.count == queue.count || frame.count >= FrameBudget.fullFrame {
            connection.budget.dataExchanged()
        }
        return frame
    }

    private func nextFrame(of file: OutgoingFile, upTo most: Int) -> (count: Int, isLast: Bool)? {
        let isReady = file.prepare(on: loop) { [self] in
            if isOpen { resumeAnswer() }
        }
        guard isReady else { return nil }
        let count = file.available(upTo: most)
        return (count, count == file.remaining)
    }

    /// Appends the payload of a DATA frame.
    ///
    /// - Returns: false when there is none: a file has become shorter since its length was promised.
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
        connection.progress.sent += count
        lastSent = connection.now
        noteHeld()
        if outgoing != nil, hasRoom { connection.relieved.append(self) }
        return true
    }

    /// The last frame is written. A client that still sends a body is told that nobody wants it (RFC 9113, section 8.1).
    func answerSent() {
        isAnswerSent = true
        if !isRequestEnded { connection.session.reset(self, .noError) }
    }
}
