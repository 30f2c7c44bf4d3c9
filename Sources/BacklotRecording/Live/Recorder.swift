package import BacklotHTTP
internal import BacklotMocks
import HTTPTypes

/// Collects the exchanges of a proxy, up to its bounds.
package final class Recorder: Sendable {
    /// The bounds of a recorder. Exchanges beyond them are left out and reported.
    package struct Bounds: Sendable {
        /// The maximum number of exchanges.
        package var exchanges = 20_000
        /// The maximum size of their bodies and header fields, in bytes. It applies again to the decoded bodies.
        package var bytes = 256 * 1024 * 1024
        /// The maximum size of a body without its content codings, in bytes.
        package var body = 16 * 1024 * 1024
        /// Whether to drop the oldest exchanges in favour of later ones.
        var keepsLatest = false

        /// Creates the default bounds.
        package init() {}

        /// The bounds for requests that stubs forwarded to other backends.
        static var ofForwarded: Bounds {
            var bounds = Bounds()
            bounds.exchanges = 1000
            bounds.bytes = 16 * 1024 * 1024
            bounds.body = 4 * 1024 * 1024
            bounds.keepsLatest = true
            return bounds
        }
    }

    /// The recorded exchanges.
    struct Contents {
        /// The exchanges by beginning.
        var exchanges: [RecordedExchange] = []
        /// The omitted exchanges, one line each.
        var skipped: [String] = []
    }

    private struct State {
        /// The exchanges. Their bodies are decoded on demand.
        var seen: [ProxiedExchange] = []
        var bytes = 0
        var skipped = Skipped()
        /// The number of exchanges in progress.
        var open = 0
    }

    private struct Skipped {
        /// The maximum number of different lines; further ones are only counted.
        private static let mostLines = 200
        var lines = Tally<String>()
        var others = 0
        /// The number of exchanges beyond the bounds.
        var surplus = 0

        mutating func add(_ line: String) {
            if lines.counts.count < Self.mostLines || lines.counts.contains(where: { $0.element == line }) {
                lines.add(line)
            } else {
                others += 1
            }
        }
    }

    /// The backend; nil if several backends may have responded.
    let origin: Origin?
    private let bounds: Bounds
    /// The beginning of the recording.
    let start = ContinuousClock.now
    private let state = Locked(State())

    /// Creates an empty recorder.
    package init(_ origin: Origin?, bounds: Bounds = Bounds()) {
        self.origin = origin
        self.bounds = bounds
    }

    /// Whether there was any exchange, even one that wasn't recorded.
    package var hasSeenSomething: Bool {
        state.withLock { !$0.seen.isEmpty || !$0.skipped.lines.counts.isEmpty || $0.skipped.surplus > 0 }
    }

    /// Counts an exchange that begins.
    func begin() { state.withLock { $0.open += 1 } }

    /// Counts an exchange that has ended and was noted.
    func end() { state.withLock { $0.open -= 1 } }

    /// Waits until all exchanges in progress have ended, for two seconds at most: those of a stopped server end soon.
    package func settle() async {
        let deadline = ContinuousClock.now + .seconds(2)
        while state.withLock({ $0.open > 0 }), .now < deadline { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Records a finished exchange. It is fast, because an event loop waits for it.
    package func note(_ exchange: ProxiedExchange) {
        state.withLock { state in
            if let reason = reasonToSkip(exchange) { return state.skipped.add(line(exchange, reason)) }
            func isFull() -> Bool {
                state.seen.count >= bounds.exchanges || state.bytes + exchange.size > bounds.bytes
            }
            while bounds.keepsLatest, isFull(), !state.seen.isEmpty { state.bytes -= state.seen.removeFirst().size }
            if isFull() {
                state.skipped.surplus += 1
            } else {
                state.seen.append(exchange)
                state.bytes += exchange.size
            }
        }
    }

    private func line(_ exchange: ProxiedExchange, _ reason: String) -> String {
        "\(exchange.method.rawValue) \(HAREntry.shown("\(origin.map(\.description) ?? "")\(exchange.target)")): \(reason)"
    }

    private func reasonToSkip(_ exchange: ProxiedExchange) -> String? {
        switch exchange.failure {
        case .cancelled: "it has no complete response: the client left, or the server stopped, before its end"
        case let failure?: "it has no complete response: \(failure)"
        case nil where exchange.requestBody == nil: tooLarge("request")
        case nil where exchange.responseBody == nil: tooLarge("response")
        case nil: nil
        }
    }

    private func tooLarge(_ part: String) -> String {
        "the \(part)'s body is larger than \(bounds.body / 1_048_576) MB"
    }

    // MARK: Contents

    /// The exchanges recorded so far. Decoding their bodies blocks the caller.
    var contents: Contents {
        let (seen, kept, open) = state.withLock { ($0.seen, $0.skipped, $0.open) }
        var (contents, skipped) = (Contents(), kept)
        var room = bounds.bytes
        for exchange in seen {
            guard room >= 0 else {
                skipped.surplus += 1
                continue
            }
            do throws(MessageError) {
                let recorded = try recorded(exchange)
                room -= exchange.headSize + recorded.requestBody.count + recorded.responseBody.count
                if room >= 0 { contents.exchanges.append(recorded) } else { skipped.surplus += 1 }
            } catch {
                skipped.add(line(exchange, error.description))
            }
        }
        contents.exchanges = contents.exchanges.enumerated()
            .sorted { ($0.element.began, $0.offset) < ($1.element.began, $1.offset) }.map(\.element)
        contents.skipped = skipped.lines.lines
        func add(_ count: Int, _ one: String, _ several: String) {
            if count > 0 { contents.skipped.append("\(count) \(count == 1 ? one : several)") }
        }
        let bound = "\(bounds.exchanges) exchanges and \(bounds.bytes / 1_048_576) MB of bodies"
        let cure = "a recording holds \(bound); stop it and begin another one"
        add(skipped.surplus, "later exchange: \(cure)", "later exchanges: \(cure)")
        add(skipped.others, "more that could not be recorded", "more that could not be recorded")
        add(open, "exchange was still under way", "exchanges were still under way")
        return contents
    }

    private func recorded(_ exchange: ProxiedExchange) throws(MessageError) -> RecordedExchange {
        var recorded = RecordedExchange(exchange.method, exchange.target, status: exchange.status.code)
        recorded.requestHeaders = exchange.requestHeaders
        recorded.responseHeaders = exchange.responseHeaders
        recorded.requestBody = try decoded(exchange.requestBody ?? [], &recorded.requestHeaders, "request")
        recorded.responseBody = try decoded(exchange.responseBody ?? [], &recorded.responseHeaders, "response")
        if let messages = exchange.messages {
            recorded.responseBody = RecordedMessages.body(messages)
        } else if recorded.responseType == RecordedEvents.type {
            recorded.responseBody = RecordedEvents.marked(recorded.responseBody, exchange.arrivals)
        }
        recorded.began = start.duration(to: exchange.began)
        recorded.duration = exchange.duration
        if let origin { recorded.makeLocationRelative(to: origin.authority, below: origin.basePath) }
        return recorded
    }

    /// A body without its content codings. A coding that can't be removed would hide secrets.
    private func decoded(
        _ body: [UInt8],
        _ headers: inout HTTPFields,
        _ part: String
    ) throws(MessageError) -> [UInt8] {
        guard let value = headers[.contentEncoding] else { return body }
        let plain: [UInt8]?
        do throws(ContentCodingError) {
            plain = try ContentEncoding(value).decode(body, limit: bounds.body)
        } catch {
            throw MessageError("the \(part)'s body can't be decoded, and might hold secrets: \(error.reason)")
        }
        guard let plain else { throw MessageError("\(tooLarge(part)) once it is decoded") }
        headers[.contentEncoding] = nil
        return plain
    }
}

extension ProxiedExchange {
    /// The size of the bodies and header fields, in bytes.
    fileprivate var size: Int { (requestBody?.count ?? 0) + (responseBody?.count ?? 0) + headSize }
}
