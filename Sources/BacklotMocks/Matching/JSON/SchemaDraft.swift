import Backlot

/// The drafts of JSON Schema that WireMock names. Schemas of older ones are read as those of the last one.
enum SchemaDraft: String, CaseIterable {
    case v4 = "V4"
    case v6 = "V6"
    case v7 = "V7"
    case v201909 = "V201909"
    case v202012 = "V202012"

    /// A schema of this draft in the words of draft 2020-12.
    func current(_ schema: JSONValue) -> JSONValue {
        guard self != .v202012, let object = schema.object else { return schema }
        // Until draft 7, nothing beside a reference counts but what is named for others.
        let isReference = self != .v201909 && object["$ref"] != nil
        var new = JSONObject()
        for member in object.members where !isReference || ["$ref", "definitions"].contains(member.key) {
            add(member.key, member.value, of: object, to: &new)
        }
        return .object(new)
    }

    private func add(_ key: String, _ value: JSONValue, of object: JSONObject, to new: inout JSONObject) {
        switch key {
        case "$schema": break
        case "id" where self == .v4: new["$id"] = value
        case "$recursiveRef": new["$ref"] = value
        case "exclusiveMinimum" where value == true: new[key] = object["minimum"]
        case "exclusiveMaximum" where value == true: new[key] = object["maximum"]
        case "exclusiveMinimum" where value == false, "exclusiveMaximum" where value == false: break
        case "minimum" where object["exclusiveMinimum"] == true, "maximum" where object["exclusiveMaximum"] == true:
            break
        case "items" where value.array != nil: new["prefixItems"] = list(value)
        case "additionalItems": if object["items"]?.array != nil { new["items"] = current(value) }
        case "dependencies":
            for member in value.object?.members ?? [] {
                let word = member.value.array == nil ? "dependentSchemas" : "dependentRequired"
                var own = new[word]?.object ?? JSONObject()
                own[member.key] = current(member.value)
                new[word] = .object(own)
            }
        case "properties", "patternProperties", "definitions", "$defs", "dependentSchemas":
            new[key] = .object(
                (value.object?.members ?? []).reduce(into: JSONObject()) { $0[$1.key] = current($1.value) }
            )
        case "allOf", "anyOf", "oneOf": new[key] = list(value)
        case "items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else",
            "unevaluatedItems", "unevaluatedProperties":
            new[key] = current(value)
        default: new[key] = value
        }
    }

    private func list(_ value: JSONValue) -> JSONValue { value.array.map { .array($0.map(current)) } ?? value }
}
