package import BacklotHTTP
import BacklotMocks
import HTTPTypes

/// Gathers what a proxy has seen, as long as there is room for it.
package final class Recorder: Sendable {
    /// How much is kept. What comes later is left out, and reported.
    package struct Bounds: Sendable {
        /// The most exchanges.
        package var exchanges = 20_000
        /// The most bytes of their bodies, without content codings.
        package var bytes = 256 * 1024 * 1024
        /// The largest body, in bytes, without its content codings.
        package var body = 16 * 1024 * 1024
        /// Whether the oldest exchanges make room for later ones.
        var keepsLatest = false

        /// The usual bounds.
        package init() {}
    }

    private struct State {
        /// What was seen and isn't decoded yet.
        var waiting: [ProxiedExchange] = []
        var exchanges: [RecordedExchange] = []
        var bytes = 0
        var skipped: [(line: String, count: Int)] = []
        /// So many are told apart of what was left out; the rest is counted.
        private static let mostLines = 200
        /// How many of the rest there are.
        var others = 0
        /// How many exchanges had no room.
        var surplus = 0
        /// How many exchanges are under way.
        var open = 0

        /// Forgets the oldest exchanges.
        mutating func makeRoom(for size: Int, _ bounds: Bounds) {
            while waiting.count + exchanges.count >= bounds.exchanges || bytes + size > bounds.bytes {
                if !exchanges.isEmpty {
                    bytes -= exchanges.removeFirst().size
                } else if !waiting.isEmpty {
                    bytes -= waiting.removeFirst().size
                } else {
                    return
                }
            }
        }

        mutating func skip(_ line: String) {
            if let index = skipped.firstIndex(where: { $0.line == line }) {
                skipped[index].count += 1
            } else if skipped.count < Self.mostLines {
                skipped.append((line, 1))
            } else {
                others += 1
            }
        }
    }

    /// Why an exchange isn't recorded.
    private struct Skipped: Error {
        let reason: String
    }

    /// The backend; nil where the exchanges are known from elsewhere.
    let origin: Origin?
    private let bounds: Bounds
    /// When it began.
    let start = ContinuousClock.now
    private let state: Locked<State>
    /// The lock is held while bodies are decoded.
    private let decoding = Locked(())

    /// A recorder that has seen nothing.
    package init(_ origin: Origin, bounds: Bounds = Bounds()) {
        self.origin = origin
        self.bounds = bounds
        state = Locked(State())
    }

    /// What is known from elsewhere, or comes from any backend.
    init(_ exchanges: [RecordedExchange], skipped: [String] = [], bounds: Bounds = Bounds()) {
        origin = nil
        self.bounds = bounds
        state = Locked(State(exchanges: exchanges, skipped: skipped.map { ($0, 1) }))
    }

    /// The exchanges with other backends that a server of mocks remembers.
    static func ofForwarded() -> Recorder {
        var bounds = Bounds()
        bounds.exchanges = 1000
        bounds.bytes = 16 * 1024 * 1024
        bounds.body = 4 * 1024 * 1024
        bounds.keepsLatest = true
        return Recorder([], bounds: bounds)
    }

    /// What was seen, in the order in which it began. It blocks while bodies are decoded.
    package var exchanges: [RecordedExchange] {
        decode()
        let exchanges = state.withLock { $0.exchanges }
        return exchanges.enumerated().sorted { ($0.element.began, $0.offset) < ($1.element.began, $1.offset) }
            .map(\.element)
    }

    /// What was left out: a line for each. It blocks while bodies are decoded.
    package var skipped: [String] {
        decode()
        let (lines, surplus, others, open) = state.withLock { ($0.skipped, $0.surplus, $0.others, $0.open) }
        var skipped = lines.map { $0.count > 1 ? "\($0.line) (\($0.count) times)" : $0.line }
        if surplus > 0 {
            skipped.append(
                "\(surplus) later \(surplus == 1 ? "exchange" : "exchanges"): a recording holds \(bounds.exchanges) exchanges and \(bounds.bytes / 1_048_576) MB of bodies; stop it and begin another one"
            )
        }
        if others > 0 { skipped.append("\(others) more that could not be recorded") }
        if open > 0 {
            skipped.append("\(open) \(open == 1 ? "exchange was" : "exchanges were") still under way")
        }
        return skipped
    }

    /// Whether there was any exchange, recorded or not.
    package var hasSeenSomething: Bool {
        state.withLock { !$0.waiting.isEmpty || !$0.exchanges.isEmpty || !$0.skipped.isEmpty || $0.surplus > 0 }
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
        let size = exchange.size
        state.withLock { state in
            if bounds.keepsLatest { state.makeRoom(for: size, bounds) }
            guard state.waiting.count + state.exchanges.count < bounds.exchanges, state.bytes + size <= bounds.bytes
            else {
                state.surplus += 1
                return
            }
            state.waiting.append(exchange)
            state.bytes += size
        }
    }

    /// Decodes what was seen since the last time.
    private func decode() {
        decoding.withLock { _ in
            while case let waiting = state.withLock({ $0.waiting }), !waiting.isEmpty {
                for exchange in waiting {
                    let result = Result { () throws(Skipped) in try recorded(exchange) }
                    state.withLock { state in
                        // It may have made room for another one.
                        guard let index = state.waiting.firstIndex(where: { $0.began == exchange.began }) else {
                            return
                        }
                        state.bytes -= state.waiting.remove(at: index).size
                        keep(result, of: exchange, &state)
                    }
                }
            }
        }
    }

    private func keep(
        _ result: Result<RecordedExchange, Skipped>,
        of exchange: ProxiedExchange,
        _ state: inout State
    ) {
        switch result {
        case .success(let recorded):
            guard state.bytes + recorded.size <= bounds.bytes else {
                state.surplus += 1
                return
            }
            state.exchanges.append(recorded)
            state.bytes += recorded.size
        case .failure(let skipped):
            let url = HAREntry.shown("\(origin.map(\.description) ?? "")\(exchange.target)")
            state.skip("\(exchange.method.rawValue) \(url): \(skipped.reason)")
        }
    }

    private func recorded(_ exchange: ProxiedExchange) throws(Skipped) -> RecordedExchange {
        if let failure = exchange.failure {
            let reason = failure == .cancelled ? "the client left, or the server stopped, before its end" : "\(failure)"
            throw Skipped(reason: "it has no whole answer: \(reason)")
        }
        var recorded = RecordedExchange(exchange.method, exchange.target, status: exchange.status.code)
        recorded.requestHeaders = exchange.requestHeaders
        recorded.responseHeaders = exchange.responseHeaders
        recorded.requestBody = try decoded(exchange.requestBody, &recorded.requestHeaders, "request")
        recorded.responseBody = try decoded(exchange.responseBody, &recorded.responseHeaders, "answer")
        recorded.began = start.duration(to: exchange.began)
        recorded.duration = exchange.duration
        if let origin { recorded.makeLocationRelative(to: origin.authority, below: origin.basePath) }
        return recorded
    }

    /// A body without its content codings. One that can't be taken off would hide secrets.
    private func decoded(
        _ body: [UInt8]?,
        _ headers: inout HTTPFields,
        _ part: String
    ) throws(Skipped) -> [UInt8] {
        guard let body else {
            throw Skipped(reason: "the \(part)'s body is larger than \(bounds.body / 1_048_576) MB")
        }
        guard let value = headers[.contentEncoding] else { return body }
        let plain: [UInt8]?
        do throws(ContentCodingError) {
            plain = try ContentEncoding(value).decode(body, limit: bounds.body)
        } catch {
            throw Skipped(reason: "the \(part)'s body can't be decoded, and might hold secrets: \(error.reason)")
        }
        guard let plain else {
            throw Skipped(reason: "the \(part)'s body is larger than \(bounds.body / 1_048_576) MB once it is decoded")
        }
        headers[.contentEncoding] = nil
        return plain
    }
}

extension ProxiedExchange {
    /// How many bytes its bodies and header fields have.
    fileprivate var size: Int { (requestBody?.count ?? 0) + (responseBody?.count ?? 0) + headSize }
}

extension RecordedExchange {
    /// How many bytes its bodies and header fields have.
    fileprivate var size: Int {
        (Array(requestHeaders) + Array(responseHeaders)).reduce(requestBody.count + responseBody.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
    }

    /// Lets a redirect within the backend lead to the mocks.
    mutating func makeLocationRelative(to host: String, below basePath: String) {
        guard let location = responseHeaders[.location], let place = HARURL(location), place.host == host.lowercased(),
            let target = place.target(below: basePath)
        else { return }
        responseHeaders[.location] = target
    }
}
