import Backlot
import HTTPTypes

/// The stub that answers a request.
struct StubChoice {
    let entry: StubEntry
    /// The values of the path's parameters.
    let pathParameters: PathParameters
    var scope: ScenarioStates.Scope
    /// What its changes of states and data need; nil where it makes none.
    fileprivate(set) var keeping: StateKeeping?

    var stub: Stub { entry.stub }
}

/// What is known of a client's state before it is changed.
final class StateKeeping: Sendable {
    /// The cookie of the session that the client gets, since it has none; nil where it has one.
    let cookie: AnonymousCookie?
    /// The state of the scenario, where a change of data may still fail; nil elsewhere.
    let formerState: String?

    init(cookie: AnonymousCookie?, formerState: String?) {
        self.cookie = cookie
        self.formerState = formerState
    }
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
                let own = scope ?? self.scope(of: request)
                scope = own
                if let required = entry.stub.scenario?.requiredState, scenarios.state(of: name, in: own) != required {
                    continue
                }
            }
            if let data = entry.data, !data.conditions.isEmpty, !meets(data, request, &budget) { continue }
            return StubChoice(
                entry: entry,
                pathParameters: entry.stub.request.url.parameters(of: request),
                scope: scope ?? (entry.needsScope ? self.scope(of: request) : .shared)
            )
        }
        return nil
    }

    /// The scope of the states of a request's client.
    func scope(of request: MockRequest) -> ScenarioStates.Scope {
        configuration.sharesState ? .shared : request.scope
    }

    /// A choice whose changes are kept in a session of the client: a new one for a client without.
    func inSession(_ choice: StubChoice, of request: Request) -> StubChoice {
        let entry = choice.entry
        guard entry.mayChangeState else { return choice }
        var choice = choice
        var cookie: AnonymousCookie?
        if choice.scope == .shared, !configuration.sharesState,
            entry.stub.scenario?.newState != nil || changesOwnData(choice, request.method)
        {
            let (session, new) = sessions.anonymousCookie(for: request)
            choice.scope = .session(session)
            cookie = new
        }
        let scenario = entry.data == nil ? nil : entry.stub.scenario?.name
        let former = scenario.map { scenarios.state(of: $0, in: choice.scope) }
        choice.keeping = StateKeeping(cookie: cookie, formerState: former)
        return choice
    }

    /// Puts the scenario back, since what the stub should have done has failed.
    func undoAdvance(_ choice: StubChoice) {
        guard let scenario = choice.entry.stub.scenario, let former = choice.keeping?.formerState,
            let new = scenario.newState
        else { return }
        _ = scenarios.advance(scenario.name, from: new, to: former, in: choice.scope)
    }

    /// Puts the stub's scenario into its new state.
    ///
    /// - Returns: false when another request has changed the state meanwhile, so that the stub may not answer any more.
    func advance(_ choice: StubChoice) -> Bool {
        guard let scenario = choice.entry.stub.scenario, let newState = scenario.newState else { return true }
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
