import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Logging

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

    // MARK: Data

    /// Data of more bytes is changed where no event loop waits for it.
    private static let largeData = 64 * 1024

    /// The scope whose data a stub's client sees.
    func dataScope(_ choice: StubChoice, _ request: MockRequest) -> ScenarioStates.Scope {
        choice.scope == .shared ? scope(of: request) : choice.scope
    }

    /// Whether the data is as a stub asks.
    func meets(_ data: StubData, _ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        data.conditions.allSatisfy { $0.pattern.matches(subject($0, request), &budget) }
    }

    /// Which conditions on data a request doesn't meet.
    func failures(of data: StubData, _ request: MockRequest, _ budget: inout MatchBudget) -> [Match.Failure] {
        data.conditions.compactMap { condition in
            let subject = subject(condition, request)
            guard !condition.pattern.matches(subject, &budget) else { return nil }
            return .init(subject: "data \(condition.path)", expected: "\(condition.pattern)", actual: subject.shown)
        }
    }

    private func subject(_ condition: StubData.Condition, _ request: MockRequest) -> Subject {
        let steps = condition.path.split(separator: ".").map(String.init)
        let value = data.value(condition.bucket, in: scope(of: request))?.part(at: steps.dropFirst())
        return value.map(Subject.json) ?? .absent
    }

    /// Whether a stub changes what belongs to the client alone.
    func changesOwnData(_ choice: StubChoice, _ method: HTTPRequest.Method) -> Bool {
        guard let stub = choice.entry.data else { return false }
        let names = stub.crud.map { CrudRoute.changes(by: method) ? [$0.bucket] : [] } ?? stub.changed
        return names.contains { data.bucket($0)?.sharing == .client }
    }

    /// Whether a stub's data is too much for an event loop.
    func hasLargeData(_ choice: StubChoice, _ request: MockRequest) -> Bool {
        guard let stub = choice.entry.data else { return false }
        return request.body.count > Self.largeData
            || stub.buckets.contains { data.size($0, in: dataScope(choice, request)) > Self.largeData }
    }

    /// Makes the changes of a stub.
    ///
    /// - Returns: why they can't be made, as an answer; nil when they were.
    func change(_ choice: StubChoice, _ context: TemplateContext) -> Response? {
        guard let stub = choice.entry.data, !stub.changes.isEmpty else { return nil }
        do throws(DataProblem) {
            try data.change(stub.changed, in: dataScope(choice, context.request)) { draft throws(DataProblem) in
                for change in stub.changes {
                    try change.apply(to: &draft, context, limit: configuration.templateLimit)
                }
            }
            return nil
        } catch {
            if error.status.kind == .serverError { logger.error("\(choice.stub.source): \(error.text)") }
            return .text(error.text, status: error.status)
        }
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
