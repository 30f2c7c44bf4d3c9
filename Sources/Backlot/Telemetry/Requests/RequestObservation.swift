internal import BacklotHTTP

/// What is found out about a request on its way in, for `Telemetry`, which sees it on its way out.
final class RequestObservation: Sendable {
    private struct Found {
        var route: String?
        var session: SessionHash?
    }

    /// What the request is called in logs and spans.
    let id: RequestID
    private let found = Locked(Found())

    init(id: RequestID) {
        self.id = id
    }

    /// A route answers it.
    func found(_ route: Route) {
        found.withLock { $0.route = route.path }
    }

    /// It is in a session.
    func found(_ session: SessionHash) {
        found.withLock { $0.session = session }
    }

    /// The path of the route that answers, with its parameters' names; nil where none does.
    var route: String? { found.withLock { $0.route } }

    /// The session, by the first 64 bits of its hash, which open nothing; nil where none was asked for.
    var session: String? {
        found.withLock { $0.session }.map { String($0.description.prefix(16)) }
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
