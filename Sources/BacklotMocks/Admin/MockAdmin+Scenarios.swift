import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Commands about scenarios. They apply to all clients, as in WireMock, unless `?session=` gives the value of a session cookie.
extension MockAdmin {
    static let scenarioRoutes: [AdminRoute] = [
        AdminRoute(.get, "/scenarios") { admin, call in
            Response(json: ["scenarios": .array(admin.scenarios.map { admin.json($0, call.scope) })])
        },
        AdminRoute(.post, "/scenarios/reset") { admin, call in
            if call.query("session") == nil {
                admin.backend.scenarios.reset()
            } else {
                admin.backend.scenarios.reset(call.scope)
            }
            return .done
        },
        AdminRoute(.get, "/scenarios/{name}") { admin, call in
            Response(json: admin.json(try admin.scenario(call), call.scope))
        },
        AdminRoute(.put, "/scenarios/{name}/state") { admin, call in
            let scenario = try admin.scenario(call)
            let body = try call.object()
            let state = body["state"]?.string ?? ScenarioStates.started
            guard body["state"] == nil || body["state"]?.string != nil, scenario.states.contains(state) else {
                let written = body["state"].map(\.description) ?? ""
                throw AdminProblem.value(
                    "state",
                    "the scenario '\(scenario.name)' has no state \(written); write one of "
                        + scenario.states.joined(separator: ", ")
                )
            }
            if call.scope == .shared { admin.backend.scenarios.reset(scenario: scenario.name) }
            admin.backend.scenarios.set(scenario.name, to: state, in: call.scope)
            return .done
        },
        AdminRoute(.delete, "/scenarios/{name}/state") { admin, call in
            let scenario = try admin.scenario(call)
            if call.query("session") == nil {
                admin.backend.scenarios.reset(scenario: scenario.name)
            } else {
                admin.backend.scenarios.set(scenario.name, to: ScenarioStates.started, in: call.scope)
            }
            return .done
        },
    ]

    /// A scenario, as its stubs make it.
    private struct Scenario {
        let name: String
        var states = [ScenarioStates.started]
        var stubs: [Stub] = []
    }

    /// The scenarios of all stubs, by name.
    private var scenarios: [Scenario] {
        var scenarios: [String: Scenario] = [:]
        for stub in backend.stubs.all {
            guard let part = stub.scenario else { continue }
            var scenario = scenarios[part.name] ?? Scenario(name: part.name)
            for state in [part.requiredState, part.newState] {
                if let state, !scenario.states.contains(state) { scenario.states.append(state) }
            }
            scenario.stubs.append(stub)
            scenarios[part.name] = scenario
        }
        return scenarios.values.sorted { $0.name < $1.name }
    }

    private func scenario(_ call: AdminCall) throws(AdminProblem) -> Scenario {
        let name = call.parameters["name"] ?? ""
        guard let scenario = scenarios.first(where: { $0.name == name }) else {
            throw .notFound("scenario '\(name)'")
        }
        return scenario
    }

    private func json(_ scenario: Scenario, _ scope: ScenarioStates.Scope) -> JSONValue {
        [
            "id": .string(scenario.name), "name": .string(scenario.name),
            "state": .string(backend.scenarios.state(of: scenario.name, in: scope)),
            "possibleStates": .array(scenario.states.map(JSONValue.string)),
            "mappings": .array(scenario.stubs.map(\.json)),
        ]
    }
}

extension AdminCall {
    /// The clients whose scenarios a command is about.
    var scope: ScenarioStates.Scope { query("session").map(ScenarioStates.Scope.session) ?? .shared }
}
