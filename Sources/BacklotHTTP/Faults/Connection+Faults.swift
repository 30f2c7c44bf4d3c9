/// Breaks the connection as a handler asked for, in the middle of an exchange.
extension Connection {
    /// Misbehaves instead of answering. No further request is read.
    func commit(_ fault: ConnectionFault, _ response: Response) {
        isPersistent = false
        switch fault {
        case .connectionReset:
            // Answers before this one are whole, and may still be here.
            sendOutput()
            guard isOpen else { return }
            socket.resetOnClose()
            return abort()
        case .emptyResponse: break
        case .malformedChunk:
            var head = response
            head.body = .stream { _ in }
            // Whatever the client speaks and has asked for: it is meant to find the fault.
            let encoder = ResponseEncoder(
                isHead: false,
                isHTTP10: false,
                isPersistent: false,
                dateLine: loop.clock.dateLine
            )
            append {
                encoder.write(head, into: &$0)
                $0.append(contentsOf: ConnectionFault.noChunk.utf8)
            }
        case .randomData: append { $0.append(contentsOf: ConnectionFault.randomBytes()) }
        }
        endExchange()
    }
}
