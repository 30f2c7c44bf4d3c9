import Backlot
import BacklotTesting
import Testing

@testable import A2UI
@testable import A2UIServing

/// The messages of an app in the envelopes of AG-UI and A2A.
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

    @Test func `A handler's error ends a run`() async throws {
        _ = try await run([:])
        var action = Self.add.object ?? [:]
        action["name"] = "fail"
        let events = try await run(["a2uiAction": ["userAction": .object(action)]])
        #expect(events.compactMap { $0["type"] } == ["RUN_STARTED", "RUN_ERROR"])
        #expect(events[1]["message"] == "Not now.")
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
}
