public import CoreMetrics
public import Logging
public import Tracing

/// Reports the outcome of every request: as a log line, in metrics, and as a span.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// router.use(Telemetry(logger: logger, metrics: metrics))
/// ```
/// Use it first, so that it sees the responses of other middleware. You can leave out each part, and then it costs nothing.
///
/// * Log: `GET /notes/7 200`, with `request-id`, `route` (or `mock`, the place of the mock that answered, and `fault`, what went
///   wrong on purpose), `status`, `duration-ms`, `bytes` where they are known before they are
///   sent, `session-hash` where the handler asked for its session (a part of what the store knows it by), `client-address` (through
///   trusted proxies), `protocol`, `tls` (its version, where this server encrypts) and `user-agent`. What comes after `?`, other header
///   fields and bodies are never logged. An unexpected error is in the same line, as `error`, and so is why the store of the
///   sessions has failed, as `session-store`.
/// * Metrics: `http.server.request.duration` by `http.request.method`, `http.response.status_code`, `http.route` and
///   `url.scheme`, which also counts the requests. Requests that no route answers share the route `*`; unknown methods share `_OTHER`.
/// * Spans, named by method and route, with the attributes of OpenTelemetry's conventions for HTTP servers. The handler runs in
///   the span's context, and what the client's span says is handed on.
///
/// A request has the id that a trusted proxy sends in `X-Request-Id`, or else one of the server's (`Request.id`). The response
/// carries the id of a proxy, and every 5xx carries an id, so that a user can quote it. Handlers also have the id, and a logger
/// with it: `request.id`, `request.logger`.
///
/// The duration ends when the handler has returned, and doesn't include the time to send the response. The requests of `check`
/// aren't reported.
public struct Telemetry: Middleware {
    private let reporter: RequestReporter
    private let quietPaths: Set<String>

    /// Telemetry with the given parts.
    ///
    /// - Parameters:
    ///   - logger: logs requests: as `info`, as `warning` if the response is a 5xx, and as `error` if the handler throws an
    ///     unexpected error or the sessions' store fails. nil: no log.
    ///   - quietPaths: paths with frequent requests of programs. They are logged as `debug` unless they fail, and have no span.
    ///   - metrics: the factory of the metrics, such as `PrometheusMetrics`; nil: none.
    ///   - tracer: the factory of the spans, such as `InstrumentationSystem.tracer`; nil: none.
    public init(
        logger: Logger? = nil,
        quietPaths: Set<String> = ["/healthz", "/readyz", "/metrics"],
        metrics: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) {
        self.quietPaths = quietPaths
        reporter = RequestReporter(
            log: logger.map { RequestLog($0, quietPaths: quietPaths) },
            metrics: metrics,
            tracer: tracer
        )
    }

    /// Passes the request on, and reports its outcome.
    ///
    /// - Throws: the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        // A check inspects the responses itself, and no client sent its requests.
        if !request.attributes.isEmpty, request.isCheck { return try next.respond(to: request) }
        let observed = ObservedRequest(RequestObservation(request, reporter))
        if reporter.isTracing, !quietPaths.contains(request.path) { return try trace(request, observed, next) }
        do {
            // Not `map`: its closure would take memory, which a ready response doesn't need.
            switch try next.respond(to: request) {
            case .ready(let response): return .ready(reporter.report(response, request, observed))
            case .pending(let work): return wait(for: work, request, observed)
            }
        } catch {
            return .ready(try reporter.report(error, request, observed))
        }
    }

    private func trace(_ request: Request, _ observed: ObservedRequest, _ next: any Handler) throws -> HandlerResult {
        guard let tracer = reporter.tracer else { return try next.respond(to: request) }
        let span = RequestSpan(tracer, request)
        var observed = observed
        observed.span = span
        do {
            switch try ServiceContext.$current.withValue(span.context, operation: { try next.respond(to: request) }) {
            case .ready(let response): return .ready(reporter.report(response, request, observed))
            case .pending(let work):
                let inSpan = { @Sendable in
                    try await ServiceContext.$current.withValue(span.context) { try await work() }
                }
                return wait(for: inSpan, request, observed)
            }
        } catch {
            return .ready(try reporter.report(error, request, observed))
        }
    }

    private func wait(
        for work: @escaping @Sendable () async throws -> Response,
        _ request: Request,
        _ observed: ObservedRequest
    ) -> HandlerResult {
        .pending { [reporter] in
            let response: Response
            do {
                response = try await work()
            } catch {
                return try reporter.report(error, request, observed)
            }
            return reporter.report(response, request, observed)
        }
    }
}

/// The record of a request while handlers run.
struct ObservedRequest: Sendable {
    let observation: RequestObservation
    let stopwatch = Stopwatch()
    var span: RequestSpan?

    init(_ observation: RequestObservation) { self.observation = observation }
}

/// Measures a duration in nanoseconds, with a monotonic clock.
struct Stopwatch {
    private let start = Stopwatch.now

    var nanoseconds: Int64 { Self.now - start }

    private static var now: Int64 { LoopClock.nanoseconds }
}

/// The destination of the requests' outcomes. All requests that pass a `Telemetry` share one.
final class RequestReporter: Sendable {
    static let numbered = NumberedObjects<RequestReporter>()

    /// The number that requests store to name their reporter.
    let number = numbered.makeNumber()
    let log: RequestLog?
    let tracer: (any Tracer)?
    /// Whether there is a tracer: reading the tracer itself would take a copy.
    let isTracing: Bool
    private let kinds: RequestKinds

    init(log: RequestLog?, metrics: (any MetricsFactory)?, tracer: (any Tracer)?) {
        self.log = log
        self.tracer = tracer
        isTracing = tracer != nil
        kinds = RequestKinds(log, metrics)
        Self.numbered[number] = self
    }

    deinit { Self.numbered[number] = nil }

    /// Reports the response to a request.
    ///
    /// - Returns: the response, with the request's id if it carries one.
    func report(_ response: consuming Response, _ request: Request, _ observed: ObservedRequest) -> Response {
        note(request, observed, response.status, response.body.length, nil)
        let id = observed.observation.id
        return id.marks(response.status) ? response.bearing(id) : response
    }

    /// Reports that a request has failed.
    ///
    /// - Throws: `error`, unless it becomes a response here.
    func report(_ error: any Error, _ request: Request, _ observed: ObservedRequest) throws -> Response {
        if let error = error as? any HTTPError {
            note(request, observed, error.status, nil, nil)
            // Most clients get the error's own response.
            let id = observed.observation.id
            guard id.marks(error.status) else { throw error }
            return request.response(to: error).bearing(id)
        }
        // A disconnect isn't an error, because nobody receives the response.
        let hasGone = error is CancellationError && Task.isCancelled
        let cause = (error as? UnexpectedError)?.cause ?? error
        note(request, observed, hasGone ? .clientGone : .internalServerError, nil, hasGone ? nil : cause)
        throw log == nil ? error : UnexpectedError(error, isLogged: true)
    }

    private func note(
        _ request: Request,
        _ observed: ObservedRequest,
        _ status: HTTPResponse.Status,
        _ bytes: Int?,
        _ error: (any Error)?
    ) {
        let nanoseconds = observed.stopwatch.nanoseconds
        let observation = observed.observation
        let kind = kinds.kind(observation.route, request.method, status.code, isSecure: request.isSecure)
        kind.note(nanoseconds: nanoseconds)
        let microseconds = Int((nanoseconds + 500) / 1000)
        if observed.span == nil, error == nil {
            guard let log else { return }
            if log.write(request, kind, observation, bytes: bytes, microseconds: microseconds) { return }
        }
        let outcome = RequestOutcome(
            kind: kind,
            observation: observation,
            bytes: bytes,
            microseconds: microseconds,
            error: error
        )
        guard let span = observed.span else {
            log?.note(request, outcome)
            return
        }
        // In this context the log can name the line's span.
        if let log { ServiceContext.$current.withValue(span.context) { log.note(request, outcome) } }
        span.end(request, outcome)
    }
}

extension HTTPResponse.Status {
    /// The status in logs and metrics if the client disconnects before the response; the number is nginx's.
    fileprivate static let clientGone = Self(code: 499, reasonPhrase: "Client Closed Request")
}

extension RequestID {
    /// Whether a response with that status carries the id.
    fileprivate func marks(_ status: HTTPResponse.Status) -> Bool {
        if case .given = self { return true }
        return status.code >= 500
    }
}

/// The span of a request, by OpenTelemetry's semantic conventions for HTTP servers
/// (https://opentelemetry.io/docs/specs/semconv/http/http-spans/).
///
/// The part after `?` is left out, as in the log.
final class RequestSpan: Sendable {
    private let span: any Span

    init(_ tracer: any Tracer, _ request: Request) {
        var context = ServiceContext.current ?? .topLevel
        tracer.extract(request.headers, into: &context, using: RequestHeadersExtractor())
        span = tracer.startSpan(
            request.method.rawValue,
            context: context,
            ofKind: .server,
            at: DefaultTracerClock.Timestamp.current
        )
        guard span.isRecording else { return }
        let client = RequestClient(request)
        // All at once: each assignment to a span's attributes copies them.
        var attributes: SpanAttributes = [
            "url.path": .string(request.path),
            "url.scheme": .string(request.scheme),
            "client.address": .string(client.address),
            "network.peer.address": .string(request.remoteAddress.host),
            "network.peer.port": .int64(Int64(request.remoteAddress.port)),
            "network.protocol.version": .string(request.headers.version.description),
        ]
        if let agent = client.agent { attributes["user_agent.original"] = agent }
        span.attributes = attributes
    }

    /// The context that the handler runs in.
    var context: ServiceContext { span.context }

    func end(_ request: Request, _ outcome: RequestOutcome) {
        defer { span.end(at: DefaultTracerClock.Timestamp.current) }
        guard span.isRecording else { return }
        let kind = outcome.kind
        let isKnown = kind.method == request.method.rawValue
        let method = isKnown ? kind.method : "HTTP"
        span.operationName = kind.path.map { "\(method) \($0)" } ?? method
        // The handler may have added attributes.
        var attributes = span.attributes
        attributes["http.request.method"] = isKnown ? kind.method : "_OTHER"
        if !isKnown { attributes["http.request.method_original"] = request.method.rawValue }
        attributes["http.response.status_code"] = kind.status
        attributes["request.id"] = outcome.observation.id.text
        if let path = kind.path { attributes["http.route"] = path }
        if let error = outcome.error { attributes["error.type"] = String(reflecting: type(of: error)) }
        if kind.status >= 500 {
            if outcome.error == nil { attributes["error.type"] = String(kind.status) }
            span.setStatus(SpanStatus(code: .error))
        }
        span.attributes = attributes
        if let error = outcome.error {
            span.recordError(error, attributes: [:], at: DefaultTracerClock.Timestamp.current)
        }
    }
}

/// Lets a tracer read the context of the client's span. Fields with one name are joined, so that a tracer can detect a repeated
/// field.
private struct RequestHeadersExtractor: Extractor {
    func extract(key: String, from headers: RequestHeaders) -> String? {
        HTTPField.Name(key).flatMap { headers[$0] }
    }
}
