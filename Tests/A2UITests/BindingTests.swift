import Backlot
import BacklotTesting
import Testing

@testable import A2UI
@testable import A2UIServing

/// The messages of an app in the envelopes of AG-UI, A2A and MCP.
@Suite(.timeLimit(.minutes(2))) struct BindingTests {
    private let app: ServingTests.App

    init() throws { app = try ServingTests.App() }

    private static let add: JSONValue = [
        "name": "add", "surfaceId": "counter", "sourceComponentId": "button", "timestamp": "2026-01-01T00:00:00Z",
        "context": ["by": 2],
    ]

    private func run(_ properties: JSONValue, thread: String = "t1") async throws -> [JSONValue] {
        let input: JSONValue = [
            "threadId": .string(thread), "runId": "r1", "messages": [], "forwardedProps": properties,
        ]
        let response = try await app.post(text: "\(input)", to: "/ag-ui")
        #expect(response.mediaType == "text/event-stream")
        return try response.text.split(separator: "\n\n").map { try JSONValue(parsing: String($0.dropFirst(6))) }
    }

    /// The state of a client that has only an activity.
    private func count(in event: JSONValue) throws -> JSONValue? {
        var client = Processor(strictness: .strict)
        #expect(client.apply(event["content"]?["a2ui_operations"] ?? .null) == [])
        return client.surfaces["counter"]?.model.value["count"]
    }

    @Test func `A run of AG-UI opens the first surface, and each snapshot holds the whole`() async throws {
        let first = try await run([:])
        #expect(first.compactMap { $0["type"] } == ["RUN_STARTED", "ACTIVITY_SNAPSHOT", "RUN_FINISHED"])
        #expect(first.allSatisfy { $0["threadId"] == "t1" && $0["runId"] == "r1" })
        #expect(first[1]["activityType"] == "a2ui-surface")
        #expect(first[1]["replace"] == true)
        #expect(try count(in: first[1]) == 1)
        let second = try await run(["a2uiAction": ["userAction": Self.add]])
        #expect(second[1]["messageId"] == first[1]["messageId"])
        #expect(try count(in: second[1]) == 3)
    }

    @Test(
        arguments: [
            (["a2uiAction": ["userAction": add]], "unknown_surface"),
            (["a2uiClientDataModel": ["surfaces": 7]], "type_mismatch"),
            (["a2uiAction": ["userAction": [:]]], "missing_field"),
        ] as [(JSONValue, String)]
    )
    func `A wrong run is an error with its code`(properties: JSONValue, code: String) async throws {
        let input: JSONValue = ["threadId": "new", "runId": "r1", "forwardedProps": properties]
        let response = try await app.post(text: "\(input)", to: "/ag-ui")
        #expect([400, 404].contains(response.status.code))
        #expect(try JSONValue(parsing: response.body)["code"]?.string == code)
        #expect(try await app.post(text: "{}", to: "/ag-ui").status == .badRequest)
    }

    @Test func `A thread's id is ASCII, because others look like it`() async throws {
        _ = try await run([:], thread: "K1")
        let input: JSONValue = [
            "threadId": "\u{212A}1", "runId": "r1", "forwardedProps": ["a2uiAction": ["userAction": Self.add]],
        ]
        #expect(try await app.post(text: "\(input)", to: "/ag-ui").status == .badRequest)
    }

    @Test func `A handler changes the session in a run`() async throws {
        _ = try await run([:])
        var action = Self.add.object ?? [:]
        action["name"] = "greet"
        let properties: JSONValue = ["a2uiAction": ["userAction": .object(action)]]
        let input: JSONValue = ["threadId": "t1", "runId": "r1", "forwardedProps": properties]
        let response = try await app.post(text: "\(input)", to: "/ag-ui")
        #expect(response.text.contains("RUN_FINISHED"))
        #expect(response.headers[.setCookie]?.hasPrefix("session=") == true)
    }

    @Test func `A handler's error ends a run`() async throws {
        _ = try await run([:])
        var action = Self.add.object ?? [:]
        action["name"] = "fail"
        let events = try await run(["a2uiAction": ["userAction": .object(action)]])
        #expect(events.compactMap { $0["type"] } == ["RUN_STARTED", "RUN_ERROR"])
        #expect(events[1]["message"] == "Not now.")
    }

    @Test func `A call of a client's function ends a run with an error`() async throws {
        let capabilities: JSONValue = ["v1.0": ["supportedCatalogIds": [.string(Catalog.basic1_0.id)]]]
        _ = try await run(["a2uiClientCapabilities": capabilities])
        var action = Self.add.object ?? [:]
        action["name"] = "ask"
        let events = try await run(["a2uiAction": ["userAction": .object(action)]])
        #expect(events.compactMap { $0["type"] } == ["RUN_STARTED", "RUN_ERROR"])
        #expect(events[1]["code"] == "unavailable")
    }

    private func call(_ method: String, _ message: JSONValue, _ headers: HTTPFields = [:]) async throws -> JSONValue {
        let call: JSONValue = [
            "jsonrpc": "2.0", "id": 7, "method": .string(method), "params": ["message": message],
        ]
        let response = try await app.post(text: "\(call)", headers, to: "/a2a")
        let text = method == "message/stream" ? String(response.text.dropFirst(6)) : response.text
        let json = try JSONValue(parsing: text)
        #expect(json["id"] == 7)
        return json
    }

    @Test(arguments: ["message/send", "message/stream"])
    func `Data parts of A2A carry messages, one or a list in each`(method: String) async throws {
        let text: JSONValue = ["kind": "text", "text": "Hello"]
        let opened = try await call(method, ["role": "user", "parts": [text]])["result"]
        var client = Processor(strictness: .strict)
        func apply(_ result: JSONValue?) throws {
            let parts = try #require(result?["parts"]?.array)
            #expect(parts.allSatisfy { $0["metadata"]?["mimeType"] == "application/a2ui+json" })
            #expect(client.apply(.array(parts.compactMap { $0["data"] })) == [])
        }
        try apply(opened)
        let context = try #require(opened?["contextId"])
        let action: JSONValue = ["version": "v0.9", "action": Self.add]
        for data in [action, [action, action]] {
            let message: JSONValue = ["role": "user", "contextId": context, "parts": [["kind": "data", "data": data]]]
            try apply(try await call(method, message)["result"])
        }
        #expect(client.surfaces["counter"]?.model.value["count"] == 7)
    }

    @Test(
        arguments: [
            [["data": .array(Array(repeating: 0, count: 101))]],
            Array(repeating: ["data": []], count: 101),
            [["data": .array(Array(repeating: 0, count: 60))], ["data": .array(Array(repeating: 0, count: 60))]],
        ] as [[JSONValue]]
    )
    func `Messages of all parts count before they are read`(parts: [JSONValue]) async throws {
        let error = try await call("message/send", ["parts": .array(parts)])["error"]
        #expect(parts.count == 2 || error?["data"]?["code"] == "too_large", "\(error ?? .null)")
        #expect(error != nil)
    }

    @Test func `Errors of A2A name code and path, and the card names the extensions`() async throws {
        let part: JSONValue = ["kind": "data", "data": ["version": "v0.9", "action": Self.add]]
        let unknown = try await call("message/send", ["parts": [part]])["error"]
        #expect(unknown?["code"] == -32_602)
        #expect(unknown?["data"]?["code"] == "unknown_surface")
        let half = try await call("message/send", ["parts": [["kind": "data", "data": [["version": "v0.9"]]]]])["error"]
        #expect(half?["data"]?["path"] == "/params/message/parts/0/data/0")
        #expect(try await call("tasks/get", [:])["error"]?["code"] == -32_601)
        let card = try JSONValue(parsing: try await app.get("/a2a/.well-known/agent-card.json").body)
        #expect(card["url"] == "/assistant/a2a")
        let extensions = card["capabilities"]?["extensions"]?.array ?? []
        #expect(extensions.compactMap { $0["uri"]?.string?.split(separator: "/").last } == ["v0.9.1", "v1.0"])
    }

    private static let session = HTTPField.Name("Mcp-Session-Id")

    private func mcp(
        _ method: String,
        _ parameters: JSONValue = [:],
        _ session: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> (response: ClientResponse, json: JSONValue) {
        var headers = headers
        headers[.contentType] = "application/json"
        if let session, let field = Self.session { headers[field] = session }
        let call: JSONValue = ["jsonrpc": "2.0", "id": 7, "method": .string(method), "params": parameters]
        let response = try await app.post(text: "\(call)", headers, to: "/mcp")
        return (response, (try? JSONValue(parsing: response.body)) ?? .null)
    }

    /// A session of a client with the catalog of a version.
    private func initialize(_ version: String = "v0.9", _ catalog: String = Catalog.basic0_9.id) async throws -> String
    {
        let capabilities: JSONValue = [
            "a2ui": ["clientCapabilities": .object([version: ["supportedCatalogIds": [.string(catalog)]]])]
        ]
        let (response, json) = try await mcp(
            "initialize",
            ["protocolVersion": "2025-06-18", "capabilities": capabilities]
        )
        #expect(json["result"]?["protocolVersion"] == "2025-06-18")
        return try #require(Self.session.flatMap { response.headers[$0] })
    }

    private func messages(_ content: JSONValue?) throws -> JSONValue {
        #expect(content?["mimeType"] == "application/a2ui+json")
        return try JSONValue(parsing: content?["text"]?.string ?? "")
    }

    @Test(arguments: [("v0.9", Catalog.basic0_9.id), ("v1.0", Catalog.basic1_0.id)])
    func `Surfaces are tools and resources of MCP, and actions are calls`(version: String, catalog: String) async throws
    {
        let session = try await initialize(version, catalog)
        let notification = try await app.post(
            text: #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            Self.session.map { [$0: session] } ?? [:],
            to: "/mcp"
        )
        #expect(notification.status == .accepted)
        let tools = try await mcp("tools/list", [:], session).json["result"]?["tools"]?.array
        let names: [JSONValue] = ["counter", "detail", "a2ui_action", "a2ui_function_response", "a2ui_error"]
        #expect(tools?.compactMap { $0["name"] } == names)
        let outcome = tools?[3]["inputSchema"]?["properties"]
        #expect(outcome == ["functionCallId": ["type": "string"], "value": [:], "error": ["type": "object"]])
        let error = tools?.last?["inputSchema"]
        #expect(error?["required"] == ["code", "message"] && error?["properties"]?["surfaceId"] != nil)
        let resources = try await mcp("resources/list", [:], session).json["result"]?["resources"]?.array
        #expect(resources?.compactMap { $0["uri"] } == ["a2ui://counter", "a2ui://detail"])

        var client = Processor(strictness: .strict)
        let read = try await mcp("resources/read", ["uri": "a2ui://detail"], session).json["result"]
        #expect(client.apply(try messages(read?["contents"]?[0])) == [])
        for (tool, arguments) in [("counter", [:]), ("a2ui_action", Self.add)] {
            let result = try await mcp("tools/call", ["name": .string(tool), "arguments": arguments], session).json[
                "result"
            ]
            let content = result?["content"]
            #expect(content?[0]?["type"] == "text")
            #expect(content?[1]?["annotations"] == ["audience": ["user"]])
            #expect(client.apply(try messages(content?[1]?["resource"])) == [])
        }
        #expect(client.surfaces["counter"]?.version == ProtocolVersion(loosely: version))
        #expect(client.surfaces["counter"]?.model.value["count"] == 3)

        var action = Self.add.object ?? [:]
        action["context"] = ["by": 0]
        let call: JSONValue = [
            "name": "a2ui_action", "arguments": .object(action),
            "_meta": ["a2ui": ["clientDataModel": ["surfaces": ["counter": ["count": 3, "name": "", "items": []]]]]],
        ]
        #expect(try await mcp("tools/call", call, session).json["result"]?["content"]?.array?.count == 1)
        let report: JSONValue = [
            "name": "a2ui_error", "arguments": ["code": "X", "message": "wrong", "surfaceId": "counter"],
        ]
        #expect(try await mcp("tools/call", report, session).json["result"]?["isError"] == nil)
    }

    @Test(arguments: [false, true])
    func `Clients of MCP get calls of their functions, and a tool takes the outcomes`(isInEachCall: Bool) async throws {
        let capabilities: JSONValue = [
            "a2ui": ["clientCapabilities": ["v1.0": ["supportedCatalogIds": [.string(Catalog.basic1_0.id)]]]]
        ]
        let (response, _) = try await mcp("initialize", isInEachCall ? [:] : ["capabilities": capabilities])
        let session = try #require(Self.session.flatMap { response.headers[$0] })
        func use(_ tool: String, _ arguments: JSONObject) async throws -> JSONValue {
            var call: JSONObject = ["name": .string(tool), "arguments": .object(arguments)]
            if isInEachCall { call["_meta"] = capabilities }
            let result = try await mcp("tools/call", .object(call), session).json["result"]
            #expect(result?["content"]?[0]?["text"] == "The user sees the surface counter.")
            return try messages(result?["content"]?[1]?["resource"])
        }
        _ = try await use("counter", [:])
        var action = Self.add.object ?? [:]
        action["name"] = "ask"
        for (tool, outcome, name) in [
            ("a2ui_function_response", ["value": "12:00"], "12:00"),
            ("a2ui_function_response", ["error": ["code": "BUSY", "message": "Not now."]], "BUSY"),
            ("a2ui_error", ["code": "TIMEOUT", "message": "late"], "TIMEOUT"),
        ] as [(String, JSONObject, JSONValue)] {
            let calls = try await use("a2ui_action", action)
            var arguments = outcome
            arguments["functionCallId"] = try #require(calls[0]?["callRendererFunction"]?["functionCallId"])
            #expect(try await use(tool, arguments)[0]?["updateDataModel"]?["value"] == name)
        }
    }

    @Test func `Wrong calls of MCP are failures, and wrong actions are results that the model may read`() async throws {
        let session = try await initialize()
        func code(_ method: String, _ parameters: JSONValue = [:]) async throws -> JSONValue? {
            try await mcp(method, parameters, session).json["error"]?["code"]
        }
        #expect(try await code("tools/cal") == -32_601)
        #expect(try await code("tools/call", ["name": "countr"]) == -32_602)
        #expect(try await code("resources/read", ["uri": "a2ui://countr"]) == -32_002)
        for arguments in [Self.add, ["name": "add"]] as [JSONValue] {
            let call: JSONValue = ["name": "a2ui_action", "arguments": arguments]
            #expect(try await mcp("tools/call", call, session).json["result"]?["isError"] == true)
        }
        let unknown: JSONValue = ["a2ui": ["clientCapabilities": ["v0.9": ["supportedCatalogIds": ["mine"]]]]]
        #expect(try await mcp("initialize", ["capabilities": unknown]).json["error"]?["data"]?["code"] == "no_catalog")
        #expect(try await app.post(text: "[]", to: "/mcp").status == .badRequest)
        #expect(try await mcp("ping").response.status == .badRequest)
        #expect(try await mcp("ping", [:], "guessed").response.status == .notFound)
        #expect(try await app.get("/mcp").status == .methodNotAllowed)
    }

    @Test func `A client's id is valid in its own binding only`() async throws {
        let field = try #require(HTTPField.Name("A2UI-Client"))
        let client = try #require(try await app.get("/surfaces/counter").headers[field])
        _ = try await run([:], thread: "t1")
        let session = try await initialize()
        let text: JSONValue = ["kind": "text", "text": "Hello"]
        let opened = try await call("message/send", ["role": "user", "parts": [text]])["result"]
        let context = try #require(opened?["contextId"]?.string)
        for id in [client, context, "t1", "ag-ui t1"] {
            #expect(try await mcp("ping", [:], id).response.status == .notFound)
        }
        for id in [client, session, "t1", "ag-ui t1"] {
            let message: JSONValue = ["role": "user", "contextId": .string(id), "parts": [text]]
            let other = try await call("message/send", message)["result"]?["contextId"]?.string
            #expect(other != nil && other != id)
        }
        for id in [session, context, "t1", "ag-ui t1"] {
            let other = try await app.get("/surfaces/counter", [field: id]).headers[field]
            #expect(other != nil && other != id)
        }
        for id in [client, session, context] {
            let input: JSONValue = [
                "threadId": .string(id), "runId": "r1", "forwardedProps": ["a2uiAction": ["userAction": Self.add]],
            ]
            #expect(try await app.post(text: "\(input)", to: "/ag-ui").status == .notFound)
        }
    }

    /// The fields of a request to a server with a name.
    private static func named(_ host: String, _ fields: HTTPFields = [:]) -> HTTPFields {
        var fields = fields
        if let name = HTTPField.Name("Host") { fields[name] = host }
        return fields
    }

    @Test(
        arguments: [
            ([:], 200), ([.origin: "http://localhost"], 200), ([.origin: "https://host.example"], 200),
            ([.origin: "https://other.example"], 403), ([.origin: "null"], 403),
            (named("evil.example:8080", [.origin: "http://evil.example:8080"]), 403),
            (named("host.example", [.origin: "https://host.example"]), 200), (named("host.example"), 200),
            (named("127.0.0.1:8080", [.origin: "http://127.0.0.1:8080"]), 200),
            (HTTPField.Name("MCP-Protocol-Version").map { [$0: "2025-06-18"] } ?? [:], 200),
            (HTTPField.Name("MCP-Protocol-Version").map { [$0: "1999-01-01"] } ?? [:], 400),
        ] as [(HTTPFields, Int)]
    )
    func `Pages of other sites may not call MCP, and revisions are known`(headers: HTTPFields, status: Int) async throws
    {
        let session = try await initialize()
        #expect(try await mcp("ping", [:], session, headers: headers).response.status.code == status)
    }
}
