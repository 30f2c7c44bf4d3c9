import TestSupport
import Testing
import Xpedite

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
            import Xpedite
            struct CustomerID: Codable, Sendable { var id: Int }
            struct Query: Codable, Sendable { var text = "" }
            extension Color { static let brand: Color = "#0A5ACB" }
            struct Shop {
                let color: String? = nil
                var page: Page { Page("Shop") { label("a").color(.brand).align(.justify).background(color) } }
            }
            let home = Method("home")
            let viewCustomer = Method<CustomerID>("viewCustomer")
            let rows = TableMethod<Query>("rows")
            func good(_ app: XpediteApp, _ flag: Bool) {
                app.method(home) { _ in page("a") { if flag { label("b") }; flag ? label("c") : button("d").method(home) } }
                app.method(viewCustomer, selected: \\.id) { input, call in page { table(rows, Query()) { cell("a") } } }
                app.table(rows) { query, offset, limit, call in [query] }
                app.group(RequireLogin()) { $0.method("a") { _ in page { button("b").method(viewCustomer(CustomerID(id: 7))) } } }
            }
            """,
        opening: "(_ app: XpediteApp, _ flag: Bool) { let _ =",
        [
            (
                """
                page("a") {
                    "hello" // bad
                    label("b")
                }
                """, "a string can't stand here: write text(…), label(…)"
            ),
            (
                """
                page("a") {
                    checkbox(name: "b") // bad
                }
                """, #"only a form has such a field: put it into form(id: "…") { … }"#
            ),
            (
                """
                page("a") {
                    section("b") // bad
                }
                """, #"only a form has such a field: put it into form(id: "…") { … }"#
            ),
            (
                """
                form(id: "f") {
                    checkbox(name: "b")
                    label("c") // bad
                }
                """, "only fields and section(…) stand in a form"
            ),
            (
                """
                page {
                    menuEntry("b", home) // bad
                }
                """, "an entry belongs into a menu: put it into barButton(.right) { … }"
            ),
            (
                """
                barButton(.right) {
                    button("b") // bad
                }
                """, #"only entries stand in a menu: write menuEntry("Text", method)"#
            ),
            (
                """
                barButton(.right) {
                    home // bad
                }
                """, #"an entry calls the method: write menuEntry("Text", method)"#
            ),
            (
                """
                page {
                    label("a")
                    home // bad
                }
                """, #"a method is called by a tap: write button("Text").method(…)"#
            ),
            (
                """
                page {
                    viewCustomer(CustomerID(id: 7)) // bad
                }
                """, #"a method is called by a tap: write button("Text").method(…)"#
            ),
            (
                """
                page {
                    page { label("a") } // bad
                }
                """, "a page can't stand in a page: write its components here"
            ),
            (
                """
                page {
                    Preload(id: "a", url: "https://b") // bad
                }
                """, "write .images([…]) after its braces"
            ),
            (
                """
                page {
                    cell("a") // bad
                }
                """, "a column belongs into a table"
            ),
            (
                """
                table("rows") {
                    cell("a").align(.justify) // bad
                }
                """, "has no member 'justify'"
            ),
            (
                """
                table("rows") {
                    heading("a") // bad
                }
                """, "a heading belongs into .header { … } after the columns"
            ),
            (
                """
                table("rows") {
                    label("a") // bad
                }
                """, #"only columns stand in a table: write cell("field")"#
            ),
            (
                """
                table("rows") { cell("a") }.header {
                    cell("a") // bad
                }
                """, #"only headings stand here: write heading("Text")"#
            ),
            (
                """
                page {
                    print("a") // bad
                    label("b")
                }
                """, "nothing is made here: write this statement before the braces"
            ),
            (
                #"button("a").method(viewCustomer) // bad"#,
                "this method takes an input: write viewCustomer(CustomerID(id: 7)), or .formdata()"
            ),
            (
                #"menuEntry("a", viewCustomer) // bad"#,
                "this method takes an input: write viewCustomer(CustomerID(id: 7)), or .formdata()"
            ),
            (
                """
                barButton(.right) {
                    menuEntry(viewCustomer) // bad
                }
                """, "this method takes an input: write viewCustomer(CustomerID(id: 7)), or .formdata()"
            ),
            (
                """
                form(id: "f") { checkbox(name: "a") }
                    .cancel(viewCustomer) // bad
                """, "this method takes an input: write it, as in viewCustomer(CustomerID(id: 7))"
            ),
            (#"button("a").method(viewCustomr) // bad"#, "cannot find 'viewCustomr' in scope"),
            (
                #"button("a").method(viewCustomer(7)) // bad"#,
                "cannot convert value of type 'Int' to expected argument type 'CustomerID'"
            ),
            (
                #"button("a").method(rows) // bad"#,
                "cannot convert value of type 'TableMethod<Query>' to expected argument type 'Method<Void>'"
            ),
            (
                #"table(rows) { cell("a") } // bad"#,
                "this table needs a query: write it after the method, as in table(rows, CustomerQuery(…))"
            ),
            (
                """
                table("rows") { cell("a") }
                    .clickRow(viewCustomer) // bad
                """, #"this method takes an input: name the field of the row, as in by: \.id"#
            ),
            (
                """
                table("rows") { cell("a") }
                    .clickRow(viewCustomer, by: \\.idd) // bad
                """, "value of type 'CustomerID' has no member 'idd'"
            ),
            (
                #"app.method(home) { _ in label("a") } // bad"#,
                #"a method returns a page: write page("Title") { … } around the components"#
            ),
            (
                #"app.method(home) { _ in "a" } // bad"#,
                "cannot convert value of type 'String' to closure result type 'Page'"
            ),
            (
                #"app.method(viewCustomer) { call in page { label("a") } } // bad"#,
                "this method takes an input: write { input, call in … }"
            ),
            (
                "app.table(rows) { offset, limit, call in [Query()] } // bad",
                "this table has a query: write { query, offset, limit, call in … }"
            ),
            (#"textbox(\.nam, of: Query()) // bad"#, "value of type 'Query' has no member 'nam'"),
            (#"FormErrors(\Query.nam, "is taken") // bad"#, "type 'Query' has no member 'nam'"),
            ("app.group(RequireLogin) { _ in } // bad", "does not conform to expected type 'CallGuard'"),
        ]
    )
}
