public import CoreMetrics
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
public struct Telemetry: Middleware {
    private let reporter: RequestReporter

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
        reporter = RequestReporter(
            log: logger.map { RequestLog($0, quietPaths: quietPaths) },
            metrics: metrics.map(RequestMetrics.init),
            tracer: tracer
        )
    }

    /// Hands the request on, and reports its outcome.
    ///
    /// - Throws: what `next` throws.
    public func answer(_ request: Request, next: any Handler) throws -> Answer {
        // A check judges the answers itself, and nobody has asked for them.
        if !request.attributes.isEmpty, request.isCheck { return try next.answer(request) }
        let observation = RequestObservation(id: RequestID(request), reporter)
        var observed = request
        observed.observation = observation
        let span = reporter.tracer.map { RequestSpan($0, request) }
        let answer: Answer
        do {
            answer = try Self.answer(observed, next, in: span)
        } catch {
            return .ready(try reporter.report(error, request, observation, span))
        }
        // Not `Answer.of`: what it would be given for later is memory, which an answer that is there doesn't need.
        switch consume answer {
        case .ready(let response): return .ready(reporter.report(response, request, observation, span))
        case .pending(let work):
            return .pending { [reporter] in
                let response: Response
                do {
                    response = try await work()
                } catch {
                    return try reporter.report(error, request, observation, span)
                }
                return reporter.report(response, request, observation, span)
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
