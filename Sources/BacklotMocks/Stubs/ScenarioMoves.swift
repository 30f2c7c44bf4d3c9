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
            "The client whose scenarios are moved, where a response gives a token to a client without one: the value that the client sends from now on in the field that stateBy names."
        ),
        .optional("log", .string, "A line for the log."),
    ]

    /// The new states by the present ones, by the names of the scenarios, in the order of the file.
    let scenarios: [(name: String, states: [String: String])]
    private let newClient: String?

    /// - Returns: nil for a response that moves nothing.
    init?(_ item: LocatedValue) throws(StubError) {
        var scenarios: [(name: String, states: [String: String])] = []
        for (name, states) in try item["moves"]?.members() ?? [] {
            let members = states.value.object?.members ?? []
            scenarios.append((name, members.reduce(into: [:]) { $0[$1.key] = $1.value.string }))
        }
        newClient = item.value["newClient"]?.string
        guard !scenarios.isEmpty else {
            if let client = item["newClient"] { throw client.problem("there are no 'moves', which the client is for") }
            return nil
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

    /// The client whose scenarios are moved.
    func scope(_ own: ScenarioStates.Scope, _ request: MockRequest, _ key: StateKey) -> ScenarioStates.Scope {
        guard let newClient, case .field(let name) = key, request.headers[name] == nil else { return own }
        return .client(newClient)
    }
}
