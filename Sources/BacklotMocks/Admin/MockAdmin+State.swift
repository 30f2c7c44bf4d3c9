import Backlot

/// Commands about scenarios, and about data, which WireMock doesn't have. They apply to all clients, as in WireMock, unless
/// `?session=` gives the value of a session cookie, or of the header field that tells clients apart. `?client=own` is the client that sends
/// the command; all clients, as long as nothing tells it apart.
extension MockAdmin {
    static let stateRoutes: [AdminRoute] = [
        AdminRoute(.get, "/scenarios") { admin, call in
            Response(json: ["scenarios": .array(admin.scenarios.map { admin.json($0, call.scope) })])
        },
        .doing(.post, "/scenarios/reset") { admin, call in admin.backend.scenarios.resetStates(in: call.scope) },
        AdminRoute(.get, "/scenarios/{name}") { admin, call in
            Response(json: admin.json(try admin.scenario(call), call.scope))
        },
        .doing(.put, "/scenarios/{name}/state") { admin, call in
            let scenario = try admin.scenario(call)
            let written = try call.object()["state"]
            let state = written?.string ?? ScenarioStates.started
            guard written == nil || written?.string != nil, scenario.states.contains(state) else {
                throw AdminError.value(
                    "state",
                    "the scenario '\(scenario.name)' has no state \(written?.description ?? ""); write one of "
                        + scenario.states.joined(separator: ", ")
                )
            }
            if call.scope == .shared { admin.backend.scenarios.reset(scenario: scenario.name) }
            admin.backend.scenarios.set(scenario.name, to: state, in: call.scope)
        },
        .doing(.delete, "/scenarios/{name}/state") { admin, call in
            let (name, states) = (try admin.scenario(call).name, admin.backend.scenarios)
            guard call.scope != .shared else { return states.reset(scenario: name) }
            states.set(name, to: ScenarioStates.started, in: call.scope)
        },
        AdminRoute(.get, "/data") { admin, call in
            let data = admin.backend.data
            return Response(json: [
                "data": .array(data.names.compactMap { data.bucket($0) }.map(\.json)),
                "clients": JSONValue(data.clients), "bytes": JSONValue(data.bytes),
                "isOfAll": .bool(call.scope == .shared),
            ])
        },
        .doing(.post, "/data/reset") { admin, call in
            if call.scope == .shared { admin.backend.data.reset() } else { admin.backend.data.reset(call.scope) }
        },
        AdminRoute(.get, "/data/{bucket}") { admin, call in
            Response(json: admin.backend.data.value(try admin.bucket(call), in: call.scope) ?? .null)
        },
        .doing(.put, "/data/{bucket}") { admin, call in
            let (name, value) = (try admin.bucket(call), try call.json())
            try admin.backend.data.set(value, of: name, in: call.scope)
        },
        .doing(.delete, "/data/{bucket}") { admin, call in
            admin.backend.data.reset(try admin.bucket(call), in: call.scope)
        },
    ]

    private func bucket(_ call: AdminCall) throws(AdminError) -> String {
        let name = call.parameters["bucket"] ?? ""
        guard backend.data.bucket(name) == nil else { return name }
        throw .notFound("data '\(name)'\(Suggestion.hint(for: name, among: backend.data.names))")
    }

    /// A scenario, as its stubs make it.
    private struct Scenario {
        let name: String
        var states = [ScenarioStates.started]
        var stubs: [Stub] = []
    }

    /// The scenarios of all stubs and of apps' files, by name.
    private var scenarios: [Scenario] {
        var scenarios: [String: Scenario] = [:]
        let parts = backend.appParts.withLock { $0.sorted { $0.key < $1.key }.flatMap(\.value) }
        for stub in backend.stubs.all + parts {
            guard let part = stub.scenario else { continue }
            var scenario = scenarios[part.name] ?? Scenario(name: part.name)
            for state in [part.requiredState, part.newState].compactMap(\.self) where !scenario.states.contains(state) {
                scenario.states.append(state)
            }
            scenario.stubs.append(stub)
            scenarios[part.name] = scenario
        }
        return scenarios.values.sorted { $0.name < $1.name }
    }

    private func scenario(_ call: AdminCall) throws(AdminError) -> Scenario {
        let name = call.parameters["name"] ?? ""
        if let scenario = scenarios.first(where: { $0.name == name }) { return scenario }
        throw .notFound("scenario '\(name)'")
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
    /// The clients that a command applies to.
    var scope: ScenarioStates.Scope {
        query("client") == "own" ? ownScope : query("session").map(ScenarioStates.Scope.client) ?? .shared
    }
}

extension DataBucket {
    /// The bucket's entry in a list of buckets.
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "scope": .string(sharing.rawValue), "isList": .bool(isList),
            "file": .string("\(source)"),
        ]
    }
}
