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

    init(id: RequestID) {
        self.id = id
    }

    /// A route answers it.
    func found(_ endpoint: RouteTree.Endpoint) {
        unsafe self.endpoint.store(Unmanaged.passUnretained(endpoint), ordering: .releasing)
    }

    /// It is in a session.
    func found(_ session: SessionHash) {
        sessionBits.store(session.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, ordering: .relaxed)
    }

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
