internal import Backlot
internal import DynamicViews

extension DynamicViewsClient {
    private static let now = 0.0

    /// Loads a view and shows it, as the app does when it opens a tab.
    public func load(_ name: String, file: String = #fileID, line: Int = #line) async throws {
        try await fetch(name)
        stack = [name]
        try judge(StepCall("load(\"\(name)\")", file, line))
    }

    /// Reloads the view on the screen with its entity tag, so that the server can respond that the document is unchanged.
    public func reload(file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("reload()", file, line)
        guard let name else { throw failure(step, "no view is on the screen") }
        try await fetch(name)
        try judge(step)
    }

    /// Leaves the view that navigation opened.
    public func back(file: String = #fileID, line: Int = #line) throws {
        guard stack.count > 1 else { throw failure(StepCall("back()", file, line), "navigation has led nowhere") }
        stack.removeLast()
    }

    /// Opens a view above the current one.
    func push(_ name: String, _ step: StepCall) async throws {
        try await fetch(name)
        stack.append(name)
        try judge(step)
    }

    private func fetch(_ name: String) async throws {
        var request = ClientRequest(.get, try url.resolving("\(name).json"))
        try addDialect(to: &request)
        request.headers[.ifNoneMatch] = loaded[name]?.tag
        let response = try await send(request)
        isNotModified = response.status == .notModified && loaded[name] != nil
        if isNotModified { return }
        guard response.status == .ok else { throw refusal(response) }
        try keep(response, of: name)
    }

    /// Stores the document of a response as the view's document.
    private func keep(_ response: ClientResponse, of name: String) throws {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: response.body)
        } catch {
            throw DynamicViewsClientError.noDocument("\(error)")
        }
        guard let document = value.object else { throw DynamicViewsClientError.noDocument("it is no object") }
        loaded[name] = Loaded(document: document, tag: response.headers[.eTag])
    }

    private func judge(_ step: StepCall) throws {
        let document = JSONValue.object(document)
        try judge(DynamicViewsRules.findings(in: document, name: name ?? "", dialect: configuration.dialect), step)
    }

    /// Forwards an interaction, then takes the document from the response or reloads the view.
    func forward(_ widget: String, userInfo: JSONObject? = nil, _ step: StepCall) async throws {
        guard let name else { throw failure(step, "no view is on the screen") }
        var packet: JSONObject = ["widgetId": .string(widget)]
        packet["userInfo"] = userInfo.map(JSONValue.object)
        sent.append(packet)
        var request = ClientRequest(
            .post,
            try url.resolving("\(name)/interactions"),
            headers: [.contentType: "application/json"],
            body: JSONValue.object(packet).bytes
        )
        try addDialect(to: &request)
        if configuration.asksForDocument { try request.headers.set("Prefer", to: "return=representation") }
        let response = try await send(request)
        guard response.status.kind == .successful else { throw refusal(response) }
        if response.status == .ok, response.mediaType == "application/json" {
            let tag = loaded[name]?.tag
            try keep(response, of: name)
            isNotModified = tag != nil && tag == loaded[name]?.tag
        } else {
            try await fetch(name)
        }
        try judge(step)
    }

    func addDialect(to request: inout ClientRequest) throws {
        try request.headers.set("Dynamic-Views-Dialect", to: configuration.dialect.platform.rawValue)
    }

    private func send(_ request: ClientRequest) async throws -> ClientResponse {
        do throws(ClientError) {
            return try await session.send(request, now: Self.now).response
        } catch {
            throw DynamicViewsClientError.serverAway("\(error)")
        }
    }

    private func refusal(_ response: ClientResponse) -> DynamicViewsClientError {
        .refused(status: response.status.code, text: response.text)
    }
}
