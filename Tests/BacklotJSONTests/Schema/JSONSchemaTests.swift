import BacklotJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONSchemaTests {
    /// A schema whose patterns are texts that must occur.
    private func make(_ schema: String, assertsFormats: Bool = false) throws -> JSONSchema {
        try make(try JSONValue(parsing: schema), assertsFormats: assertsFormats)
    }

    private func make(_ document: JSONValue, assertsFormats: Bool = false) throws -> JSONSchema {
        try JSONSchema(document, assertsFormats: assertsFormats) { source in
            struct Unreadable: Error, CustomStringConvertible { var description: String { "a bracket is open" } }
            if source == "(" { throw Unreadable() }
            return { text, time in
                time -= 1_000_000
                return text == "endless" ? nil : text.contains(source)
            }
        }
    }

    private func failures(_ schema: String, _ value: String, assertsFormats: Bool = false) throws -> [String] {
        try make(schema, assertsFormats: assertsFormats).errors(in: try JSONValue(parsing: value)).map {
            "\($0.instance) \($0.schema) \($0.text)"
        }
    }

    @Test(arguments: SchemaCase.assertions + SchemaCase.applicators + SchemaCase.references)
    func `A value fits or not`(_ schemaCase: SchemaCase) throws {
        let schema = try make(schemaCase.schema)
        for value in schemaCase.valid { #expect(schema.errors(in: try JSONValue(parsing: value)) == [], "\(value)") }
        for value in schemaCase.invalid {
            let failures = schema.errors(in: try JSONValue(parsing: value))
            #expect(!failures.isEmpty && !failures.contains { $0.isGivenUp }, "\(value)")
        }
    }

    @Test func `Each failure says where, by which keyword, and what`() throws {
        let schema = #"""
            {"required":["name"],"properties":{"age":{"minimum":18},"a/b":{"type":["string","null"]}},
            "additionalProperties":false}
            """#
        #expect(
            try failures(schema, #"{"age":17,"a/b":2.5,"x":1}"#) == [
                #" /required lacks "name""#,
                "/age /properties/age/minimum must be at least 18, not 17",
                "/a~1b /properties/a~1b/type must be a string or null, not 2.5",
                "/x /additionalProperties isn't allowed here",
            ]
        )
    }

    @Test(arguments: [
        (
            #"{"anyOf":[{"type":"null"},{"const":1}]}"#, "2",
            " /anyOf must fit at least one of the 2 schemas of 'anyOf', and fits none"
        ),
        (#"{"oneOf":[true,true]}"#, "2", " /oneOf must fit exactly one schema of 'oneOf', and fits numbers 0 and 1"),
        (#"{"anyOf":[{"const":1}]}"#, "2", " /anyOf/0/const must be 1, not 2"),
        (#"{"enum":[1,"a"]}"#, "{}", #" /enum must be one of 1, "a", not {}"#),
        (#"{"uniqueItems":true}"#, "[0,1,0]", " /uniqueItems must have no element twice; elements 0 and 2 are equal"),
        (#"{"maxLength":1}"#, #""ab""#, " /maxLength must have at most 1 character, not 2"),
        (##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"null"}}}"##, "[]", " /$defs/a/type must be null, not an array"),
        (#"{"pattern":"b"}"#, #""a""#, #" /pattern must match the pattern "b", unlike "a""#),
        (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, #" /dependentRequired/a lacks "b", which "a" needs"#),
        (#"{"contains":{"const":1}}"#, "[2]", " /contains must have at least 1 element that fit 'contains', not 0"),
    ])
    func `A failure has its text`(_ schema: String, _ value: String, _ text: String) throws {
        #expect(try failures(schema, value) == [text])
    }

    @Test(arguments: [
        (
            #"{"type":"strng"}"#,
            #"/type: "strng" is not a type; types are null, boolean, object, array, number, string, integer"#
        ),
        (#"{"properties":{"a":1}}"#, "/properties/a: a schema is an object, true or false, not a number"),
        ("[]", "a schema is an object, true or false, not an array"),
        (#"{"minLength":1.5}"#, "/minLength: must be a whole number from 0, not 1.5"),
        (#"{"multipleOf":0}"#, "/multipleOf: must be greater than 0, not 0"),
        (#"{"allOf":[]}"#, "/allOf: must be an array of at least one schema, not []"),
        (#"{"required":["a",1]}"#, #"/required: must be an array of strings, not ["a",1]"#),
        (#"{"pattern":"("}"#, #"/pattern: "(" can't be read as a pattern: a bracket is open"#),
        (##"{"$ref":"#/$defs/x"}"##, ##"/$ref: "#/$defs/x" leads to nothing: the document has no "$defs""##),
        (##"{"$ref":"#x"}"##, ##"/$ref: "#x" leads to a name that no '$anchor' declares"##),
        (
            #"{"$ref":"other.json"}"#,
            #"/$ref: "other.json" leads to another document, which isn't fetched; put its schema under '$defs', with its '$id'"#
        ),
        (
            #"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
            #"/$schema: "http://json-schema.org/draft-07/schema#" isn't supported; the draft is https://json-schema.org/draft/2020-12/schema"#
        ),
        (#"{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}"#, #"/$defs/b/$anchor: the name "x" is declared twice"#),
        (#"{"$anchor":"1"}"#, #"/$anchor: must be a name of letters, digits, '_', '-' and '.', not "1""#),
        (##"{"$id":"a#b"}"##, "/$id: must have no fragment ('#…'); a name is given by '$anchor'"),
    ])
    func `What isn't a schema is refused`(_ schema: String, _ text: String) throws {
        let error = try #require(throws: JSONSchema.ReadingError.self) { try make(schema) }
        #expect(error.description == text)
    }

    @Test func `Unknown keywords are listed`() throws {
        let schema = try make(#"{"propertis":{},"items":{"x-note":1,"title":"t"},"minItems":1,"maximum":2}"#)
        #expect(schema.unknownKeywords == ["/items/x-note", "/propertis"])
    }

    // MARK: Bounds

    @Test(arguments: [
        ##"{"$ref":"#"}"##,
        ##"{"allOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
        ##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
        ##"{"not":{"$ref":"#"}}"##,
        ##"{"if":{"$ref":"#"},"else":true}"##,
    ])
    func `A schema that refers to itself without end ends`(_ schema: String) throws {
        let failures = try make(schema).errors(in: 1)
        #expect(failures.map(\.isGivenUp) == [true])
        #expect(failures.first?.text.hasPrefix("needs more than 300 schemas within each other") == true)
    }

    @Test func `A schema whose branches double at each step ends`() throws {
        let levels = (0..<40).map {
            ##""l\##($0)":{"anyOf":[{"$ref":"#/$defs/l\##($0 + 1)"},{"$ref":"#/$defs/l\##($0 + 1)"}]}"##
        }
        let schema = try make(##"{"$ref":"#/$defs/l0","$defs":{\##(levels.joined(separator: ",")),"l40":false}}"##)
        #expect(schema.errors(in: 1).map(\.text) == ["takes too many steps to judge by this schema"])
    }

    @Test func `A list of many values against an expensive schema ends`() throws {
        let schema = try make(##"{"items":{"enum":[\##((0..<1000).map(String.init).joined(separator: ","))]}}"##)
        let failures = schema.errors(in: .array(Array(repeating: 999, count: 10_000)))
        #expect(failures.map(\.isGivenUp) == [true])
    }

    @Test func `A pattern that is given up ends the judgement, and so does the time of all`() throws {
        let schema = try make(#"{"items":{"pattern":"x"}}"#)
        #expect(
            schema.errors(in: ["x", "endless"]).map(\.text) == [#"takes too long to compare with the pattern "x""#]
        )
        var budget = JSONSchema.Budget(time: 5_000_000)
        let failures = schema.errors(in: .array(Array(repeating: "x", count: 6)), within: &budget)
        #expect(failures.map(\.instance) == ["/5"])
        #expect(failures.map(\.isGivenUp) == [true])
    }

    /// A schema with a key of 100,000 bytes around many subschemas. The pointer or address of each repeats the key.
    private static func wide(_ kind: String, _ count: Int) -> JSONValue {
        let key = String(repeating: "k", count: 100_000)
        func list(_ element: (Int) -> JSONValue) -> JSONValue { .array((0..<count).map(element)) }
        return switch kind {
        case "pointers": ["properties": .object([key: ["allOf": list { _ in [:] }]])]
        case "addresses": ["$id": .string("http://a/\(key)/"), "allOf": list { ["$id": .string("\($0)")] }]
        default: ["properties": .object([key: .object(JSONObject(pairs: (0..<count).map { ("x-\($0)", 1) }))])]
        }
    }

    @Test(arguments: ["pointers", "addresses", "unknown keywords"])
    func `A schema whose long keys repeat for too many subschemas is refused`(kind: String) throws {
        let error = #expect(throws: JSONSchema.ReadingError.self) { try make(Self.wide(kind, 1000)) }
        #expect(error.map { "\($0)" }?.contains("its keys and addresses are too long for so many subschemas") == true)
        #expect(try make(Self.wide(kind, 100)).errors(in: 1) == [])
    }

    @Test func `At most twenty failures are listed`() throws {
        let schema = try make(#"{"items":{"type":"null"}}"#)
        #expect(schema.errors(in: .array(Array(repeating: 1, count: 100))).count == 20)
    }
}
