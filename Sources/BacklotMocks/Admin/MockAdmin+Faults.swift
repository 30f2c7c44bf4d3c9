import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Our own commands: faults for the next answers.
///
/// `{"status": 503, "delay": 2000, "fault": "EMPTY_RESPONSE", "answer": "lost", "times": 2, "session": "…", "path": "/save"}`,
/// with at least one of status, delay, fault and answer. `session` is the value of a client's session cookie, or `*` for the next
/// client; without it the fault is for clients without a session.
extension MockAdmin {
    static let faultRoutes: [AdminRoute] = [
        AdminRoute(.get, "/faults") { admin, _ in
            Response(json: ["faults": .array(admin.faults.orders.map(\.json))])
        },
        AdminRoute(.post, "/faults") { admin, call in
            let order = try FaultOrder(try call.object())
            admin.faults.add(order)
            return Response(json: order.json, status: .created)
        },
        AdminRoute(.delete, "/faults") { admin, call in
            let client = call.query("session").map(FaultClient.init(named:))
            let removed = admin.faults.removeAll(for: client)
            return Response(json: ["removed": .number(JSONNumber(Int64(removed)))])
        },
    ]
}

extension FaultClient {
    init(named session: String) {
        self = session == "*" ? .anyone : .session(cookie: session)
    }
}

extension FaultOrder {
    private static let keys = ["status", "delay", "fault", "answer", "times", "session", "path"]

    fileprivate init(_ object: JSONObject) throws(AdminProblem) {
        try AdminCall.check(object, knows: Self.keys)
        var fault = Fault()
        if let status = try object.number("status", Fault.statuses) { fault.status = .standard(status) }
        fault.delay = try object.number("delay", Fault.delays) ?? 0
        if let name = try object.text("fault") {
            guard let connection = ConnectionFault(rawValue: name) else {
                throw .value(
                    "fault",
                    "write one of \(ConnectionFault.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            fault.connection = connection
        }
        if let answer = try object.text("answer") {
            guard answer == "lost" else { throw .value("answer", "write \"lost\"") }
            fault.losesAnswer = true
        }
        guard fault != Fault() else {
            throw AdminProblem(
                .unprocessableContent,
                "No fault",
                "write a status, a delay in milliseconds, a fault or a lost answer, such as {\"status\": 503, \"times\": 2}"
            )
        }
        let path = try object.text("path")
        if let path, !path.hasPrefix("/") { throw .value("path", "write a path from the root, such as \"/save\"") }
        self.init(
            fault,
            times: try object.number("times", FaultOrder.counts) ?? 1,
            for: try object.text("session").map(FaultClient.init(named:)) ?? .noSession,
            path: path
        )
    }

    /// The order as answers show it, with the beginning of the session's hash only.
    fileprivate var json: JSONValue {
        var object = JSONObject()
        if let status = fault.status { object["status"] = .number(JSONNumber(Int64(status.code))) }
        if fault.delay > 0 { object["delay"] = .number(JSONNumber(Int64(fault.delay))) }
        if let connection = fault.connection { object["fault"] = .string(connection.rawValue) }
        if fault.losesAnswer { object["answer"] = "lost" }
        object["times"] = .number(JSONNumber(Int64(times)))
        object["client"] = .string("\(client)")
        if let path { object["path"] = .string(path) }
        return .object(object)
    }
}

extension JSONObject {
    /// The whole number under a key; nil where there is none.
    func number(_ key: String, _ range: ClosedRange<Int>) throws(AdminProblem) -> Int? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let number = value.number?.int64, range.contains(Int(number)) else {
            throw .value(key, "write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    /// The text under a key; nil where there is none.
    func text(_ key: String) throws(AdminProblem) -> String? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let text = value.string, !text.isEmpty else { throw .value(key, "write a text in quotes") }
        return text
    }
}
