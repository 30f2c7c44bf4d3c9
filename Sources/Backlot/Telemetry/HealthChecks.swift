/// Tells load balancers and orchestrators whether a server works, and whether it is ready for requests.
///
/// ```swift
/// let health = HealthChecks()
/// health.add("sessions") { try await store.check() }
/// router.health(health)
/// server.onStopping = { health.stop() }
/// ```
/// `/healthz` returns 200 as long as the program can respond: restart it if it doesn't.
///
/// `/readyz` returns 200 while the server is ready and all checks pass, and otherwise 503 with the problems. Then send it no
/// requests, but don't restart it, because a restart doesn't end another program's outage. A check that is still running counts as
/// failed and isn't started again.
public final class HealthChecks: Sendable {
    private struct Check {
        let name: String
        let run: @Sendable () async throws -> Void
        let isRunning = Locked(false)
    }

    private struct State {
        var checks: [Check] = []
        var isStopping = false
        var last: (outcome: [String], until: ContinuousClock.Instant)?
        var running: Task<[String], Never>?
        /// The time of each check's last success.
        var passed: [String: ContinuousClock.Instant] = [:]

        /// The problems that keep the server from being ready; nil if checks must run first.
        func known(at now: ContinuousClock.Instant) -> [String]? {
            if isStopping { return ["the server stops"] }
            if checks.isEmpty { return [] }
            return last.flatMap { now < $0.until ? $0.outcome : nil }
        }
    }

    private let limit: Duration
    private let lifetime: Duration
    private let grace: Duration
    private let state = Locked(State())

    /// Creates a list without checks.
    ///
    /// - Parameters:
    ///   - limit: the time limit for the checks; a slower check has failed.
    ///   - lifetime: the time that their result is kept. The checks run once in that time, however often clients ask.
    ///   - grace: the time that a check may fail after a success while the server still counts as ready. A short outage of a store
    ///     that all replicas share then doesn't take them all out: they still serve pages that don't need it.
    public init(limit: Duration = .seconds(2), lifetime: Duration = .seconds(1), grace: Duration = .zero) {
        self.limit = limit
        self.lifetime = lifetime
        self.grace = grace
    }

    /// Adds a check that must pass before the server is ready.
    ///
    /// - Parameters:
    ///   - name: its name in the response, which strangers may read.
    ///   - check: throws if there is a problem. The error isn't shown.
    public func add(_ name: String, _ check: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.checks.append(Check(name: name, run: check)) }
    }

    /// Makes `/readyz` return 503 from now on, because the server stops.
    public func stop() { state.withLock { $0.isStopping = true } }

    /// The problems that keep the server from being ready; empty if it is.
    public func problems() async -> [String] {
        let (known, task) = state.withLock { state -> ([String], Task<[String], Never>?) in
            if let known = state.known(at: .now) { return (known, nil) }
            let task = state.running ?? Task { [checks = state.checks] in await run(checks) }
            state.running = task
            return ([], task)
        }
        return await task?.value ?? known
    }

    /// The known problems; nil if checks must run first.
    func knownProblems() -> [String]? { state.withLock { $0.known(at: .now) } }

    private func run(_ checks: [Check]) async -> [String] {
        let failed = await withTaskGroup(of: String?.self) { group in
            for check in checks { group.addTask { await self.run(check) } }
            var failed: [String] = []
            for await name in group { if let name { failed.append(name) } }
            return failed.sorted()
        }
        return state.withLock { state in
            let now = ContinuousClock.now
            for check in checks where !failed.contains(check.name) { state.passed[check.name] = now }
            let outcome = failed.filter { name in state.passed[name].map { $0.duration(to: now) >= grace } ?? true }
                .map { "the check of \($0) failed" }
            state.last = (outcome, now + lifetime)
            state.running = nil
            // The server may have begun to stop meanwhile.
            return state.known(at: now) ?? outcome
        }
    }

    /// - Returns: the name of a failed check. The server doesn't wait for a check that ignores its cancellation.
    private func run(_ check: Check) async -> String? {
        let begins = check.isRunning.withLock { isRunning in
            defer { isRunning = true }
            return !isRunning
        }
        guard begins else { return check.name }
        let (outcomes, outcome) = AsyncStream.makeStream(of: Bool.self)
        let own = Task {
            let isGood = (try? await check.run()) != nil
            // This comes first, so that a caller that gets the result can run the check again.
            check.isRunning.withLock { $0 = false }
            outcome.yield(isGood)
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            outcome.yield(false)
        }
        let isGood = await outcomes.first { _ in true } ?? false
        own.cancel()
        timer.cancel()
        return isGood ? nil : check.name
    }
}

extension Routes {
    /// Adds `/healthz` and `/readyz`.
    ///
    /// ```swift
    /// let health = HealthChecks()
    /// router.health(health)
    /// ```
    /// - Parameter alive: the text of the response at `/healthz`; some load balancers expect a certain one.
    public func health(_ health: HealthChecks, alive: String = "ok") {
        let alive = FunctionHandler { (_: Request) -> Response in Response(health: alive, .ok) }
        add(Route(.get, "/healthz", handler: alive, source: CodeLocation(file: #fileID, line: #line)))
        let ready = ReadinessHandler(health: health)
        add(Route(.get, "/readyz", handler: ready, source: CodeLocation(file: #fileID, line: #line)))
    }
}

/// Handles `/readyz`, without a task while the result of the checks is known.
private struct ReadinessHandler: Handler {
    let health: HealthChecks

    func respond(to request: Request) -> HandlerResult {
        if let problems = health.knownProblems() { return .ready(Response(problems: problems)) }
        return .pending { Response(problems: await health.problems()) }
    }
}

extension Response {
    /// Creates a response that no cache may keep.
    fileprivate init(health text: String, _ status: HTTPResponse.Status) {
        self = .text(text, status: status)
        headers[.cacheControl] = "no-store"
    }

    /// The response with the server's problems: 503, or 200 without any.
    fileprivate init(problems: [String]) {
        self =
            problems.isEmpty
            ? Response(health: "ready", .ok)
            : Response(health: "not ready: \(problems.joined(separator: "; "))", .serviceUnavailable)
    }
}
