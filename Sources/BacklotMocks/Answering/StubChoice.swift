import Backlot
import HTTPTypes

/// The stub that answers a request.
struct StubChoice {
    let entry: StubEntry
    /// The values of the path's parameters.
    let pathParameters: PathParameters
    let scope: ScenarioStates.Scope

    var stub: Stub { entry.stub }
}

extension MockBackend {
    /// Whether some stub has the method and the URL of a request.
    func mayAnswer(_ request: MockRequest) -> Bool {
        var budget = MatchBudget(request)
        return stubs.candidates(for: request).contains { $0.isFor(request, &budget) }
    }

    /// The stub that answers a request; nil when none matches. It changes nothing.
    func choose(_ request: MockRequest) -> StubChoice? {
        var budget = MatchBudget(request)
        defer { givenUpLog.note(budget, request.title) }
        var scope: ScenarioStates.Scope?
        for entry in stubs.candidates(for: request) {
            // The stub is looked at where it is: copying one would cost more than most answers.
            guard entry.isFor(request, &budget), entry.stub.request.meetsConditions(request, &budget) else { continue }
            if let name = entry.stub.scenario?.name {
                let own = scope ?? request.scope
                scope = own
                if let required = entry.stub.scenario?.requiredState, scenarios.state(of: name, in: own) != required {
                    continue
                }
            }
            return StubChoice(
                entry: entry,
                pathParameters: entry.stub.request.url.parameters(of: request),
                scope: scope ?? (entry.issuesSession ? request.scope : .shared)
            )
        }
        return nil
    }

    /// Puts the stub's scenario into its new state.
    ///
    /// - Returns: false when another request has changed the state meanwhile, so that the stub may not answer any more.
    func advance(_ choice: StubChoice) -> Bool {
        guard let scenario = choice.entry.stub.scenario, let newState = scenario.newState else { return true }
        // The client gets a session by this answer: the state changes there, not for all clients without a session.
        if choice.scope == .shared, choice.entry.stub.answer.issuesSession { return true }
        return scenarios.advance(scenario.name, from: scenario.requiredState, to: newState, in: choice.scope)
    }
}

extension StubEntry {
    /// Whether its method and URL match a request; the index has found it for the request's path.
    fileprivate func isFor(_ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        guard stub.request.methods.isEmpty || stub.request.methods.contains(request.method) else { return false }
        return isKnownByIndex || stub.request.url.matches(request, &budget)
    }
}

extension StubAnswer {
    /// Whether the client may have another session cookie after it.
    var issuesSession: Bool { session.logIn != nil || headers.contains { $0.name == .setCookie } }
}
