import DynamicViews
import TestSupport
import Testing

/// The compiler's errors for mistakes.
@Suite(
    .enabled(if: CompilerSnippets.modules != nil, "the compiled modules are not beside the test bundle"),
    .timeLimit(.minutes(5))
)
struct BuilderDiagnosticsTests {
    @Test(arguments: snippets.mistakes.indices)
    func `Mistakes are explained on their line`(_ index: Int) async throws {
        let mistake = Self.snippets.mistakes[index]
        let errors = try await Self.errors.value.filter { mistake.lines.contains($0.line) }
        #expect(errors.contains { $0.line == mistake.badLine && $0.message.contains(mistake.message) }, "\(errors)")
        #expect(errors.allSatisfy { $0.message.contains(mistake.message) }, "\(errors)")
    }

    @Test func `What is right compiles`() async throws {
        let errors = try await Self.errors.value
        #expect(errors.filter { $0.line <= Self.snippets.goodLines } == [])
    }

    private static let errors = Task { try await snippets.compile() }

    private static let snippets = CompilerSnippets(
        good: """
            import Backlot
            import DynamicViews
            func good(_ app: DynamicViewsApp, _ flag: Bool) {
                app.view("a") { request in
                    document {
                        flag ? text("a", id: "b").textStyle(.title).textColor("brand") : button("a", id: "b").onTap { _, _ in }
                        toggle("c", id: "d", key: "e").onToggle { isOn, request in }
                    }
                }
                .on(.tap, "b") { _, _ in }
            }
            """,
        opening: "(_ app: DynamicViewsApp, _ flag: Bool) { let _ =",
        [
            (
                """
                document {
                    "hello" // bad
                    text("a", id: "b")
                }
                """, "a string can't stand here: write text(…), label(…)"
            ),
            (
                """
                document {
                    option("a", id: "b") // bad
                }
                """, "an option belongs into multiValue(…) { … } or switchEnvironment(…) { … }"
            ),
            (
                """
                document {
                    [option("a", id: "b")] // bad
                }
                """, "options belong into multiValue(…) { … } or switchEnvironment(…) { … }"
            ),
            (
                """
                multiValue("a", id: "b") {
                    text("c", id: "d") // bad
                }
                """, #"only options stand here: write option("Text.key", id: "…")"#
            ),
            (
                """
                document {
                    document { text("a", id: "b") } // bad
                }
                """, "a document can't stand in a document: write its widgets here"
            ),
            (
                """
                section("a", id: "b") {
                    print("c") // bad
                    text("d", id: "e")
                }
                """, "nothing is made here: write this statement before the braces"
            ),
            (
                """
                document {
                    text("a") // bad
                }
                """, "missing argument for parameter 'id' in call"
            ),
            (#"text("a", id: 7) // bad"#, "cannot convert value of type 'Int' to expected argument type 'String'"),
            (#"toggle("a", id: "b") // bad"#, "missing argument for parameter 'key' in call"),
            (#"information("a", id: "b") // bad"#, "missing argument for parameter 'hideable' in call"),
            (#"text("a", id: "b").textStyle(.titel) // bad"#, "type 'TextStyle?' has no member 'titel'"),
            (#"text("a", id: "b").textColor(.acent) // bad"#, "type 'ColorName?' has no member 'acent'"),
            (#"document { text("a", id: "b") }.style(.grid) // bad"#, "has no member 'grid'"),
            (
                #"text("a", id: "b").padding("4") // bad"#,
                "cannot convert value of type 'String' to expected argument type 'Double'"
            ),
            (
                #"button("a", id: "b").onToggle { isOn, request in } // bad"#,
                "only toggle(…) is switched: write .onTap { interaction, request in … }"
            ),
            (
                #"text("a", id: "b").onChoice { option, request in } // bad"#,
                "only multiValue(…) has options: write .onTap"
            ),
            (
                #"text("a", id: "b").onReceipt { id, request in } // bad"#,
                "only lastPurchases(…) has receipts: write .onTap"
            ),
            (#"text("a", id: "b").onMore { request in } // bad"#, "only lastPurchases(…) can show more: write .onTap"),
            (
                #"toggle("a", id: "b", key: "c").onTap { _, _ in } // bad"#,
                "a toggle is switched, not tapped: write .onToggle { isOn, request in … }"
            ),
            (
                """
                multiValue("a", id: "b") { option("c", id: "d") }
                    .onTap { _, _ in } // bad
                """, "its options are chosen, not tapped: write .onChoice { option, request in … }"
            ),
            (
                #"lastPurchases(projectId: "shop", id: "b").onTap { _, _ in } // bad"#,
                "write .onReceipt { id, request in … }, or .onMore { request in … }"
            ),
            (#"text("a", id: "b").onTap { request in } // bad"#, "expects 2 arguments, but 1 was used in closure body"),
            (
                #"app.view("a") { _ in text("b", id: "c") } // bad"#,
                "a view is a document: write document { … } around the widgets"
            ),
        ]
    )
}
