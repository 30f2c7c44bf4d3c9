package import BacklotHTTP
internal import BacklotMocks
import HTTPTypes

/// Gathers what a proxy has seen, as long as there is room for it.
package final class Recorder: Sendable {
    /// How much is kept. What comes later is left out, and reported.
    package struct Bounds: Sendable {
        /// The most exchanges.
        package var exchanges = 20_000
        /// The most bytes of their bodies and header fields; once more without content codings.
        package var bytes = 256 * 1024 * 1024
        /// The largest body, in bytes, without its content codings.
        package var body = 16 * 1024 * 1024
        /// Whether the oldest exchanges make room for later ones.
        var keepsLatest = false

        /// The usual bounds.
        package init() {}

        /// Those of what stubs have sent on to other backends.
        static var ofForwarded: Bounds {
            var bounds = Bounds()
            bounds.exchanges = 1000
            bounds.bytes = 16 * 1024 * 1024
            bounds.body = 4 * 1024 * 1024
            bounds.keepsLatest = true
            return bounds
        }
    }

    /// What was recorded.
    struct Contents {
        /// In the order in which they began.
        var exchanges: [RecordedExchange] = []
        /// What was left out: a line for each.
        var skipped: [String] = []
    }

    private struct State {
        /// What was seen. Bodies are decoded when they are asked for.
        var seen: [ProxiedExchange] = []
        var bytes = 0
        var skipped = Skipped()
        /// How many exchanges are under way.
        var open = 0
    }

    private struct Skipped {
        /// So many lines are told apart; the rest is counted.
        private static let mostLines = 200
        var lines = Tally<String>()
        var others = 0
        /// How many exchanges had no room.
        var surplus = 0

        mutating func add(_ line: String) {
            if lines.counts.count < Self.mostLines || lines.counts.contains(where: { $0.element == line }) {
                lines.add(line)
            } else {
                others += 1
            }
        }
    }

    /// The backend; nil where any may have answered.
    let origin: Origin?
    private let bounds: Bounds
    /// When it began.
    let start = ContinuousClock.now
    private let state = Locked(State())

    /// A recorder that has seen nothing.
    package init(_ origin: Origin?, bounds: Bounds = Bounds()) {
        self.origin = origin
        self.bounds = bounds
    }

    /// Whether there was any exchange, recorded or not.
    package var hasSeenSomething: Bool {
        state.withLock { !$0.seen.isEmpty || !$0.skipped.lines.counts.isEmpty || $0.skipped.surplus > 0 }
    }

    /// An exchange begins.
    func begin() { state.withLock { $0.open += 1 } }

    /// An exchange that has begun is over, and was noted.
    func end() { state.withLock { $0.open -= 1 } }

    /// Waits until each exchange that has begun is over, for two seconds at most: those of a server that has stopped end soon.
    package func settle() async {
        let deadline = ContinuousClock.now + .seconds(2)
        while state.withLock({ $0.open > 0 }), .now < deadline { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Notes an exchange that is over. It is quick: an event loop waits for it.
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
        case .cancelled: "it has no whole answer: the client left, or the server stopped, before its end"
        case let failure?: "it has no whole answer: \(failure)"
        case nil where exchange.requestBody == nil: tooLarge("request")
        case nil where exchange.responseBody == nil: tooLarge("answer")
        case nil: nil
        }
    }

    private func tooLarge(_ part: String) -> String {
        "the \(part)'s body is larger than \(bounds.body / 1_048_576) MB"
    }

    // MARK: What was recorded

    /// What was recorded so far. It blocks while bodies are decoded.
    var contents: Contents {
        let (seen, kept, open) = state.withLock { ($0.seen, $0.skipped, $0.open) }
        var (contents, skipped) = (Contents(), kept)
        var room = bounds.bytes
        for exchange in seen {
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
        recorded.responseBody = try decoded(exchange.responseBody ?? [], &recorded.responseHeaders, "answer")
        recorded.began = start.duration(to: exchange.began)
        recorded.duration = exchange.duration
        if let origin { recorded.makeLocationRelative(to: origin.authority, below: origin.basePath) }
        return recorded
    }

    /// A body without its content codings. One that can't be taken off would hide secrets.
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
    /// How many bytes its bodies and header fields have.
    fileprivate var size: Int { (requestBody?.count ?? 0) + (responseBody?.count ?? 0) + headSize }
}
