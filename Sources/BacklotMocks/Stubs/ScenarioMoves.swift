import Backlot

/// The scenarios that a response moves beside its own, as recordings have them: each resource has a scenario, which is moved by the
/// requests that change the resource.
struct ScenarioMoves: Sendable {
    static let keys: [Key] = [
        .optional(
            "moves",
            .map(.map(.string)),
            "Other scenarios that the response moves: for each, the new state by the present one. A scenario in another state stays, and the log says so."
        ),
        .optional(
            "newClient",
            .string,
            "The client whose scenarios are moved, or who is logged in, where a response gives a token to a client without one: the value that the client sends from now on in the field that stateBy names; it may have tags."
        ),
        .optional("log", .string, "A line for the log."),
    ]

    /// The new states by the present ones, by the names of the scenarios, in the order of the file.
    let scenarios: [(name: String, states: [String: String])]
    private let newClient: Template?

    /// - Returns: nil for a response that moves nothing, and names no client.
    init?(_ item: LocatedValue) throws(StubError) {
        var scenarios: [(name: String, states: [String: String])] = []
        for (name, states) in try item["moves"]?.members() ?? [] {
            let members = states.value.object?.members ?? []
            scenarios.append((name, members.reduce(into: [:]) { $0[$1.key] = $1.value.string }))
        }
        newClient = try item["newClient"]?.template(.own)
        guard !scenarios.isEmpty || newClient != nil else { return nil }
        if scenarios.isEmpty, item["logIn"] == nil, item["response"]?["logIn"] == nil, let client = item["newClient"] {
            throw client.problem("there are neither 'moves' nor 'logIn', which the client is for")
        }
        self.scenarios = scenarios
    }

    /// The steps of all scenarios, each with the keys that lead to its states.
    var steps: [(scenario: StubScenario, path: [StubError.Step])] {
        scenarios.flatMap { name, states in
            states.map { from, to in
                (StubScenario(name: name, requiredState: from, newState: to), [.key("moves"), .key(name), .key(from)])
            }
        }
    }

    /// Whether it moves scenarios of the client that sends a request, and not those of a new client.
    func isOwn(_ request: MockRequest, _ key: StateKey) -> Bool {
        guard newClient != nil, case .field(let name) = key else { return !scenarios.isEmpty }
        return !scenarios.isEmpty && request.headers[name] != nil
    }

    /// The client of the scenarios that move.
    func scope(_ own: ScenarioStates.Scope, _ context: TemplateContext, _ key: StateKey) -> ScenarioStates.Scope {
        guard case .field(let name) = key, context.request.headers[name] == nil,
            let client = try? newClient?.text(context, limit: 65_536)
        else { return own }
        return .client(client)
    }
}
