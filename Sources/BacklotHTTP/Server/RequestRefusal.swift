internal import Logging

/// The reason why a request or a connection was refused before a handler saw it, or while its body was read. Metrics have these names.
package enum RequestRefusal: String, CaseIterable, Sendable {
    case malformed
    case targetTooLong = "target-too-long"
    case headTooLarge = "head-too-large"
    case bodyTooLarge = "body-too-large"
    case expectation
    /// CONNECT, or a transfer coding other than chunked.
    case notImplemented = "not-implemented"
    case version
    case timedOut = "timed-out"
    /// The client has gone before the body was whole.
    case incomplete
    case overloaded
    /// The connection begins without the PROXY protocol's header, or with a wrong one.
    case proxyHeader = "proxy-header"
    /// One address has too many connections.
    case addressLimit = "address-limit"

    init(_ error: RequestError) {
        self =
            switch error {
            case .malformed: .malformed
            case .targetTooLong: .targetTooLong
            case .headTooLarge, .tooManyFields: .headTooLarge
            case .bodyTooLarge: .bodyTooLarge
            case .unknownExpectation: .expectation
            case .unknownTransferCoding, .connectNotSupported: .notImplemented
            case .versionNotSupported: .version
            case .timedOut: .timedOut
            case .incomplete: .incomplete
            case .overloaded: .overloaded
            }
    }
}

extension ServerContext {
    /// Counts a refusal, and logs it at most once a minute, with the number of those since the last time.
    ///
    /// - Parameter text: what is wrong, for the log.
    func note(_ refusal: RequestRefusal, _ text: String, from address: SocketAddress) {
        refusals.withLock { $0[refusal, default: 0] += 1 }
        logger.debug("refused a request or a connection from \(address): \(text)")
        // Clients may go whenever they want to.
        guard refusal != .incomplete, let count = sum(.refusals, 1, at: LoopClock.nanoseconds / 1_000_000) else {
            return
        }
        let requests = count == 1 ? "1 request or connection" : "\(count) requests or connections"
        logger.notice("refused \(requests), the last from \(address.host): \(text)")
    }

    /// Counts and logs an error that ended a request, where it is one of the server's own.
    func note(_ error: any Error, from address: SocketAddress) {
        guard let error = error as? RequestError else { return }
        // It has a separate warning.
        if error == .encrypted { return refusals.withLock { $0[.malformed, default: 0] += 1 } }
        note(RequestRefusal(error), error.reason, from: address)
    }
}
