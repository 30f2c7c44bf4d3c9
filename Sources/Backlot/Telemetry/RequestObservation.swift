internal import Logging

/// The facts that routes and sessions note about a request. `Telemetry` reports them with the response. They are stored in the
/// request's notes.
struct RequestObservation: Sendable {
    /// Facts that few requests have.
    final class Rare: Sendable {
        let source: ResponseSource?
        /// The reason why the sessions' store has failed.
        let failure: String?

        init(source: ResponseSource?, failure: String?) {
            self.source = source
            self.failure = failure
        }
    }

    private let notes: RequestNotes
    /// The request's id in logs and spans.
    let id: RequestID

    /// Starts the observation of a request.
    init(_ request: Request, _ reporter: RequestReporter) {
        notes = request.notes
        id = RequestID(request)
        notes.route = 0
        notes.session = 0
        notes.observer = reporter.number
    }

    /// The current observation of a request; nil without one.
    init?(of request: Request) {
        notes = request.notes
        guard notes.observer != 0 else { return nil }
        id = RequestID(request)
    }

    private var reporter: RequestReporter? { RequestReporter.numbered[notes.observer] }

    /// The logger for handlers; nil if requests aren't logged.
    var logger: Logger? { reporter?.log?.logger }

    /// The route of the request.
    var route: RouteNumber { RouteNumber(value: notes.route) }

    /// The source of a response without a route, and the reason for a failure of the sessions' store; nil without either.
    var rare: Rare? { notes.objects?.kinds.withLock { $0.observation as? Rare } }

    /// The session, as the first 64 bits of its hash, which give no access; nil if the handler didn't use it.
    var session: UInt64? { notes.session == 0 ? nil : notes.session }

    /// Notes the source of a response without a route. Of several, the last counts.
    func found(_ source: ResponseSource) {
        notes.change { $0.observation = Rare(source: source, failure: ($0.observation as? Rare)?.failure) }
    }

    /// Notes the session of the request.
    func found(_ session: SessionHash) { notes.session = session.firstWord }

    /// Notes that the sessions' store has failed. Of several failures, the first counts.
    ///
    /// - Returns: whether the request's log line will include it.
    func storeFailed(_ reason: String) -> Bool {
        guard reporter?.log != nil else { return false }
        notes.change { kinds in
            let rare = kinds.observation as? Rare
            kinds.observation = Rare(source: rare?.source, failure: rare?.failure ?? reason)
        }
        return true
    }
}

/// A route's path as a number, which a request stores without a lock. Routes with the same path have the same number.
struct RouteNumber: Equatable, Sendable {
    /// No route.
    static let none = RouteNumber(value: 0)
    private static let known = Locked<(numbers: [String: Int], paths: [String])>(([:], []))

    let value: Int

    fileprivate init(value: Int) { self.value = value }

    init(of path: String) {
        value = Self.known.withLock { known in
            if let number = known.numbers[path] { return number }
            known.paths.append(path)
            known.numbers[path] = known.paths.count
            return known.paths.count
        }
    }

    /// The path, with its parameters' names; nil without a route.
    var path: String? { self == .none ? nil : Self.known.withLock { $0.paths[value - 1] } }
}

/// The source of a response without a route, for the log: a mock, or an injected fault. It is made once for many requests.
package final class ResponseSource: Sendable {
    /// The location of the mock, such as `users/[id].get.yaml:3`; nil for no mock.
    let mock: String?
    /// The injected fault; nil for none.
    let fault: String?
    /// Both as members of a JSON line, in ASCII.
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
    /// The observation of the request; nil without one.
    var observation: RequestObservation? { RequestObservation(of: self) }

    /// Notes the request's route.
    func isServed(by route: RouteNumber) { notes.route = route.value }

    /// Notes the source of a response without a route, for the log.
    package func isServed(by source: ResponseSource) { observation?.found(source) }
}
