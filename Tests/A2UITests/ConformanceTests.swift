import A2UI
import A2UIConformance
import Backlot
import Testing

/// The runner itself: each form of case passes when it is right, and fails when it is wrong.
@Suite(.timeLimit(.minutes(1))) struct ConformanceTests {
    private func outcome(_ document: JSONValue) throws -> ConformanceCases.Outcome {
        let fixture: JSONValue = [
            "data": ["rows": [["n": 1]]],
            "components": [
                ["id": "root", "component": "Column", "children": ["componentId": "row", "path": "/rows"]],
                ["id": "row", "component": "Slider", "max": 9, "value": ["path": "n"]],
            ],
        ]
        let cases = ConformanceCases { $0 == "rows.yaml" ? fixture : nil }
        let results = cases.results(of: document, name: "v0_9/file.json")
        return try #require(results.first).outcome
    }

    private static let creation: JSONValue = [
        "version": "v0.9", "createSurface": ["surfaceId": "s", "catalogId": "basic"],
    ]
    private static let text: JSONValue = [
        "version": "v0.9",
        "updateComponents": ["surfaceId": "s", "components": [["id": "root", "component": "Text", "text": "Hello"]]],
    ]

    private static let example: [JSONValue] = [
        ["version": "v0.9", "createSurface": ["surfaceId": "s", "catalogId": .string(Catalog.basic0_9.id)]], text,
    ]

    /// A case, and the same with an expectation that isn't met.
    static let cases: [(JSONValue, JSONValue)] = [
        (
            ["action": "process_messages", "messages": [creation], "expect": ["surfaces": ["s": ["exists": true]]]],
            ["action": "process_messages", "messages": [creation], "expect": ["surfaces": ["t": ["exists": true]]]]
        ),
        (
            [
                "action": "validate",
                "steps": [["messages": [creation, creation], "expectError": ["category": "IntegrityError"]]],
            ],
            ["action": "validate", "steps": [["messages": [creation], "expectError": ["category": "IntegrityError"]]]]
        ),
        (
            [
                "action": "data_model", "watch": ["/a", "/b"],
                "steps": [["op": "set", "path": "/a/0", "value": 1, "expect_notified": ["/a"]]],
            ],
            [
                "action": "data_model", "watch": ["/a", "/b"],
                "steps": [["op": "set", "path": "/a/0", "value": 1, "expect_notified": ["/b"]]],
            ]
        ),
        (
            ["action": "resolve_path", "args": ["path": "x", "contextPath": "/y"], "expect": "/y/x"],
            ["action": "resolve_path", "args": ["path": "x", "contextPath": "/y"], "expect": "/x"]
        ),
        (
            ["action": "parse_expression_template", "input": "a${b}", "expect": ["a", ["path": "b"]]],
            ["action": "parse_expression_template", "input": "a${b}", "expect": ["a", "b"]]
        ),
        (
            ["action": "evaluate_function", "function": "not", "args": ["value": 0], "expect": true],
            ["action": "evaluate_function", "function": "not", "args": ["value": 0], "expect": false]
        ),
        (
            [
                "action": "dispatch_action", "actionPayload": ["event": ["name": "go"]],
                "expectDispatched": ["name": "go", "context": [:]],
            ],
            [
                "action": "dispatch_action", "actionPayload": ["event": ["name": "go"]],
                "expectDispatched": ["name": "come"],
            ]
        ),
        (
            [
                "action": "resolve_nodes", "fixture": "rows.yaml",
                "steps": [
                    [
                        "op": "write", "node": "root/children/0", "property": "value", "value": 2,
                        "expect": ["data": ["/rows/0/n": 2], "emissions": ["root/children/0": 1], "destroyed": [:]],
                    ]
                ],
            ],
            [
                "action": "resolve_nodes", "fixture": "rows.yaml",
                "steps": [
                    [
                        "op": "write", "node": "root/children/0", "property": "value", "value": 2,
                        "expect": ["emissions": [:]],
                    ]
                ],
            ]
        ),
        (
            ["action": "validate_common_type", "definition": "ChildList", "value": ["a"]],
            ["action": "validate_common_type", "definition": "ChildList", "value": [1]]
        ),
        (
            ["schema": "server_to_client.json", "tests": [["valid": true, "data": text]]],
            ["schema": "server_to_client.json", "tests": [["valid": false, "data": text]]]
        ),
        (["messages": .array(example)], ["messages": [example[0]]]),
    ]

    @Test(arguments: cases)
    func `A case passes when it is met, and fails when it isn't`(right: JSONValue, wrong: JSONValue) throws {
        func whole(_ item: JSONValue) -> JSONValue { item["action"] == nil ? item : [item] }
        #expect(try outcome(whole(right)) == .passed)
        guard case .failed = try outcome(whole(wrong)) else {
            Issue.record("\(wrong) passed")
            return
        }
    }

    @Test func `What the runner doesn't know is not supported`() throws {
        #expect(try outcome([["action": "paint"]]) == .unsupported("action paint"))
        #expect(try outcome([["action": "validate", "protocolVersion": "0.8"]]) == .unsupported("version 0.8"))
    }
}
