internal import BacklotHTTP
internal import Synchronization

/// What is found out about a request on its way in, for `Telemetry`, which sees it on its way out.
///
/// One is made for every request: it is a single piece of memory, without locks.
@safe final class RequestObservation: Sendable {
    /// What the request is called in logs and spans.
    let id: RequestID
    /// The route that answers. It isn't kept alive: the router, which the request goes through, does that.
    private let endpoint = unsafe Atomic<Unmanaged<RouteTree.Endpoint>?>(nil)
    /// The first 64 bits of the session's hash; 0 for none.
    private let sessionBits = Atomic<UInt64>(0)
    /// Whether a line of the log follows.
    private let isLogged: Bool
    /// Why the store of the sessions has failed; it belongs to this object.
    private let failure = unsafe Atomic<Unmanaged<StoreFailure>?>(nil)

    init(id: RequestID, isLogged: Bool) {
        self.id = id
        self.isLogged = isLogged
    }

    deinit { unsafe failure.load(ordering: .acquiring)?.release() }

    /// A route answers it.
    func found(_ endpoint: RouteTree.Endpoint) {
        unsafe self.endpoint.store(Unmanaged.passUnretained(endpoint), ordering: .releasing)
    }

    /// It is in a session.
    func found(_ session: SessionHash) {
        sessionBits.store(session.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, ordering: .relaxed)
    }

    /// The store of the sessions has failed. Of several failures the first counts.
    ///
    /// - Returns: whether the request's line of the log will say so.
    func storeFailed(_ reason: String) -> Bool {
        guard isLogged else { return false }
        let new = unsafe Unmanaged.passRetained(StoreFailure(reason))
        let (isFirst, _) = unsafe failure.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        if !isFirst { unsafe new.release() }
        return true
    }

    /// Why the store of the sessions has failed; nil where it hasn't.
    var storeFailure: String? { unsafe failure.load(ordering: .acquiring)?.takeUnretainedValue().reason }

    /// The path of the route that answers, with its parameters' names; nil where none does.
    var route: String? {
        unsafe endpoint.load(ordering: .acquiring)?.takeUnretainedValue().route.path
    }

    /// The session, by the first 64 bits of its hash, which open nothing; nil where none was asked for.
    var session: UInt64? {
        let bits = sessionBits.load(ordering: .relaxed)
        return bits == 0 ? nil : bits
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
    /// Who observes the request; nil where nobody does.
    var observation: RequestObservation? { attributes[ObservationAttribute.self] }

    /// The same request, observed.
    func observed(by observation: RequestObservation) -> Request {
        var request = self
        request.attributes[ObservationAttribute.self] = observation
        return request
    }
}
