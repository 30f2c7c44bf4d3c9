import Backlot
import Testing

@testable import A2UI

@Suite(.timeLimit(.minutes(1))) struct ExpressionTests {
    static let templates: [(String, [Expression])] = [
        ("plain $ text", [.literal("plain $ text")]),
        ("${name} of ${/list/0}", [.path("name"), .literal(" of "), .path("/list/0")]),
        (#"cost: \${x}"#, [.literal("cost: ${x}")]),
        ("${'it''s'}", []),
        (#"${ "a\"}" }"#, [.literal("a\"}")]),
        ("${007}${.5}${-2}", [.literal(7), .literal(0.5), .literal(-2)]),
        ("${true}${falsehood}", [.literal(true), .path("falsehood")]),
        ("${}${null}", []),
        ("${${${x}}}", [.path("x")]),
        ("${f()}", [.call("f", [:])]),
        ("${f(a: g(b: 'x'), c: ${/d},)}", [.call("f", ["a": .call("g", ["b": .literal("x")]), "c": .path("/d")])]),
    ]

    @Test(arguments: templates)
    func `A text splits into its parts`(text: String, parts: [Expression]) throws {
        guard text != "${'it''s'}" else {
            #expect(throws: A2UIError.self) { try Expression.parts(of: text) }
            return
        }
        #expect(try Expression.parts(of: text) == parts)
    }

    @Test(arguments: [
        "${", "${a", "${f(", "${f(a: 1", "${f(1)}", "${f(a 1)}", "${'open}", "${1.2.3}", "${a b}", "${a[0]}",
        "${@index()}",
        String(repeating: "x", count: Expression.lengthLimit + 1),
        String(repeating: "${a}", count: Expression.partLimit + 1),
        String(repeating: "${", count: Expression.depthLimit + 1),
        "${" + String(repeating: "f(a:", count: Expression.depthLimit + 1),
    ])
    func `A text that can't be read is an error`(text: String) {
        #expect { try Expression.parts(of: text) } throws: { ($0 as? A2UIError)?.category == .parse }
    }

    @Test func `No text crashes the parser`() throws {
        var numbers = SeededNumbers(seed: 49)
        let pieces = ["${", "}", "\\", "'", "\"", "(", ")", ":", ",", "a", "/b", "1", ".", "-", "é", " ", "true"]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0..<14, using: &numbers)).map { _ in pieces.randomElement(using: &numbers)! }
                .joined()
            guard let parts = try? Expression.parts(of: text) else { continue }
            #expect(text.contains("${") || parts.count <= 1, "\(text)")
        }
    }
}

/// Numbers that a seed determines (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
