import Backlot
import Logging

/// The stub that matches a request.
struct StubChoice {
    let entry: StubEntry
    /// The values of the path's parameters.
    let pathParameters: PathParameters
    let scope: ScenarioStates.Scope

    var stub: Stub { entry.stub }
}

extension MockBackend {
    /// Whether some stub has the method and the URL of a request.
    func mayRespond(_ request: MockRequest) -> Bool {
        var budget = MatchBudget(request)
        return stubs.candidates(for: request).contains { $0.isFor(request, &budget) }
    }

    /// The stub that matches a request; nil if no stub matches. It changes nothing.
    func choose(_ request: MockRequest) -> StubChoice? {
        var budget = MatchBudget(request)
        defer { givenUpLog.note(budget, request.title) }
        var known: (key: StateKey, scope: ScenarioStates.Scope)?
        func scope(_ entry: StubEntry) -> ScenarioStates.Scope {
            let key = stateKey(of: entry.stub.source)
            if known?.key != key { known = (key, self.scope(of: request, by: key)) }
            return known?.scope ?? .shared
        }
        var second: StubChoice?
        for entry in stubs.candidates(for: request) {
            // The stub isn't copied: that would cost more than most responses.
            guard entry.isFor(request, &budget) else { continue }
            if clocks.areSet { budget.now = clocks.time(of: clocks.haveClients ? scope(entry) : .shared) }
            guard entry.stub.request.meetsConditions(request, &budget) else { continue }
            let scope = entry.needsScope || clocks.haveClients ? scope(entry) : .shared
            guard allows(entry, request, scope, &budget) else { continue }
            let choice = StubChoice(
                entry: entry,
                pathParameters: entry.stub.request.url.parameters(of: request),
                scope: scope
            )
            // Of a page's file and a WebSocket's, the one that the client asks for goes first.
            if entry.stub.opensWebSocket == request.opensWebSocket || !entry.stub.source.isFile { return choice }
            second = second ?? choice
        }
        return second
    }

    /// Whether the states and the data of a client allow a stub.
    func allows(
        _ entry: StubEntry,
        _ request: MockRequest,
        _ scope: ScenarioStates.Scope,
        _ budget: inout MatchBudget
    ) -> Bool {
        if let scenario = entry.stub.scenario, let required = scenario.requiredState,
            scenarios.state(of: scenario.name, in: scope) != required
        {
            return false
        }
        guard let data = entry.data, !data.conditions.isEmpty else { return true }
        return failures(of: entry.stub, request, scope, &budget, most: 1).isEmpty
    }

    // MARK: Data

    /// Larger data, in bytes, is changed outside of event loops.
    private static let largeData = 64 * 1024

    /// The conditions on data that a request doesn't meet.
    func failures(
        of stub: Stub,
        _ request: MockRequest,
        _ scope: ScenarioStates.Scope,
        _ budget: inout MatchBudget,
        most: Int = .max
    ) -> [Match.Failure] {
        guard let conditions = stub.data?.conditions, !conditions.isEmpty else { return [] }
        let context = TemplateContext(
            request: request,
            pathParameters: stub.request.url.parameters(of: request),
            user: nil,
            sources: sources,
            data: DataView(buckets: data, scope: scope)
        )
        var failures: [Match.Failure] = []
        for condition in conditions where failures.count < most {
            let limit = configuration.templateLimit
            let key = data.bucket(condition.bucket)?.key ?? "id"
            let value = data.value(condition.bucket, in: scope)
            let part = condition.part(of: value, key: key, context, limit: limit)
            let subject = part.map(Subject.json) ?? .absent
            let pattern = condition.pattern(context, limit: limit)
            guard pattern?.matches(subject, &budget) != true else { continue }
            let expected = pattern.map { "\($0)" } ?? "a matcher"
            failures.append(.init(subject: "data \(condition.path)", expected: expected, actual: subject.shown))
        }
        return failures
    }

    /// Whether a stub changes data that belongs only to the client.
    private func changesOwnData(_ entry: StubEntry, _ method: HTTPRequest.Method) -> Bool {
        guard let stub = entry.data else { return false }
        let names = stub.crud.map { CrudRoute.changes(by: method) ? [$0.bucket] : [] } ?? stub.changed
        return names.contains { data.bucket($0)?.sharing == .client }
    }

    /// Whether a stub's data is too large for an event loop.
    func hasLargeData(_ stub: StubData, _ scope: ScenarioStates.Scope, _ request: MockRequest) -> Bool {
        request.body.count > Self.largeData
            || stub.buckets.contains { data.size($0, in: scope) > Self.largeData }
    }

    /// A session for a client without one, if a stub may change states or data of the client alone; nil for others.
    func newSession(
        for request: Request,
        _ mockRequest: MockRequest,
        _ entry: StubEntry,
        in scope: ScenarioStates.Scope
    ) -> (scope: ScenarioStates.Scope, cookie: AnonymousCookie)? {
        guard entry.mayChangeState, scope == .shared, !configuration.sharesState else { return nil }
        let stub = entry.stub
        guard
            stub.scenario?.newState != nil || changesOwnData(entry, request.method)
                || stub.moves?.isOwn(mockRequest, stateKey(of: stub.source)) == true
        else { return nil }
        let (session, cookie) = sessions.anonymousCookie(for: request)
        return (.session(session), cookie)
    }

    /// Makes a stub's changes of data, after its scenarios have moved. If a change can't be made, or if the user whom the stub
    /// logs in has no name, no data changes, and the scenarios go back.
    ///
    /// - Parameter moves: those of its scenarios.
    /// - Returns: the name of the user whom the stub logs in; nil for nobody.
    func change(
        _ entry: StubEntry,
        _ scope: ScenarioStates.Scope,
        _ context: TemplateContext,
        after moves: [ScenarioStates.Move]
    ) -> Result<String?, DataError> {
        do throws(DataError) {
            guard let stub = entry.data, !stub.changes.isEmpty else {
                return .success(try nameOfUser(entry, context))
            }
            let name = try data.change(stub.changed, in: scope) { draft throws(DataError) in
                for change in stub.changes {
                    try change.apply(to: &draft, context, limit: configuration.templateLimit)
                }
                var own = context
                own.data = context.data.seeing(draft)
                return try nameOfUser(entry, own)
            }
            return .success(name)
        } catch {
            if error.status.kind == .serverError { logger.error("\(entry.stub.source): \(error.text)") }
            scenarios.takeBack(moves)
            return .failure(error)
        }
    }

    /// The name of the user whom a stub logs in; nil for nobody.
    private func nameOfUser(_ entry: StubEntry, _ context: TemplateContext) throws(DataError) -> String? {
        guard let logIn = entry.stub.response.session.logIn else { return nil }
        let limit = configuration.templateLimit
        guard let name = try? logIn.text(context, limit: limit) else {
            let text = "filling in the template of logIn takes more than \(limit) bytes, which is the limit"
            throw DataError(.internalServerError, text)
        }
        guard !name.isEmpty else {
            let text = "Nobody can log in without a name: what logIn stands for is empty."
            throw DataError(.unprocessableContent, text)
        }
        return name
    }
}

extension StubEntry {
    /// Whether its method and URL match a request; the index has already found it by the request's path.
    fileprivate func isFor(_ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        guard stub.request.methods.isEmpty || stub.request.methods.contains(request.method) else { return false }
        return isKnownByIndex || stub.request.url.matches(request, &budget)
    }
}
