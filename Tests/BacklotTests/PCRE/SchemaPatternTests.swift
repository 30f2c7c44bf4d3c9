import Backlot
import Testing

@Suite(.timeLimit(.minutes(5))) struct SchemaPatternTests {
    @Test(arguments: [
        ("b", ["abc", "b"], ["ac", ""]),
        ("^a.c$", ["abc"], ["a\nc", "abc\n", "xabc"]),
        (#"^[[\]&&]+$"#, ["[&]"], ["a"]),
        (#"^\d{2}$"#, ["12"], ["1", "१२"]),
    ])
    func `Patterns are searched for, in JavaScript's syntax`(
        _ pattern: String,
        _ fits: [String],
        _ others: [String]
    ) throws {
        let schema = try JSONSchema(["pattern": .string(pattern)])
        for text in fits { #expect(schema.errors(in: .string(text)) == [], "\(text)") }
        for text in others { #expect(schema.errors(in: .string(text)).count == 1, "\(text)") }
    }

    @Test func `A pattern that takes for ever is given up`() throws {
        let schema = try JSONSchema(["pattern": "^(a+)+$"])
        let failures = schema.errors(in: .string(String(repeating: "a", count: 40) + "b"))
        #expect(failures.map(\.isGivenUp) == [true])
    }

    @Test func `What is no pattern is refused with its place`() throws {
        let error = try #require(throws: JSONSchema.ReadingError.self) { try JSONSchema(["pattern": "a("]) }
        #expect(
            error.description
                == #"/pattern: "a(" can't be read as a pattern: missing closing parenthesis, at character 3"#
        )
    }
}
