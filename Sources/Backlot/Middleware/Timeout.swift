/// Limits the time of handlers: `router.use(Timeout(.seconds(30)))` for all, `router.with(Timeout(.seconds(120)))` for some. Of
/// several, the innermost applies.
///
/// After the limit, the handler's task is cancelled, and the client gets 503 (RFC 9110, section 15.6.4), or 408 (section 15.5.9) if
/// its body hasn't arrived completely. The response doesn't wait for a handler that continues; its later result is dropped.
///
/// A handler that responds at once costs nothing extra, and can't be stopped. Streamed bodies have no limit here;
/// `ServerConfiguration.Timeouts.write` limits clients that don't read them.
///
/// ```swift
/// router.use(Timeout(.seconds(30)))
/// ```
public struct Timeout: Middleware {
    private let limit: Duration
    private let retryAfter: Duration?

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - limit: the maximum time of a handler, which includes the time to receive the body.
    ///   - retryAfter: the time before the client may try again, in whole seconds; nil to leave out the field.
    public init(_ limit: Duration, retryAfter: Duration? = nil) {
        precondition(limit > .zero, "the limit must be more than zero, but is \(limit)")
        self.limit = limit
        self.retryAfter = retryAfter
    }

    /// Passes the request on, and waits for the response no longer than the limit.
    ///
    /// - Throws: `StatusError` with 503, or `RequestError.timedOut` with 408, after the limit; the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        if let outer = request.attributes[TimeoutAttribute.self] {
            outer.set(limit, retryAfter)
            return try next.respond(to: request)
        }
        let deadline = ResponseDeadline(limit, retryAfter, request)
        var request = request
        request.attributes[TimeoutAttribute.self] = deadline
        switch try next.respond(to: request) {
        case .ready(let response): return .ready(response)
        case .pending(let work): return .pending { try await deadline.run(work) }
        }
    }
}

private enum TimeoutAttribute: RequestAttribute {
    typealias Value = ResponseDeadline
}

/// Waits for a response until a deadline, which may move in the meantime.
private final class ResponseDeadline: Sendable {
    private struct State {
        var end: ContinuousClock.Instant
        var retryAfter: Duration?
        var waiting: CheckedContinuation<Response, any Error>?
        var isOver = false
        /// The handler's task, and the clock's.
        var tasks: [Task<Void, Never>] = []
    }

    private let start: ContinuousClock.Instant
    private let body: RequestBody
    /// The request's notes, if its sessions began before the limit; nil otherwise.
    private let notes: RequestNotes?
    private let state: Locked<State>

    init(_ limit: Duration, _ retryAfter: Duration?, _ request: Request) {
        start = .now
        body = request.body
        notes = request.notes.sessions > 0 ? request.notes : nil
        state = Locked(State(end: start + limit, retryAfter: retryAfter))
    }

    func set(_ limit: Duration, _ retryAfter: Duration?) {
        let end = start + limit
        let isSooner = state.withLock { state in
            defer {
                state.end = end
                state.retryAfter = retryAfter
            }
            return !state.tasks.isEmpty && end < state.end
        }
        // The current clock task would sleep for too long.
        if isSooner { keep(LoopTask.start { await self.watch() }) }
    }

    func run(_ work: @escaping @Sendable () async throws -> Response) async throws -> Response {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.waiting = continuation }
                keep(
                    LoopTask.start {
                        self.finish(await Result { try await work() })
                    }
                )
                keep(LoopTask.start { await self.watch() })
            }
        } onCancel: {
            // The client has disconnected: the handler's task is cancelled, and ends when the handler returns.
            state.withLock { $0.tasks.first }?.cancel()
        }
    }

    private func keep(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.tasks.append(task)
            return state.isOver
        }
        if isOver || Task.isCancelled { task.cancel() }
    }

    private func watch() async {
        while true {
            let (isOver, end) = state.withLock { ($0.isOver, $0.end) }
            // The handler may have finished at once.
            if isOver { return }
            guard ContinuousClock.now < end else { break }
            guard (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
        }
        let (retryAfter, handler) = state.withLock { ($0.retryAfter, $0.tasks.first) }
        let error: any HTTPError = body.isArriving ? RequestError.timedOut("the body") : StatusError.tooSlow(retryAfter)
        finish(.failure(error), isLate: true)
        handler?.cancel()
    }

    private func finish(_ result: Result<Response, any Error>, isLate: Bool = false) {
        let (waiting, tasks) = state.withLock { state in
            defer { state.waiting = nil }
            // The handler hasn't ended, so its changes are only a part.
            if isLate, !state.isOver { notes?.sessionScope?.abandon() }
            state.isOver = true
            return (state.waiting, state.tasks)
        }
        for task in tasks.dropFirst() { task.cancel() }
        waiting?.resume(with: result)
    }
}

extension StatusError {
    fileprivate static func tooSlow(_ retryAfter: Duration?) -> StatusError {
        StatusError(
            .serviceUnavailable,
            "the server took too long to respond",
            headers: retryAfter.map { [.retryAfter: "\($0.roundedUpSeconds)"] } ?? [:]
        )
    }
}

extension Result where Failure == any Error {
    /// The result of a function that may suspend.
    package init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension Result<Response, any Error> {
    /// The response to a request, even for an `HTTPError`.
    ///
    /// - Throws: any other error.
    func response(to request: Request) throws -> Response {
        do { return try get() } catch let error as any HTTPError { return request.response(to: error) }
    }
}
