public import Backlot
internal import Xpedite

extension XpediteClient {
    /// Begins a session, as the app does at its start.
    public func connect(file: String = #fileID, line: Int = #line) async throws {
        token = nil
        var packet: JSONObject = ["method": "setConnection"]
        for member in configuration.device.members { packet[member.key] = member.value }
        navigations = [:]
        images = []
        try await show(packet, StepCall("connect()", file, line))
    }

    /// Calls a method, as a tap on a component with this method does.
    public func call(
        _ method: String,
        _ parameters: JSONObject? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        try await show(makePacket(method, parameters), StepCall("call(\"\(method)\")", file, line))
    }

    /// A packet for a method. The parameters go where the client's configuration puts them.
    package func makePacket(_ method: String, _ parameters: JSONObject?) -> JSONObject {
        var packet: JSONObject = ["method": .string(method)]
        packet["token"] = token.map(JSONValue.string)
        guard let parameters else { return packet }
        switch configuration.parameters {
        case .nested: packet["parameters"] = .object(parameters)
        case .topLevel: for member in parameters.members { packet[member.key] = member.value }
        }
        return packet
    }

    /// Sends a packet and shows the page in the response.
    func show(_ packet: JSONObject, _ step: StepCall) async throws {
        let response: JSONObject
        do {
            response = try await exchange(packet)
            isCached = false
        } catch XpediteClientError.serverAway(let why) {
            guard let page = kept.page(for: packet, now: now) else { throw XpediteClientError.serverAway(why) }
            isCached = true
            return take(page)
        }
        let findings = receive(response, named: packet["method"]?.string ?? "")
        if response["rc"]?.number?.int64 == 0 { kept.keep(response, of: packet, now: now) }
        try judge(findings, step)
        for method in tableMethods { try await load(method, from: 0) }
    }

    /// Shows a response that is a page.
    ///
    /// - Returns: the findings about the page.
    package func receive(_ response: JSONObject, named name: String) -> [Finding] {
        if let new = response["version"]?.number?.int64.map({ Int($0) }) {
            if let version, version != new { (kept, navigations) = (KeptPages(), [:]) }
            version = new
        }
        let facts = XpediteFacts(images: images, navigations: Set(navigations.keys))
        let findings = XpediteRules.findings(in: .object(response), name: name, facts: facts)
        take(response)
        return findings
    }

    /// Sends a packet. The token in the response becomes the session's token: a log-in gives a new one.
    func exchange(_ packet: JSONObject) async throws -> JSONObject {
        sent.append(packet)
        let response: ClientResponse
        do throws(ClientError) {
            let request = ClientRequest(
                .post,
                url,
                headers: [.contentType: "application/json"],
                body: JSONValue.object(packet).bytes
            )
            response = try await session.send(request, now: Double(now)).response
        } catch {
            throw XpediteClientError.serverAway("\(error)")
        }
        guard response.status.code < 500 else {
            throw XpediteClientError.serverAway("its status is \(response.status.code)")
        }
        guard response.status == .ok else { throw XpediteClientError.noPacket("its status is \(response.status.code)") }
        guard let result = (try? JSONValue(parsing: response.body))?.object else {
            throw XpediteClientError.noPacket("it is no JSON object")
        }
        guard result["rc"]?.number?.int64 != nil else { throw XpediteClientError.noPacket("it has no \"rc\"") }
        let received = result["token"]?.string
        let mayLack = token == nil && result["rc"]?.number?.int64 != 0
        guard mayLack || received?.isEmpty == false else { throw XpediteClientError.noPacket("it has no \"token\"") }
        token = received
        return result
    }

    /// Shows a page.
    private func take(_ page: JSONObject) {
        packet = page
        rc = page["rc"]?.number?.int64.map { Int($0) } ?? 0
        tables = [:]
        images.formUnion((page["images"]?.array ?? []).compactMap { $0["id"]?.string })
        for component in components where component["type"] == "navigation" {
            if let id = component["id"]?.string, component["implementation"] != nil { navigations[id] = component }
        }
        fillIn()
    }
}
