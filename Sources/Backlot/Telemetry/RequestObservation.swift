internal import Logging
internal import Synchronization

/// What routes and sessions find out about a request, for `Telemetry`, which reports it when the response is there.
///
/// One is made for every request: a single piece of memory, without locks.
final class RequestObservation: Sendable {
    /// What few requests have.
    struct Rare {
        var source: AnswerSource?
        /// Why the store of the sessions has failed.
        var failure: String?
    }

    /// The request's id in logs and spans.
    let id: RequestID
    private let reporter: RequestReporter
    private let stopwatch = Stopwatch()
    private let routeNumber = Atomic(0)
    /// The first 64 bits of the session's hash; 0 for none.
    private let sessionBits = Atomic<UInt64>(0)
    private let hasRare = Atomic(false)

    init(id: RequestID, _ reporter: RequestReporter) {
        self.id = id
        self.reporter = reporter
    }

    deinit {
        if hasRare.load(ordering: .acquiring) { reporter.rare.withLock { $0[ObjectIdentifier(self)] = nil } }
    }

    /// How long the request has taken so far.
    var nanoseconds: Int64 { stopwatch.nanoseconds }

    /// Where handlers log; nil where requests aren't logged.
    var logger: Logger? { reporter.log?.logger }

    /// The route that answers.
    var route: RouteNumber { RouteNumber(value: routeNumber.load(ordering: .relaxed)) }

    /// What answers where no route does, and why the store of the sessions has failed; nil for neither.
    var rare: Rare? {
        guard hasRare.load(ordering: .acquiring) else { return nil }
        return reporter.rare.withLock { $0[ObjectIdentifier(self)] }
    }

    /// The session, by the first 64 bits of its hash, which open nothing; nil when the handler didn't ask for it.
    var session: UInt64? {
        let bits = sessionBits.load(ordering: .relaxed)
        return bits == 0 ? nil : bits
    }

    /// Notes the route that answers.
    func found(_ route: RouteNumber) { routeNumber.store(route.value, ordering: .relaxed) }

    /// Notes what answers where no route does. Of several the last counts.
    func found(_ source: AnswerSource) { change { $0.source = source } }

    /// Notes the session that the request belongs to.
    func found(_ session: SessionHash) { sessionBits.store(session.firstWord, ordering: .relaxed) }

    /// Notes that the store of the sessions has failed. Of several failures the first counts.
    ///
    /// - Returns: whether the request's line of the log will say so.
    func storeFailed(_ reason: String) -> Bool {
        guard reporter.log != nil else { return false }
        change { $0.failure = $0.failure ?? reason }
        return true
    }

    private func change(_ change: (inout Rare) -> Void) {
        reporter.rare.withLock { change(&$0[ObjectIdentifier(self), default: Rare()]) }
        hasRare.store(true, ordering: .releasing)
    }
}

/// A route's path as a number, which a request notes without a lock. Routes with the same path have the same number.
struct RouteNumber: Equatable, Sendable {
    /// No route.
    static let none = RouteNumber(value: 0)
    private static let known = Locked<(numbers: [String: Int], paths: [String])>(([:], []))

    fileprivate let value: Int

    fileprivate init(value: Int) { self.value = value }

    init(of path: String) {
        value = Self.known.withLock { known in
            if let number = known.numbers[path] { return number }
            known.paths.append(path)
            known.numbers[path] = known.paths.count
            return known.paths.count
        }
    }

    /// The path, with its parameters' names; nil for no route.
    var path: String? { self == .none ? nil : Self.known.withLock { $0.paths[value - 1] } }
}

/// What answers a request where no route does, for the log: a mock, or a fault on demand. It is made once, for many requests.
package final class AnswerSource: Sendable {
    /// Where the mock is from, such as `users/[id].get.yaml:3`; nil for no mock.
    let mock: String?
    /// What goes wrong on purpose; nil for nothing.
    let fault: String?
    /// Both as members of a line in JSON, in ASCII.
    let members: [UInt8]

    package init(mock: String? = nil, fault: String? = nil) {
        self.mock = mock
        self.fault = fault
        members = [("mock", mock), ("fault", fault)].reduce(into: [UInt8(ascii: "\"")]) { bytes, member in
            guard let text = member.1 else { return }
            bytes += ",\"\(member.0)\":\(JSONValue.string(text))".utf8
        }
    }
}

extension Request {
    /// What observes the request; nil when nothing does.
    var observation: RequestObservation? { observer as? RequestObservation }

    /// The same request for handlers, with what observes it.
    func observed(by observation: RequestObservation) -> Request {
        var request = self
        request.observer = observation
        return request
    }

    /// Says for the log what answers it where no route does.
    package func isAnswered(by source: AnswerSource) { observation?.found(source) }
}
