import Backlot
import TestSupport
import Testing

/// Schemas and values as nobody would write them.
@Suite(.timeLimit(.minutes(5))) struct MutatedSchemaTests {
    private static let schemas = [
        ##"{"type":"object","required":["a"],"properties":{"a":{"type":["string","null"],"minLength":2,"pattern":"^a+$"}},"additionalProperties":false}"##,
        ##"{"$id":"https://a.org/x","$ref":"y#n","$defs":{"y":{"$id":"y","$defs":{"n":{"$anchor":"n","items":{"$ref":"#/$defs/n"}}}}}}"##,
        ##"{"$dynamicAnchor":"n","anyOf":[{"type":"integer","multipleOf":0.1},{"prefixItems":[{"$dynamicRef":"#n"}],"unevaluatedItems":false}]}"##,
        ##"{"allOf":[{"properties":{"a":true}},{"if":{"required":["b"]},"then":{"properties":{"b":{"const":1e308}}}}],"unevaluatedProperties":{"type":"null"}}"##,
        ##"{"contains":{"enum":[1,"a",null]},"minContains":1,"maxContains":2,"uniqueItems":true,"maxItems":9}"##,
        ##"{"patternProperties":{"^[ab]\\d*$":{"exclusiveMaximum":3}},"propertyNames":{"format":"hostname"},"dependentSchemas":{"a":{"not":{"required":["c"]}}}}"##,
        ##"{"anyOf":[{"format":"date-time"},{"format":"duration"},{"format":"ipv6"},{"format":"uri"},{"format":"email"},{"format":"regex"},{"format":"uuid"},{"format":"relative-json-pointer"}]}"##,
    ]
    private static let values = [
        #"{"a":"aaa","b":1,"c":[1,{"a":null}]}"#, "[1,[2,[3,\"a\"]],1.5]", "[null,\"a\",1,1]",
        #""2026-05-17T12:30:00+02:00""#, #""P1Y2M3DT4H5M6S""#, #""::ffff:1.2.3.4""#, #""https://u@a.org:80/%41?b#c""#,
        "-1e-7", "18446744073709551615",
    ]
    private static let tokens = [
        "\"#\"", "\"$ref\":\"#\",", "-1", "1e308", "5e-324", "[]", "{}", "null", "false", "\"(a+)+$\"", "%", "~", "/",
        ":",
        "\\u0000", "1e99999", "99999999999999999999",
    ].map { Array($0.utf8) }

    @Test func `Each is refused or judged within its bounds`() throws {
        var mutator = Mutator(random: SeededGenerator(seed: 20), tokens: Self.tokens)
        let values = try Self.values.map { try JSONValue(parsing: $0) }
        var (read, refused, fitting, failing) = (0, 0, 0, 0)
        for text in Self.schemas {
            for _ in 0..<200 {
                guard let document = try? JSONValue(parsing: mutator.mutate(Array(text.utf8))) else { continue }
                do throws(JSONSchema.ReadingError) {
                    let schema = try JSONSchema(document, assertsFormats: true)
                    read += 1
                    for value in values {
                        var budget = JSONSchema.Budget(steps: 20_000, time: 5_000_000)
                        let isFitting = schema.errors(in: value, within: &budget).isEmpty
                        (fitting, failing) = (fitting + (isFitting ? 1 : 0), failing + (isFitting ? 0 : 1))
                    }
                } catch {
                    #expect(!error.text.isEmpty)
                    refused += 1
                }
            }
        }
        #expect(read > 50 && refused > 10 && fitting > 100 && failing > 100, "\(read) \(refused) \(fitting) \(failing)")
    }

    @Test func `Mutated values are judged`() throws {
        var mutator = Mutator(random: SeededGenerator(seed: 21), tokens: Self.tokens)
        let schemas = try Self.schemas.map { try JSONSchema(JSONValue(parsing: $0), assertsFormats: true) }
        var judged = 0
        for text in Self.values {
            for _ in 0..<300 {
                guard let value = try? JSONValue(parsing: mutator.mutate(Array(text.utf8))) else { continue }
                for schema in schemas {
                    let failures = schema.errors(in: value)
                    judged += 1
                    #expect(failures.allSatisfy { !$0.isGivenUp } && failures.count <= JSONSchema.mostFailures)
                }
            }
        }
        #expect(judged > 1000, "\(judged)")
    }
}
