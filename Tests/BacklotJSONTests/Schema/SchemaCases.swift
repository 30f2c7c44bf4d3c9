import Testing

/// A schema with values that fit it and values that don't.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    let schema: String
    let valid: [String]
    let invalid: [String]

    init(_ schema: String, valid: [String], invalid: [String]) {
        self.schema = schema
        self.valid = valid
        self.invalid = invalid
    }

    var testDescription: String { schema }

    static let assertions: [SchemaCase] = [
        .init("true", valid: ["1", "null", "{}"], invalid: []),
        .init("{}", valid: ["1", "null", "[]"], invalid: []),
        .init("false", valid: [], invalid: ["1", "null", "{}"]),
        .init(#"{"type":"string"}"#, valid: [#""a""#], invalid: ["1", "null", "[]", "{}", "true"]),
        .init(#"{"type":"integer"}"#, valid: ["1", "1.0", "-3", "1e30"], invalid: ["1.5", #""1""#, "true"]),
        .init(#"{"type":"number"}"#, valid: ["1", "1.5"], invalid: [#""1""#, "false", "null"]),
        .init(#"{"type":"boolean"}"#, valid: ["true"], invalid: ["0", #""true""#, "null"]),
        .init(#"{"type":"null"}"#, valid: ["null"], invalid: ["0", "false", #""""#]),
        .init(#"{"type":["array","null"]}"#, valid: ["[]", "null"], invalid: ["{}", "1"]),
        .init(#"{"const":{"a":1,"b":[2]}}"#, valid: [#"{"b":[2.0],"a":1}"#], invalid: [#"{"a":1}"#, "1"]),
        .init(#"{"const":0}"#, valid: ["0", "0.0"], invalid: ["false", #""0""#, "[0]"]),
        .init(#"{"enum":[1,"one",null]}"#, valid: ["1", #""one""#, "null"], invalid: ["2", "[]", #""One""#]),
        .init(#"{"multipleOf":0.01}"#, valid: ["4.35", "0", "-7.77", "1e20"], invalid: ["4.351", "0.005"]),
        .init(#"{"multipleOf":3}"#, valid: ["9", "18446744073709551615"], invalid: ["10", "9007199254740993.5"]),
        .init(#"{"multipleOf":1e-8}"#, valid: ["12391239123"], invalid: ["1e-9"]),
        .init(#"{"multipleOf":0.123456789}"#, valid: ["0"], invalid: ["1e308"]),
        .init(#"{"maximum":3}"#, valid: ["3", "-9", #""4""#], invalid: ["3.01", "4"]),
        .init(#"{"exclusiveMaximum":3}"#, valid: ["2.99"], invalid: ["3", "4"]),
        .init(#"{"minimum":-1.5}"#, valid: ["-1.5", "0"], invalid: ["-2", "-1.51"]),
        .init(#"{"exclusiveMinimum":9007199254740992}"#, valid: ["9007199254740993"], invalid: ["9007199254740992"]),
        .init(#"{"maximum":18446744073709551614}"#, valid: ["-1"], invalid: ["18446744073709551615"]),
        .init(#"{"minLength":2}"#, valid: [#""ab""#, #""😀😀""#, "1"], invalid: [#""a""#, #""😀""#]),
        .init(#"{"maxLength":2.0}"#, valid: [#""ab""#, #""😀😀""#], invalid: [#""abc""#, #""é́́""#]),
        .init(#"{"pattern":"b"}"#, valid: [#""abc""#, "1"], invalid: [#""ac""#]),
        .init(#"{"minItems":1,"maxItems":2}"#, valid: ["[1]", "[1,2]", "{}"], invalid: ["[]", "[1,2,3]"]),
        .init(
            #"{"uniqueItems":true}"#,
            valid: ["[1,true,\"1\",[1],{\"a\":1}]", "[]"],
            invalid: ["[1,1.0]", #"[{"a":1,"b":2},{"b":2,"a":1}]"#]
        ),
        .init(
            #"{"minProperties":1,"maxProperties":1}"#,
            valid: [#"{"a":1}"#, "[]"],
            invalid: ["{}", #"{"a":1,"b":2}"#]
        ),
        .init(#"{"required":["a","b"]}"#, valid: [#"{"a":null,"b":1,"c":2}"#, "[]"], invalid: [#"{"a":1}"#, "{}"]),
        .init(
            #"{"dependentRequired":{"card":["address"]}}"#,
            valid: ["{}", #"{"card":1,"address":2}"#, "1"],
            invalid: [#"{"card":1}"#]
        ),
        .init(#"{"format":"email","title":1,"contentEncoding":"base64"}"#, valid: [#""no email""#], invalid: []),
    ]

    static let applicators: [SchemaCase] = [
        .init(
            #"{"properties":{"a":{"type":"string"},"b":false}}"#,
            valid: ["{}", #"{"a":"x"}"#, #"{"c":1}"#, "[]"],
            invalid: [#"{"a":1}"#, #"{"b":1}"#]
        ),
        .init(
            #"{"properties":{"a":true},"patternProperties":{"x-":{"type":"number"}},"additionalProperties":false}"#,
            valid: [#"{"a":null,"x-b":1}"#],
            invalid: [#"{"x-b":"1"}"#, #"{"b":1}"#]
        ),
        .init(#"{"propertyNames":{"maxLength":3}}"#, valid: [#"{"abc":1}"#], invalid: [#"{"abcd":1}"#]),
        .init(
            #"{"prefixItems":[{"type":"string"},true],"items":{"type":"number"}}"#,
            valid: ["[]", #"["a"]"#, #"["a",null,1,2]"#],
            invalid: ["[1]", #"["a",null,"b"]"#]
        ),
        .init(
            #"{"contains":{"type":"number"},"minContains":2,"maxContains":3}"#,
            valid: ["[1,2]", #"["a",1,2,3]"#],
            invalid: ["[1]", "[]", "[1,2,3,4]"]
        ),
        .init(#"{"contains":{"const":1},"minContains":0}"#, valid: ["[]", "[2]"], invalid: []),
        .init(#"{"not":{"contains":{"const":1}}}"#, valid: ["[]", "[2]"], invalid: ["[1]", "{}"]),
        .init(#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, valid: ["2"], invalid: ["0", "4"]),
        .init(#"{"anyOf":[{"type":"string"},{"minimum":3}]}"#, valid: [#""a""#, "3"], invalid: ["2"]),
        .init(#"{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}"#, valid: ["2", "3"], invalid: ["6", "5"]),
        .init(
            #"{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}"#,
            valid: [#"{"a":1,"b":1}"#, #"{"c":1}"#],
            invalid: [#"{"a":1}"#, "{}"]
        ),
        .init(
            #"{"dependentSchemas":{"a":{"required":["b"]}}}"#,
            valid: ["{}", #"{"a":1,"b":1}"#],
            invalid: [#"{"a":1}"#]
        ),
        .init(
            #"{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}"#,
            valid: ["{}", #"{"a":1}"#],
            invalid: [#"{"a":1,"b":2}"#]
        ),
        .init(
            #"{"anyOf":[{"required":["a"],"properties":{"a":true}},{"properties":{"b":true}}],"unevaluatedProperties":{"type":"null"}}"#,
            valid: [#"{"a":1,"b":1,"c":null}"#, #"{"b":1}"#],
            invalid: [#"{"b":1,"a":1,"c":1}"#]
        ),
        .init(
            #"{"if":{"contains":{"const":"a"}},"then":{"if":{"contains":{"const":"b"}}},"unevaluatedItems":false}"#,
            valid: ["[]", #"["a","a"]"#, #"["b","a"]"#],
            invalid: [#"["b"]"#, #"["a","c"]"#]
        ),
        .init(
            #"{"prefixItems":[true],"anyOf":[{"prefixItems":[true,{"const":2}]},true],"unevaluatedItems":false}"#,
            valid: ["[1]", "[1,2]"],
            invalid: ["[1,3]", "[1,2,3]"]
        ),
        .init(
            #"{"not":{"not":{"properties":{"a":true}}},"unevaluatedProperties":false}"#,
            valid: ["{}"],
            invalid: [#"{"a":1}"#]
        ),
    ]

    static let references: [SchemaCase] = [
        .init(
            ##"{"properties":{"next":{"$ref":"#"}},"additionalProperties":false}"##,
            valid: [#"{"next":{"next":{}}}"#],
            invalid: [#"{"next":{"nxt":{}}}"#]
        ),
        .init(
            ##"{"$ref":"#/$defs/a~1b%25","$defs":{"a/b%":{"type":"string"}},"maxLength":1}"##,
            valid: [#""a""#],
            invalid: ["1", #""ab""#]
        ),
        .init(##"{"$ref":"#/unknown/0","unknown":[{"type":"null"}]}"##, valid: ["null"], invalid: ["1"]),
        .init(##"{"$ref":"#here","$defs":{"x":{"$anchor":"here","const":1}}}"##, valid: ["1"], invalid: ["2"]),
        .init(
            ##"{"$id":"https://example.org/a/root.json","$ref":"b/item","$defs":{"x":{"$id":"b/item","$ref":"#n","$defs":{"n":{"$anchor":"n","type":"number"}}}}}"##,
            valid: ["1"],
            invalid: [#""1""#]
        ),
        .init(
            ##"{"$id":"https://example.org/a/b","$ref":"../c#/$defs/d","$defs":{"x":{"$id":"/c","$defs":{"d":{"const":1}}}}}"##,
            valid: ["1"],
            invalid: ["2"]
        ),
        .init(
            ##"{"$id":"urn:example:root","$ref":"urn:example:part","$defs":{"x":{"$id":"urn:example:part","const":1}}}"##,
            valid: ["1"],
            invalid: ["2"]
        ),
        .init(
            ##"{"$id":"https://example.org/strings","$ref":"list","$defs":{"e":{"$dynamicAnchor":"element","type":"string"},"l":{"$id":"list","items":{"$dynamicRef":"#element"},"$defs":{"e":{"$dynamicAnchor":"element"}}}}}"##,
            valid: [#"["a"]"#],
            invalid: ["[1]"]
        ),
        .init(
            ##"{"$id":"https://example.org/plain","$ref":"list","$defs":{"e":{"$dynamicAnchor":"element","type":"string"},"l":{"$id":"list","items":{"$dynamicRef":"#element"},"$defs":{"e":{"$anchor":"element"}}}}}"##,
            valid: ["[1]", #"["a"]"#],
            invalid: []
        ),
        .init(
            #"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#,
            valid: [#"{"type":"string"}"#, "true"],
            invalid: [#"{"type":"strng"}"#, "1", #"{"minLength":-1}"#]
        ),
    ]
}
