import Backlot

/// The types that all catalogs refer to, as a JSON Schema.
///
/// Calls have only their form here. Each is checked against its own catalog when components are.
///
/// Source: the A2UI specification, common_types.json.
enum CommonTypes {
    static func schema(_ version: ProtocolVersion) -> JSONValue {
        let isOne = version.isOne
        let text: JSONValue = ["type": "string"]
        func reference(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }
        func object(_ properties: JSONObject, required: [String] = []) -> JSONValue {
            let required = required.map(JSONValue.string)
            return [
                "type": "object", "properties": .object(properties), "required": .array(required),
                "additionalProperties": false,
            ]
        }
        /// A literal, a binding or a call. In 0.9, a call may state the type of its result.
        func dynamic(_ literal: JSONValue, returns type: String) -> JSONValue {
            var call = reference("FunctionCall")
            if !isOne { call = ["allOf": [call, ["properties": ["returnType": ["const": .string(type)]]]]] }
            return ["oneOf": [literal, reference("DataBinding"), call]]
        }
        var plain: [JSONValue] = [text, ["type": "number"], ["type": "boolean"], ["type": "array"]]
        if isOne {
            plain.append([
                "type": "object", "propertyNames": ["not": ["pattern": "^@([^@]|$)"]],
            ])
        }
        plain += [reference("DataBinding"), reference("FunctionCall")]
        var call: JSONObject = [
            version.callKey: text,
            "args": isOne
                ? ["type": "object"]
                : [
                    "type": "object",
                    "additionalProperties": ["anyOf": [reference("DynamicValue"), ["type": "object"]]],
                ],
        ]
        if isOne {
            call["catalogId"] = text
        } else {
            call["returnType"] = [
                "type": "string", "enum": ["string", "number", "boolean", "array", "object", "any", "void"],
            ]
        }
        let label = reference("DynamicString")
        var accessibility: JSONObject = ["label": label, "description": label]
        if isOne {
            accessibility["live"] = ["type": "string", "enum": ["off", "polite", "assertive"]]
            accessibility["hidden"] = reference("DynamicBoolean")
        }
        var common: JSONObject = ["id": text, "accessibility": reference("AccessibilityAttributes")]
        if isOne { common["catalogId"] = text }
        if isOne { common["metadata"] = object(["extensions": reference("Extensions")]) }
        var event: JSONObject = [
            "name": text, "context": ["type": "object", "additionalProperties": reference("DynamicValue")],
        ]
        if isOne { event["userMessage"] = label }
        let condition: JSONValue =
            isOne ? ["oneOf": [reference("DataBinding"), reference("FunctionCall")]] : reference("DynamicBoolean")
        let error = object(["code": text, "message": text], required: ["code", "message"])
        var types: JSONObject = [
            "ComponentId": text, "Child": text, "CallId": text,
            "AccessibilityAttributes": [
                "type": "object", "properties": .object(accessibility), "additionalProperties": .bool(!isOne),
            ],
            "Extensions": [
                "type": "object",
                "patternProperties": [#"^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$"#: [:]],
                "additionalProperties": false,
            ],
            "ComponentCommon": ["type": "object", "properties": .object(common), "required": ["id"]],
            "ChildList": [
                "oneOf": [
                    ["type": "array", "items": text],
                    object(["componentId": text, "path": text], required: ["componentId", "path"]),
                ]
            ],
            "DataBinding": object([version.pathKey: text], required: [version.pathKey]),
            "DynamicValue": ["oneOf": .array(plain)],
            "DynamicString": dynamic(text, returns: "string"),
            "DynamicNumber": dynamic(["type": "number"], returns: "number"),
            "DynamicBoolean": dynamic(["type": "boolean"], returns: "boolean"),
            "DynamicStringList": dynamic(["type": "array", "items": text], returns: "array"),
            "FunctionCall": object(call, required: [version.callKey]),
            "FunctionCommon": ["type": "object", "properties": [version.callKey: text, "catalogId": text]],
        ]
        types["CheckRule"] = object(
            ["condition": condition, "message": text],
            required: isOne ? ["condition"] : ["condition", "message"]
        )
        types["Checkable"] = [
            "type": "object", "properties": ["checks": ["type": "array", "items": reference("CheckRule")]],
        ]
        types["Action"] = [
            "oneOf": [
                object(["event": object(event, required: ["name"])], required: ["event"]),
                object(["functionCall": reference("FunctionCall")], required: ["functionCall"]),
            ]
        ]
        types["IndexSystemFunction"] = object(
            ["@call": ["const": "@index"], "args": object(["offset": reference("DynamicNumber")])],
            required: ["@call"]
        )
        types["Surface"] = object(["component": ["const": "Surface"], "child": ["const": "root"]])
        types["FunctionResponse"] = [
            "type": "object", "properties": ["functionCallId": text, "value": [:], "error": error],
            "required": ["functionCallId"], "oneOf": [["required": ["value"]], ["required": ["error"]]],
            "additionalProperties": false,
        ]
        return ["$id": "common_types.json", "$defs": .object(types)]
    }
}
