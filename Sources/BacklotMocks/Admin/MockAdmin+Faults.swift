import Backlot

/// Commands of this library: faults for the next responses.
///
/// `{"status": 503, "delay": 2000, "fault": "EMPTY_RESPONSE", "answer": "lost", "times": 2, "session": "…", "path": "/save"}`, with
/// at least one of status, delay, fault and answer. `session` is the value of a client's session cookie, or `*` for the next client.
/// Without it, the fault is for clients without a session.
extension MockAdmin {
    static let faultKinds = [
        Kind("fault", as: [.faultOrder], "A fault for the next responses.", keys: faultOrderKeys),
        Kind("network", as: [.networkOrder], "The network between clients and the server.", keys: networkOrderKeys),
    ]
    private static let networkOrderKeys: [Key] = [
        .optional("profile", .words(NetworkProfile.known.map(\.name)), "A network by its name, which numbers change."),
        .optional("downlink", .whole(NetworkProfile.throughputs), "Bytes a second to clients."),
        .optional("uplink", .whole(NetworkProfile.throughputs), "Bytes a second from clients."),
        .optional("latency", .whole(NetworkProfile.latencies), "The delay of each response, in milliseconds."),
        .optional("jitter", .whole(NetworkProfile.latencies), "The variation of the delay, in milliseconds."),
        .optional("loss", .whole(NetworkProfile.losses), "The share of packets that are lost, in percent."),
        .optional("cuts", .whole(NetworkProfile.losses), "The share of connections that are cut, in percent."),
        sessionKey,
    ]
    private static let faultOrderKeys: [Key] = [
        .optional("status", .whole(Fault.statuses), "The status of an error."),
        .optional("delay", .whole(Fault.delays), "The delay of the response, in milliseconds.", default: 0),
        .optional("fault", .word(of: ConnectionFault.self), "The fault of the connection."),
        .optional("answer", .names(["lost": "It is made, but not sent."]), "The fate of the response."),
        .optional("times", .whole(FaultOrder.counts), "The number of responses that it takes.", default: 1),
        sessionKey,
        .optional("path", .text(rootedPath), "The path of the requests that it is for."),
    ]

    private static let sessionKey = Key.optional(
        "session",
        .text(TextForm("the value of a session cookie, or *", example: "*") { !$0.isEmpty }),
        "The client."
    )
    private static let rootedPath = TextForm("a path from the root, such as \"/save\"", example: "/save") {
        $0.hasPrefix("/")
    }

    static let faultRoutes: [AdminRoute] = [
        AdminRoute(.get, "/faults") { admin, _ in
            Response(json: ["faults": .array(admin.faults.orders.map(\.json))])
        },
        AdminRoute(.post, "/faults") { admin, call in
            let order = try FaultOrder(try call.object(as: .faultOrder))
            admin.faults.add(order)
            return Response(json: order.json, status: .created)
        },
        AdminRoute(.delete, "/faults") { admin, call in
            let client = call.query("session").map(FaultClient.init(named:))
            let removed = admin.faults.removeAll(for: client)
            return Response(json: ["removed": JSONValue(removed)])
        },
    ]
}

extension FaultClient {
    init(named session: String) {
        self = session == "*" ? .anyone : .session(cookie: session)
    }
}

extension FaultOrder {
    fileprivate init(_ order: LocatedValue) throws(AdminError) {
        let value = order.value
        var fault = Fault()
        fault.status = value["status"]?.int.map { .standard($0) }
        fault.delay = .milliseconds(value["delay"]?.int ?? 0)
        fault.connection = value["fault"]?.word()
        fault.losesResponse = value["answer"]?.string != nil
        guard fault != Fault() else {
            throw AdminError(
                .unprocessableContent,
                "No fault",
                "write a status, a delay in milliseconds, a fault or a lost answer, such as {\"status\": 503, \"times\": 2}"
            )
        }
        self.init(
            fault,
            times: value["times"]?.int ?? 1,
            for: value["session"]?.string.map(FaultClient.init(named:)) ?? .noSession,
            path: value["path"]?.string
        )
    }

    /// The order for responses, with only the beginning of the session's hash.
    fileprivate var json: JSONValue {
        var object = JSONObject()
        if let status = fault.status { object["status"] = JSONValue(status.code) }
        if fault.delay > .zero { object["delay"] = JSONValue(Int(fault.delay.milliseconds)) }
        if let connection = fault.connection { object["fault"] = .string(connection.rawValue) }
        if fault.losesResponse { object["answer"] = "lost" }
        object["times"] = JSONValue(times)
        object["client"] = .string("\(client)")
        if let path { object["path"] = .string(path) }
        return .object(object)
    }
}

/// Commands of this library: networks between clients and the server.
///
/// `{"profile": "3g", "downlink": 50000, "uplink": 50000, "latency": 400, "jitter": 100, "loss": 5, "cuts": 10, "session": "…"}`,
/// with a profile, or at least one number, or both: then the numbers replace those of the profile. `session` is the value of a
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
            let order = try call.object(as: .networkOrder).value
            let network = try NetworkProfile(order)
            let client = order["session"]?.string.map(FaultClient.init(named:)) ?? .anyone
            admin.faults.set(network, for: client)
            return Response(json: JSONValue(network, of: client))
        },
        AdminRoute(.delete, "/network") { admin, call in
            let client = call.query("session").map(FaultClient.init(named:))
            let removed = admin.faults.removeNetworks(for: client)
            return Response(json: ["removed": JSONValue(removed)])
        },
    ]
}

extension NetworkProfile {
    fileprivate init(_ order: JSONValue) throws(AdminError) {
        guard order.object?.members.contains(where: { $0.key != "session" && !$0.value.isNull }) == true else {
            throw AdminError(.unprocessableContent, "No network", "\(Self.allowed), as JSON: {\"profile\": \"3g\"}")
        }
        self = order["profile"]?.string.flatMap { NetworkProfile(named: $0) } ?? NetworkProfile()
        func number(_ key: String) -> Int? { order[key]?.int }
        downlink = number("downlink") ?? downlink
        uplink = number("uplink") ?? uplink
        latency = number("latency").map { .milliseconds($0) } ?? latency
        jitter = number("jitter").map { .milliseconds($0) } ?? jitter
        loss = number("loss") ?? loss
        cuts = number("cuts") ?? cuts
    }
}

extension JSONValue {
    /// A client's network for responses, with only the beginning of the session's hash.
    fileprivate init(_ network: NetworkProfile, of client: FaultClient) {
        var object: JSONObject = ["client": .string("\(client)"), "network": .string("\(network)")]
        for member in network.json.members { object[member.key] = member.value }
        self = .object(object)
    }
}

extension Role {
    fileprivate static let faultOrder = Role("fault")
    fileprivate static let networkOrder = Role("network")
}
