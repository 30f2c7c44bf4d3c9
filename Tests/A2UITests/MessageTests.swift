import A2UI
import Backlot
import Testing

@Suite(.timeLimit(.minutes(1))) struct MessageTests {
    static let server: [JSONValue] = [
        [
            "version": "v0.9",
            "createSurface": ["surfaceId": "s", "catalogId": "c", "theme": ["a": 1], "sendDataModel": true],
        ],
        ["version": "v0.9.1", "updateDataModel": ["surfaceId": "s", "path": "/a"]],
        ["version": "v0.9", "updateDataModel": ["surfaceId": "s", "value": [1]]],
        [
            "version": "1.0",
            "createSurface": [
                "surfaceId": "s", "components": [["id": "root", "component": "Text"]], "dataModel": ["a": 1],
                "metadata": ["extensions": ["vendor": 1]],
            ],
        ],
        ["version": "v1.0", "updateDataModel": ["surfaceId": "s", "path": "/a", "value": nil]],
        ["version": "1.0", "updateComponents": ["surfaceId": "s", "components": [["id": "a", "component": "B"]]]],
        ["version": "1.0", "deleteSurface": ["surfaceId": "s"]],
        [
            "version": "1.0",
            "callRendererFunction": [
                "functionCallId": "1", "callFunction": ["@call": "f", "catalogId": "c", "args": ["a": 1]],
            ],
        ],
        ["version": "1.0", "agentFunctionResponse": ["functionCallId": "1", "value": nil]],
    ]

    @Test(arguments: server)
    func `A server's message is written as it was read`(json: JSONValue) throws {
        #expect(try ServerMessage(json).json == json)
    }

    static let client: [JSONValue] = [
        [
            "version": "v0.9",
            "action": [
                "name": "go", "surfaceId": "s", "sourceComponentId": "b", "timestamp": "2026-01-01T00:00:00Z",
                "context": ["a": nil],
            ],
        ],
        [
            "version": "v0.9",
            "error": ["code": "VALIDATION_FAILED", "surfaceId": "s", "path": "/a", "message": "wrong"],
        ],
        ["version": "1.0", "error": ["code": "TIMEOUT", "functionCallId": "1", "message": "late"]],
        [
            "version": "1.0",
            "callAgentFunction": ["surfaceId": "s", "functionCallId": "1", "callFunction": ["@call": "f"]],
        ],
        [
            "version": "1.0",
            "rendererFunctionResponse": ["functionCallId": "1", "error": ["code": "E", "message": "m"]],
        ],
    ]

    @Test(arguments: client)
    func `A client's message is written as it was read`(json: JSONValue) throws {
        #expect(try ClientMessage(json).json == json)
    }

    static let wrong: [(JSONValue, String, String)] = [
        ("text", "type_mismatch", ""),
        (["createSurface": ["surfaceId": "s"]], "missing_field", "/version"),
        (["version": "v7", "deleteSurface": ["surfaceId": "s"]], "invalid_value", "/version"),
        (["version": "1.0"], "missing_field", ""),
        (["version": "1.0", "deleteSurface": ["surfaceId": "s"], "updateDataModel": [:]], "invalid_value", ""),
        (["version": "v0.9", "beginRendering": [:]], "extra_field", "/beginRendering"),
        (["version": "v0.9", "callRendererFunction": [:]], "extra_field", "/callRendererFunction"),
        (["version": "1.0", "deleteSurface": ["surfaceId": 1]], "type_mismatch", "/deleteSurface/surfaceId"),
        (["version": "1.0", "deleteSurface": ["surfaceId": "s", "x": 1]], "extra_field", "/deleteSurface/x"),
        (["version": "v0.9", "createSurface": ["surfaceId": "s"]], "missing_field", "/createSurface/catalogId"),
        (
            ["version": "1.0", "createSurface": ["surfaceId": "s", "theme": [:]]], "extra_field", "/createSurface/theme"
        ),
        (["version": "1.0", "updateDataModel": ["surfaceId": "s"]], "missing_field", "/updateDataModel/value"),
        (
            ["version": "1.0", "updateComponents": ["surfaceId": "s", "components": []]], "invalid_value",
            "/updateComponents/components"
        ),
        (
            ["version": "1.0", "updateComponents": ["surfaceId": "s", "components": [["component": "Text"]]]],
            "missing_field",
            "/updateComponents/components/0/id"
        ),
        (
            ["version": "1.0", "createSurface": ["surfaceId": "s", "metadata": ["extensions": ["no-dash": 1]]]],
            "extra_field",
            "/createSurface/metadata/extensions/no-dash"
        ),
        (
            ["version": "1.0", "agentFunctionResponse": ["functionCallId": "1"]], "invalid_value",
            "/agentFunctionResponse"
        ),
    ]

    @Test(arguments: wrong)
    func `A wrong message is an error with code and pointer`(json: JSONValue, code: String, path: String) {
        #expect { try ServerMessage(json) } throws: { error in
            let error = error as? A2UIError
            return error?.category == .validation && error?.code == code && error?.path == path
        }
    }

    @Test func `An error names a surface or a call`() {
        for keys in [["surfaceId": "s", "functionCallId": "1"], [:]] as [JSONObject] {
            var body: JSONObject = ["code": "X", "message": "m"]
            for member in keys.members { body[member.key] = member.value }
            #expect(throws: A2UIError.self) { try ClientMessage(["version": "1.0", "error": .object(body)]) }
        }
    }
}
