internal import Backlot
internal import CoreMetrics
internal import Logging
internal import ServiceLifecycle

/// Sends the records of one signal, one request after the other, and repeats a request if the collector asks for it
/// (https://opentelemetry.io/docs/specs/otlp/#otlphttp-response).
final class OTLPSender: Sendable {
    /// The maximum length of a response, in bytes.
    private static let longestResponse = 64 * 1024
    /// The maximum pause that a collector may ask for.
    private static let longestPause = Duration.seconds(300)

    private struct State {
        /// The last logged failure; nil while sending works.
        var complaint: String?
        /// The time when the collector wants the next request.
        var notBefore: ContinuousClock.Instant?
    }

    private let signal: OTLPSignal
    private let target: OTLPTarget
    let dropped: Counter
    private let logger: Logger
    private let state = Locked(State())

    /// - Parameter logger: logs each failure once. Its lines must not be sent by OTLP.
    init(_ signal: OTLPSignal, _ target: OTLPTarget, dropped: Counter, logger: Logger) {
        self.signal = signal
        self.target = target
        self.dropped = dropped
        self.logger = logger
    }

    /// Whether the sender is in a pause that the collector has asked for.
    var isPaused: Bool { state.withLock { $0.notBefore.map { .now < $0 } ?? false } }

    /// Sends records. Those that can't be sent are dropped and counted.
    ///
    /// - Parameter limit: the time limit, including repetitions.
    func send(_ request: OTLPRequest, within limit: Duration) async {
        let body = target.format.encode(request.message)
        let deadline = ContinuousClock.now + limit
        var pause = Duration.seconds(1)
        while true {
            switch await attempt(body, until: deadline) {
            case .accepted(let rejected):
                return accepted(rejected)
            case .refused(let reason):
                return drop(request.count, reason)
            case .later(let reason, let asked):
                complain(reason)
                let wait = min(asked ?? pause * Double.random(in: 0.8...1.2), Self.longestPause)
                if asked != nil { state.withLock { $0.notBefore = .now + wait } }
                guard !Task.isShuttingDownGracefully, !Task.isCancelled, .now + wait < deadline else {
                    return drop(request.count, reason)
                }
                pause = min(pause * 2, .seconds(16))
                // The end of the program cuts the pause short: then this is the last attempt.
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: wait) }
            }
        }
    }

    private func attempt(_ body: [UInt8], until deadline: ContinuousClock.Instant) async -> OTLPOutcome {
        var headers = target.headers
        headers[.contentType] = target.format.contentType
        headers[.userAgent] = "Backlot-OTLP/\(BacklotVersion.current)"
        var body = body
        if target.compresses, let small = ContentEncoder.gzip(body) {
            body = small
            headers[.contentEncoding] = "gzip"
        }
        let total = max(.milliseconds(1), min(target.timeout, ContinuousClock.now.duration(to: deadline)))
        do throws(ClientConnectionError) {
            let response = try await ClientLoop.open(
                OutgoingRequest(
                    method: .post,
                    target: target.path,
                    authority: target.origin.authority,
                    headers: headers,
                    body: body
                ),
                host: target.origin.host,
                port: target.origin.port,
                over: target.origin.isSecure ? target.connector : nil,
                bounds: ClientBounds(head: 64 * 1024, body: Self.longestResponse, idle: total, total: total),
                keepsConnection: true
            )
            let bytes = (try? await response.collect()) ?? []
            return OTLPOutcome(response.status, response.headers, bytes)
        } catch {
            return error == .cancelled ? .refused("the program stops") : .later("\(error)", after: nil)
        }
    }

    private func accepted(_ rejected: OTLPOutcome.Rejected?) {
        if let rejected {
            dropped.increment(by: rejected.count)
            let what = rejected.count > 0 ? "rejects \(rejected.count) \(signal.records)" : "warns"
            return complain("the collector \(what): \(rejected.message)")
        }
        let wasFailing = state.withLock { state in
            defer { state = State() }
            return state.complaint != nil
        }
        if wasFailing { logger.info("\(signal.records) are sent to \(target.url) again") }
    }

    private func drop(_ count: Int, _ reason: String) {
        dropped.increment(by: count)
        complain(reason)
    }

    /// Logs a failure, unless it is the same as the last: a collector that is unreachable for hours is worth one line.
    private func complain(_ reason: String) {
        let isNew = state.withLock { state in
            defer { state.complaint = reason }
            return state.complaint != reason
        }
        guard isNew else { return }
        logger.warning("\(signal.records) can't be sent to \(target.url): \(LogText.escaped(reason))")
    }
}
