import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Our own commands: networks between clients and the server.
///
/// `{"profile": "3g", "downlink": 50000, "uplink": 50000, "latency": 400, "jitter": 100, "loss": 5, "cuts": 10, "session": "…"}`,
/// with a profile, or at least one number, or both: the numbers then take the place of the profile's. `session` is the value of a
/// client's session cookie; without it, and with `*`, the network is for all clients.
extension MockAdmin {
    static let networkRoutes: [AdminRoute] = [
        AdminRoute(.get, "/network") { admin, _ in
            Response(json: [
                "networks": .array(admin.faults.networks.map { JSONValue($0.network, of: $0.client) }),
                "profiles": NetworkProfile.list,
            ])
        },
        AdminRoute(.put, "/network") { admin, call in
            let object = try call.object()
            let network = try NetworkProfile(object)
            let client = try object.text("session").map(FaultClient.init(named:)) ?? .anyone
            admin.faults.set(network, for: client)
            return Response(json: JSONValue(network, of: client))
        },
        AdminRoute(.delete, "/network") { admin, call in
            let client = call.query("session").map(FaultClient.init(named:))
            let removed = admin.faults.removeNetworks(for: client)
            return Response(json: ["removed": .number(JSONNumber(Int64(removed)))])
        },
    ]
}

extension NetworkProfile {
    private static let keys = ["profile"] + numbers.map(\.key) + ["session"]

    fileprivate init(_ object: JSONObject) throws(AdminProblem) {
        try AdminCall.check(object, knows: Self.keys)
        self.init()
        guard object.members.contains(where: { $0.key != "session" && !$0.value.isNull }) else {
            throw AdminProblem(.unprocessableContent, "No network", "\(Self.allowed), as JSON: {\"profile\": \"3g\"}")
        }
        if let name = try object.text("profile") {
            guard let known = NetworkProfile(named: name) else {
                let names = Self.known.map(\.name)
                let hint = Suggestion.hint(for: name, among: names)
                throw .value(
                    "profile",
                    "there is no network '\(name)'; write one of \(names.joined(separator: ", "))\(hint)"
                )
            }
            self = known
        }
        for number in Self.numbers {
            if let value = try object.number(number.key, number.range) { number.set(&self, value) }
        }
    }
}

extension JSONValue {
    /// A client's network as answers show it, with the beginning of the session's hash only.
    fileprivate init(_ network: NetworkProfile, of client: FaultClient) {
        var object: JSONObject = ["client": .string("\(client)"), "network": .string("\(network)")]
        for member in network.json.members { object[member.key] = member.value }
        self = .object(object)
    }
}
