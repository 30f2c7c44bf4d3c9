import HTTPTypes

/// The stub that answers a request.
struct StubChoice {
    let stub: Stub
    /// The values of the path's parameters.
    let pathParameters: [String: String]
    let scope: ScenarioStates.Scope
}

extension MockBackend {
    /// The stub that answers a request; nil when none matches. Nothing is changed by it.
    func choose(_ request: MockRequest) -> StubChoice? {
        var scope: ScenarioStates.Scope?
        for entry in stubs.candidates(for: request.path) {
            let stub = entry.stub
            guard stub.request.methods.isEmpty || stub.request.methods.contains(request.method) else { continue }
            if !stub.request.url.isKnownByIndex, !stub.request.url.matches(request) { continue }
            guard stub.request.meetsConditions(request) else { continue }
            if let scenario = stub.scenario, let required = scenario.requiredState {
                let own = scope ?? request.scope
                scope = own
                guard scenarios.state(of: scenario.name, in: own) == required else { continue }
            }
            return StubChoice(
                stub: stub,
                pathParameters: stub.request.url.parameters(in: request.path),
                scope: scope ?? (stub.scenario == nil ? .shared : request.scope)
            )
        }
        return nil
    }

    /// Puts the stub's scenario into its new state.
    ///
    /// - Returns: false when another request has changed the state meanwhile, so that the stub may not answer any more.
    func advance(_ choice: StubChoice) -> Bool {
        guard let scenario = choice.stub.scenario, let newState = scenario.newState else { return true }
        // The client gets a session by this answer: the state is to change there, and not for all who have none.
        if choice.scope == .shared, choice.stub.answer.issuesSession { return true }
        return scenarios.advance(scenario.name, from: scenario.requiredState, to: newState, in: choice.scope)
    }
}

extension StubAnswer {
    /// Whether the client may have another session cookie after it.
    var issuesSession: Bool { session.logIn != nil || headers.contains { $0.name == .setCookie } }
}

extension URLPattern {
    /// Whether a stub that the index finds needs no second look at the URL.
    fileprivate var isKnownByIndex: Bool {
        switch self {
        case .any, .template: true
        case .url, .urlMatching, .path, .pathMatching: false
        }
    }

    fileprivate func parameters(in path: String) -> [String: String] {
        guard case .template(let template) = self, template.hasParameters else { return [:] }
        return template.values(in: PathSegments.of(path)) ?? [:]
    }
}
