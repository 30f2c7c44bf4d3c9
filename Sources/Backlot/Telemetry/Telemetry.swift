public import BacklotHTTP
public import CoreMetrics
internal import HTTPTypes
public import Logging
public import Tracing

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Reports the outcome of every request: as a line of the log, in metrics, and as a span.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// router.use(Telemetry(logger: logger, metrics: metrics))
/// ```
/// Use it first, so that it sees what other middlewares answer. Each part can be left out and then costs nothing.
///
/// * Log: `GET /notes/7 200`, with `request-id`, `route` (or `mock`, the place of the mock that answered, and `fault`, what went
///   wrong on purpose), `status`, `duration-ms`, `bytes` where they are known before they are
///   sent, and `session-hash` where the handler asked for its session (a part of what the store knows it by). What comes after `?`,
///   header fields and bodies are never logged. An unexpected error is in the same line, as `error`, and so is why the store of the
///   sessions has failed, as `session-store`.
/// * Metrics: `http.requests` by `method`, `route` and `status`, and `http.request.duration` by `method` and `route`. Requests
///   that no route answers share the route `*`; methods that no route is for share `other`.
/// * Spans, named by method and route, with the attributes of OpenTelemetry's conventions for HTTP servers. The handler runs in
///   the span's context, and what the client's span says is handed on.
///
/// A request bears the id that its `X-Request-Id` gives it, if that is 1 to 64 letters, digits or `-_.:=`, and otherwise a new
/// one. It is in the answer too, where the request had one, and in every 5xx, so that a user can quote it. The duration ends when
/// the handler has returned; the time to send the answer is not part of it. Handlers have the id too, and a logger with
/// it: `request.id`, `request.logger`. The requests that `check` makes aren't reported.
@safe public struct Telemetry: Middleware {
    private let log: RequestLog?
    /// For handlers; it lives as long as the program, so that requests need not keep it alive.
    private let handlersLog: Unmanaged<HandlersLog>?
    private let metrics: RequestMetrics?
    private let tracer: (any Tracer)?

    /// Telemetry with the parts that are given.
    ///
    /// - Parameters:
    ///   - logger: where requests are logged: as `info`, as `warning` when the answer is a 5xx, and as `error` when the handler has
    ///     thrown something unexpected or the store of the sessions has failed. nil: nowhere.
    ///   - quietPaths: requests for these are logged as `debug` unless they fail: programs ask for them all the time.
    ///   - metrics: what makes the metrics, such as `PrometheusMetrics`; nil: none.
    ///   - tracer: what makes the spans, such as `InstrumentationSystem.tracer`; nil: none.
    public init(
        logger: Logger? = nil,
        quietPaths: Set<String> = ["/healthz", "/readyz", "/metrics"],
        metrics: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) {
        log = logger.map { RequestLog($0, quietPaths: quietPaths) }
        unsafe handlersLog = logger.map { unsafe Unmanaged.passRetained(HandlersLog($0)) }
        self.metrics = metrics.map(RequestMetrics.init)
        self.tracer = tracer
    }

    /// Hands the request on, and reports its outcome.
    ///
    /// - Throws: what `next` throws.
    public func answer(_ request: Request, next: any Handler) throws -> Answer {
        // A check judges the answers itself, and nobody has asked for them.
        if !request.attributes.isEmpty, request.isCheck { return try next.answer(request) }
        let observation = unsafe RequestObservation(id: RequestID(request), log: handlersLog)
        let observed = request.observed(by: observation)
        let stopwatch = Stopwatch()
        let span = tracer.map { RequestSpan($0, request) }
        return try .of({ try Self.answer(observed, next, in: span) }) { result in
            switch result {
            case .success(let response): .ready(finish(response, request, observation, stopwatch, span))
            case .failure(let error): .ready(try finish(error, request, observation, stopwatch, span))
            }
        }
    }

    private static func answer(_ request: Request, _ next: any Handler, in span: RequestSpan?) throws -> Answer {
        guard let span else { return try next.answer(request) }
        switch try ServiceContext.$current.withValue(span.context, operation: { try next.answer(request) }) {
        case .ready(let response): return .ready(response)
        case .pending(let work):
            return .pending { try await ServiceContext.$current.withValue(span.context) { try await work() } }
        }
    }

    private func finish(
        _ response: Response,
        _ request: Request,
        _ observation: RequestObservation,
        _ stopwatch: Stopwatch,
        _ span: RequestSpan?
    ) -> Response {
        note(RequestOutcome(request, observation, response.status, response.body.length, stopwatch), nil, span)
        return observation.id.marking(response)
    }

    /// - Throws: `error`, unless it is answered here.
    private func finish(
        _ error: any Error,
        _ request: Request,
        _ observation: RequestObservation,
        _ stopwatch: Stopwatch,
        _ span: RequestSpan?
    ) throws -> Response {
        if let error = error as? any HTTPError {
            note(RequestOutcome(request, observation, error.status, nil, stopwatch), nil, span)
            // Most clients get the error's own answer.
            guard observation.id.marks(error.status) else { throw error }
            return observation.id.marking(Response(error))
        }
        note(RequestOutcome(request, observation, .internalServerError, nil, stopwatch), error, span)
        throw log == nil ? error : LoggedError(error)
    }

    private func note(_ outcome: RequestOutcome, _ error: (any Error)?, _ span: RequestSpan?) {
        if let log, let span {
            // So that the log can say to which span the line belongs.
            ServiceContext.$current.withValue(span.context) { log.note(outcome, error) }
        } else if let log {
            log.note(outcome, error)
        }
        metrics?.note(outcome)
        span?.end(outcome, error)
    }
}

extension RequestID {
    /// Whether an answer with that status bears the id.
    fileprivate func marks(_ status: HTTPResponse.Status) -> Bool {
        if case .given = self { return true }
        return status.code >= 500
    }

    fileprivate func marking(_ response: Response) -> Response {
        guard let name = Self.fieldName, marks(response.status), response.headers[name] == nil else { return response }
        var response = response
        response.headers[name] = text
        return response
    }
}

/// Measures a duration in nanoseconds, by a clock that never jumps.
struct Stopwatch {
    private let start = Stopwatch.now

    var nanoseconds: Int64 { Self.now - start }

    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
