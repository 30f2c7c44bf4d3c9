internal import Logging

/// What routes and sessions find out about a request, for `Telemetry`, which reports it when the response is there. It stands in the
/// request's notes.
struct RequestObservation: Sendable {
    /// Notes that few requests have.
    final class Rare: Sendable {
        let source: ResponseSource?
        /// Why the store of the sessions has failed.
        let failure: String?

        init(source: ResponseSource?, failure: String?) {
            self.source = source
            self.failure = failure
        }
    }

    private let notes: RequestNotes
    /// The request's id in logs and spans.
    let id: RequestID

    /// Begins to observe a request.
    init(_ request: Request, _ reporter: RequestReporter) {
        notes = request.notes
        id = RequestID(request)
        notes.route = 0
        notes.session = 0
        notes.observer = reporter.number
    }

    /// The present observation of a request; nil without one.
    init?(of request: Request) {
        notes = request.notes
        guard notes.observer != 0 else { return nil }
        id = RequestID(request)
    }

    private var reporter: RequestReporter? { RequestReporter.numbered[notes.observer] }

    /// Where handlers log; nil where requests aren't logged.
    var logger: Logger? { reporter?.log?.logger }

    /// The route that answers.
    var route: RouteNumber { RouteNumber(value: notes.route) }

    /// What answers where no route does, and why the store of the sessions has failed; nil for neither.
    var rare: Rare? { notes.objects?.kinds.withLock { $0.observation as? Rare } }

    /// The session, by the first 64 bits of its hash, which open nothing; nil when the handler didn't ask for it.
    var session: UInt64? { notes.session == 0 ? nil : notes.session }

    /// Notes what answers where no route does. Of several the last counts.
    func found(_ source: ResponseSource) {
        notes.change { $0.observation = Rare(source: source, failure: ($0.observation as? Rare)?.failure) }
    }

    /// Notes the session that the request belongs to.
    func found(_ session: SessionHash) { notes.session = session.firstWord }

    /// Notes that the store of the sessions has failed. Of several failures the first counts.
    ///
    /// - Returns: whether the request's line of the log will say so.
    func storeFailed(_ reason: String) -> Bool {
        guard reporter?.log != nil else { return false }
        notes.change { kinds in
            let rare = kinds.observation as? Rare
            kinds.observation = Rare(source: rare?.source, failure: rare?.failure ?? reason)
        }
        return true
    }
}

/// A route's path as a number, which a request notes without a lock. Routes with the same path have the same number.
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

    /// The path, with its parameters' names; nil for no route.
    var path: String? { self == .none ? nil : Self.known.withLock { $0.paths[value - 1] } }
}

/// What answers a request where no route does, for the log: a mock, or a fault on demand. It is made once, for many requests.
package final class ResponseSource: Sendable {
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
    /// The observation of the request; nil without one.
    var observation: RequestObservation? { RequestObservation(of: self) }

    /// Notes the route that answers.
    func isServed(by route: RouteNumber) { notes.route = route.value }

    /// Says for the log what answers it where no route does.
    package func isServed(by source: ResponseSource) { observation?.found(source) }
}
