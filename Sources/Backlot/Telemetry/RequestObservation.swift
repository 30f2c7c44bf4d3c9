internal import Logging
internal import Synchronization

/// What routes and sessions find out about a request, for `Telemetry`, which reports it when the response is there.
///
/// One is made for every request: a single piece of memory, without locks.
final class RequestObservation: Sendable {
    /// What few requests have.
    private final class Rare: Sendable {
        let source = Locked<AnswerSource?>(nil)
        /// Why the store of the sessions has failed.
        let failure = Locked<String?>(nil)
    }

    /// The request's id in logs and spans.
    let id: RequestID
    private let reporter: RequestReporter
    private let stopwatch = Stopwatch()
    private let found = AtomicLazyReference<Endpoint>()
    /// The first 64 bits of the session's hash; 0 for none.
    private let sessionBits = Atomic<UInt64>(0)
    private let rare = AtomicLazyReference<Rare>()

    init(id: RequestID, _ reporter: RequestReporter) {
        self.id = id
        self.reporter = reporter
    }

    /// How long the request has taken so far.
    var nanoseconds: Int64 { stopwatch.nanoseconds }

    /// Where handlers log; nil where requests aren't logged.
    var logger: Logger? { reporter.log?.logger }

    /// The route that answers; nil when no route does.
    var endpoint: Endpoint? { found.load() }

    /// What answers where no route does; nil when nothing has said so.
    var source: AnswerSource? { rare.load()?.source.withLock(\.self) }

    /// The session, by the first 64 bits of its hash, which open nothing; nil when the handler didn't ask for it.
    var session: UInt64? {
        let bits = sessionBits.load(ordering: .relaxed)
        return bits == 0 ? nil : bits
    }

    /// Why the store of the sessions has failed; nil when it hasn't.
    var storeFailure: String? { rare.load()?.failure.withLock(\.self) }

    /// Notes the route that answers.
    func found(_ endpoint: Endpoint) { _ = found.storeIfNil(endpoint) }

    /// Notes what answers where no route does. Of several the last counts.
    func found(_ source: AnswerSource) { rare.storeIfNil(Rare()).source.withLock { $0 = source } }

    /// Notes the session that the request belongs to.
    func found(_ session: SessionHash) { sessionBits.store(session.firstWord, ordering: .relaxed) }

    /// Notes that the store of the sessions has failed. Of several failures the first counts.
    ///
    /// - Returns: whether the request's line of the log will say so.
    func storeFailed(_ reason: String) -> Bool {
        guard reporter.log != nil else { return false }
        rare.storeIfNil(Rare()).failure.withLock { $0 = $0 ?? reason }
        return true
    }
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
    var observation: RequestObservation? {
        get { observer as? RequestObservation }
        set { observer = newValue }
    }

    /// Says for the log what answers it where no route does.
    package func isAnswered(by source: AnswerSource) { observation?.found(source) }
}
