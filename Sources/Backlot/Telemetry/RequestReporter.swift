internal import Tracing

/// Where the outcomes of requests are reported. One for all requests that pass a `Telemetry`.
final class RequestReporter: Sendable {
    let log: RequestLog?
    let tracer: (any Tracer)?
    private let metrics: RequestMetrics?

    init(log: RequestLog?, metrics: RequestMetrics?, tracer: (any Tracer)?) {
        self.log = log
        self.metrics = metrics
        self.tracer = tracer
    }

    /// Reports that a request has been answered.
    ///
    /// - Returns: the response, with the request's id where it bears one.
    func report(
        _ response: consuming Response,
        _ request: Request,
        _ observation: RequestObservation,
        _ span: RequestSpan?
    ) -> Response {
        note(RequestOutcome(request, observation, response.status, response.body.length), nil, span)
        return observation.id.marks(response.status) ? observation.id.marking(response) : response
    }

    /// Reports that a request has failed.
    ///
    /// - Throws: `error`, unless it is answered here.
    func report(
        _ error: any Error,
        _ request: Request,
        _ observation: RequestObservation,
        _ span: RequestSpan?
    ) throws -> Response {
        if let error = error as? any HTTPError {
            note(RequestOutcome(request, observation, error.status, nil), nil, span)
            // Most clients get the error's own answer.
            guard observation.id.marks(error.status) else { throw error }
            return observation.id.marking(Response(error))
        }
        if error is CancellationError, Task.isCancelled {
            // Nothing is wrong: the client has gone, so that nobody gets an answer.
            note(RequestOutcome(request, observation, .clientGone, nil), nil, span)
        } else {
            note(RequestOutcome(request, observation, .internalServerError, nil), error, span)
        }
        throw log == nil ? error : LoggedError(error)
    }

    private func note(_ outcome: RequestOutcome, _ error: (any Error)?, _ span: RequestSpan?) {
        metrics?.note(outcome)
        guard let span else {
            log?.note(outcome, error)
            return
        }
        // So that the log can say to which span the line belongs.
        if let log { ServiceContext.$current.withValue(span.context) { log.note(outcome, error) } }
        span.end(outcome, error)
    }
}

extension HTTPResponse.Status {
    /// What logs and metrics have instead of an answer where the client has gone before it; the number is nginx's.
    fileprivate static let clientGone = Self(code: 499, reasonPhrase: "Client Closed Request")
}

extension RequestID {
    /// Whether an answer with that status bears the id.
    fileprivate func marks(_ status: HTTPResponse.Status) -> Bool {
        if case .given = self { return true }
        return status.code >= 500
    }

    /// The answer with the id, unless it bears one.
    fileprivate func marking(_ response: Response) -> Response {
        guard let name = Self.fieldName, response.headers[name] == nil else { return response }
        var response = response
        response.headers[name] = text
        return response
    }
}
