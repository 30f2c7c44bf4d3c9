internal import Logging
internal import Synchronization

/// What routes and sessions find out about a request, for `Telemetry`, which reports it when the answer is there.
///
/// One is made for every request: it is a single piece of memory, without locks.
@safe final class RequestObservation: Sendable {
    /// The request's id in logs and spans.
    let id: RequestID
    /// The route that answers. It isn't kept alive: the router, which the request goes through, does that.
    private let endpoint = unsafe Atomic<Unmanaged<Endpoint>?>(nil)
    /// The first 64 bits of the session's hash; 0 for none.
    private let sessionBits = Atomic<UInt64>(0)
    private let reporter: RequestReporter
    private let stopwatch = Stopwatch()
    /// Why the store of the sessions has failed; it belongs to this object.
    private let failure = unsafe Atomic<Unmanaged<StoreFailure>?>(nil)
    /// What answers where no route does; it belongs to this object.
    private let source = unsafe Atomic<Unmanaged<AnswerSource>?>(nil)

    init(id: RequestID, _ reporter: RequestReporter) {
        self.id = id
        self.reporter = reporter
    }

    /// How long the request has taken so far.
    var nanoseconds: Int64 { stopwatch.nanoseconds }

    /// Where handlers log; nil where requests aren't logged.
    var logger: Logger? { reporter.log?.logger }

    deinit {
        unsafe failure.load(ordering: .acquiring)?.release()
        unsafe source.load(ordering: .acquiring)?.release()
    }

    /// Notes what answers where no route does. Of several the last counts.
    func found(_ source: AnswerSource) {
        let new = unsafe Unmanaged.passRetained(source)
        unsafe self.source.exchange(new, ordering: .acquiringAndReleasing)?.release()
    }

    /// What answers where no route does; nil when nothing has said so.
    var answerSource: AnswerSource? { unsafe source.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Notes the route that answers.
    func found(_ endpoint: Endpoint) {
        unsafe self.endpoint.store(Unmanaged.passUnretained(endpoint), ordering: .releasing)
    }

    /// Notes the session that the request belongs to.
    func found(_ session: SessionHash) { sessionBits.store(session.firstWord, ordering: .relaxed) }

    /// Notes that the store of the sessions has failed. Of several failures the first counts.
    ///
    /// - Returns: whether the request's line of the log will say so.
    func storeFailed(_ reason: String) -> Bool {
        guard reporter.log != nil else { return false }
        let new = unsafe Unmanaged.passRetained(StoreFailure(reason))
        let (isFirst, _) = unsafe failure.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        if !isFirst { unsafe new.release() }
        return true
    }

    /// Why the store of the sessions has failed; nil when it hasn't.
    var storeFailure: String? { unsafe failure.load(ordering: .acquiring)?.takeUnretainedValue().reason }

    /// The path of the route that answers, with its parameters' names; nil when no route answers.
    var route: String? { unsafe endpoint.load(ordering: .acquiring)?.takeUnretainedValue().path }

    /// The session, by the first 64 bits of its hash, which open nothing; nil when the handler didn't ask for it.
    var session: UInt64? {
        let bits = sessionBits.load(ordering: .relaxed)
        return bits == 0 ? nil : bits
    }
}

/// What answers a request where no route does, for the log: a mock, or a fault on demand. It is made once, for many requests.
package final class AnswerSource: Sendable {
    /// Where the mock is from, such as `users/[id].get.yaml:3`; nil for no mock.
    let mock: String?
    /// What goes wrong on purpose; nil for nothing.
    let fault: String?

    package init(mock: String? = nil, fault: String? = nil) {
        self.mock = mock
        self.fault = fault
    }
}

private final class StoreFailure: Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

private enum ObservationAttribute: RequestAttribute {
    typealias Value = RequestObservation
}

extension Request {
    /// What observes the request; nil when nothing does.
    var observation: RequestObservation? {
        get { attributes[ObservationAttribute.self] }
        set { attributes[ObservationAttribute.self] = newValue }
    }

    /// Says for the log what answers it where no route does.
    package func isAnswered(by source: AnswerSource) { observation?.found(source) }
}

/// The outcome of a request.
struct RequestOutcome {
    /// What stands for the path of a route where none answered.
    private static let noRoute = "*"
    /// The longest path that is logged whole, in bytes.
    private static let longestPath = 200

    let id: RequestID
    let method: String
    /// As it was sent, without what comes after `?`.
    let path: String
    /// The path of the route; `*` where none answered.
    let route: String
    /// What answered where no route did; nil when nothing has said so.
    let source: AnswerSource?
    /// The first 64 bits of the hash of its session; nil when the handler didn't ask for it.
    let session: UInt64?
    /// Why the store of the sessions has failed; nil when it hasn't.
    let storeFailure: String?
    let status: Int
    /// The size of the body; nil when it isn't known.
    let bytes: Int?
    let nanoseconds: Int64

    init(
        _ request: borrowing Request,
        _ observation: RequestObservation,
        _ status: HTTPResponse.Status,
        _ bytes: Int?
    ) {
        id = observation.id
        method = request.method.rawValue
        path = request.path
        route = observation.route ?? Self.noRoute
        source = observation.answerSource
        session = observation.session
        storeFailure = observation.storeFailure
        self.status = status.code
        self.bytes = bytes
        nanoseconds = observation.nanoseconds
    }

    /// The path of the route; nil where none answered.
    var knownRoute: String? { route == Self.noRoute ? nil : route }

    /// The method, or `other`: one of a bounded number of texts.
    var boundedMethod: String {
        // Clients could make up any number.
        switch method {
        case "GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE": method
        default: "other"
        }
    }

    /// The duration in milliseconds, with three digits.
    var milliseconds: Double { (Double(nanoseconds) / 1000).rounded() / 1000 }

    /// The path, as far as it is logged.
    var loggedPath: String {
        path.utf8.count <= Self.longestPath ? path : "\(path.prefix(Self.longestPath))…"
    }
}
