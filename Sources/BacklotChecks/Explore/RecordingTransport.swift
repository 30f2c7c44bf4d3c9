internal import BacklotClients
internal import BacklotHTTP
internal import BacklotJSON
internal import HTTPTypes

/// The state that all explorers of a run share: the remaining time, and whether the backend still responds.
final class ExploreClock: Sendable {
    private struct State {
        var requests = 0
        var steps = 0
        var failures = 0
        var hasResponded = false
        var unreachable: ClientError?
        var bound: ExploreReport.End?
        var elsewhere: [String] = []
        var oddTexts: Set<String> = []
    }

    /// After this number of requests in a row without a response, the backend counts as gone.
    static let mostFailures = 6
    /// The maximum number of stored names of other servers.
    private static let mostElsewhere = 20

    let start = ContinuousClock.now
    private let limit: Duration
    private let state = Locked(State())

    init(_ limit: Duration) { self.limit = limit }

    var elapsed: Duration { start.duration(to: .now) }
    var rest: Duration { limit - elapsed }
    var requests: Int { state.withLock { $0.requests } }
    var steps: Int { state.withLock { $0.steps } }
    var unreachable: ClientError? { state.withLock { $0.unreachable } }
    var bound: ExploreReport.End? { state.withLock { $0.bound } }
    /// The other servers that the app linked to, in alphabetical order.
    var elsewhere: [String] { state.withLock { $0.elsewhere.sorted() } }
    /// The names of the typed odd texts, see ``InputValues``.
    var oddTexts: Set<String> { state.withLock { $0.oddTexts } }

    /// Whether the exploration must stop.
    var isOver: Bool {
        if state.withLock({ $0.bound != nil || $0.unreachable != nil }) { return true }
        if Task.isCancelled {
            end(.interrupted)
        } else if rest <= .zero {
            end(.time)
        } else {
            return false
        }
        return true
    }

    func end(_ bound: ExploreReport.End) { state.withLock { $0.bound = $0.bound ?? bound } }

    /// Records a typed text.
    func noteTyped(_ text: String) {
        guard let name = InputValues.oddName(of: text) else { return }
        state.withLock { _ = $0.oddTexts.insert(name) }
    }

    /// Records a link to another server, which gets no requests.
    func noteElsewhere(_ url: HTTPURL) {
        let origin = "\(url.scheme.rawValue)://\(url.authority)".cut(to: 100)
        state.withLock { state in
            if state.elsewhere.count < Self.mostElsewhere, !state.elsewhere.contains(origin) {
                state.elsewhere.append(origin)
            }
        }
    }

    func countStep() { state.withLock { $0.steps += 1 } }

    func note(_ failure: ClientError?) {
        state.withLock { state in
            state.requests += 1
            guard let failure, failure.isOfServer else {
                (state.failures, state.hasResponded) = (0, true)
                return
            }
            state.failures += 1
            if !state.hasResponded, failure.hasNoConnection {
                state.unreachable = failure
            } else if state.failures >= Self.mostFailures {
                state.bound = state.bound ?? .backend
            }
        }
    }
}

/// Sends the requests of one device, except forbidden ones, and records the exchanges of a step.
final class RecordingTransport: ClientTransport {
    /// A request with its response.
    struct Seen: Sendable {
        let request: ClientRequest
        /// The path below the app's URL.
        let path: String
        let response: ClientResponse?
    }

    private struct State {
        var seen: [Seen] = []
        var isBlocked = false
    }

    /// The maximum number of recorded responses of one step.
    private static let mostSeen = 50

    private let target: AppTarget
    private let clock: ExploreClock
    private let forbidden: ForbiddenPaths
    /// The path of the app's URL, which forbidden paths are relative to.
    private let base: String
    private let state = Locked(State())

    /// Creates a transport that only sends requests to the app's server.
    init(_ target: AppTarget, _ clock: ExploreClock, _ forbidden: ForbiddenPaths) {
        (self.target, self.clock, self.forbidden) = (target, clock, forbidden)
        base = target.appProtocol.client.hasBaseURL ? target.url.path : "/"
    }

    /// Returns the exchanges since the last call, and whether a request was blocked.
    func take() -> (seen: [Seen], isBlocked: Bool) {
        state.withLock { state in
            defer { state = State() }
            return (state.seen, state.isBlocked)
        }
    }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        let path = request.url.path.hasPrefix(base) ? "/" + request.url.path.dropFirst(base.count) : request.url.path
        let isElsewhere = !request.url.hasSameOrigin(as: target.url)
        if isElsewhere { clock.noteElsewhere(request.url) }
        guard !clock.isOver, !isElsewhere, !forbids(request, path) else {
            state.withLock { $0.isBlocked = true }
            throw .cancelled
        }
        var limits = limits
        limits.total = max(.milliseconds(10), min(limits.total, clock.rest))
        limits.idle = min(limits.idle, limits.total)
        do throws(ClientError) {
            let response = try await target.transport.response(to: request, limits: limits)
            clock.note(nil)
            note(Seen(request: request, path: path, response: response))
            return response
        } catch {
            clock.note(error)
            note(Seen(request: request, path: path, response: nil))
            throw error
        }
    }

    private func forbids(_ request: ClientRequest, _ path: String) -> Bool {
        if forbidden.cover(path) || forbidden.cover(request.url.path) { return true }
        // Such an app has a single URL.
        guard target.appProtocol.client.hasMethods,
            let method = (try? JSONValue(parsing: request.body))?["method"]?.string
        else {
            return false
        }
        return forbidden.cover("/" + method)
    }

    private func note(_ seen: Seen) {
        state.withLock { state in
            if state.seen.count < Self.mostSeen { state.seen.append(seen) }
        }
    }
}

extension ClientError {
    /// Whether the server is responsible for the missing response.
    fileprivate var isOfServer: Bool {
        if case .timedOut = self { true } else { hasNoConnection }
    }
}
