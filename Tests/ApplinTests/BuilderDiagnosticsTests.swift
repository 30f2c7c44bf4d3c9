import Applin
import TestSupport
import Testing

/// The compiler's messages about mistakes.
@Suite(
    .enabled(if: CompilerSnippets.modules != nil, "the compiled modules are not beside the test bundle"),
    .timeLimit(.minutes(5))
)
struct BuilderDiagnosticsTests {
    @Test(arguments: snippets.mistakes.indices)
    func `The compiler explains a mistake on its line`(_ index: Int) async throws {
        let mistake = Self.snippets.mistakes[index]
        let errors = try await Self.errors.value.filter { mistake.lines.contains($0.line) }
        #expect(errors.contains { $0.line == mistake.badLine && $0.message.contains(mistake.message) }, "\(errors)")
        #expect(errors.allSatisfy { $0.message.contains(mistake.message) }, "\(errors)")
    }

    @Test func `Good snippets compile`() async throws {
        let errors = try await Self.errors.value
        #expect(errors.filter { $0.line <= Self.snippets.goodLines } == [])
    }

    private static let errors = Task { try await snippets.compile() }

    private static let snippets = CompilerSnippets(
        good: """
            import Applin
            import Backlot
            func good(_ flag: Bool) -> any Page { navPage("a") { scroll { form { text("b"); if flag { text("c") } } } } }
            func goodChoices(_ flag: Bool) -> any Page { navPage("a") { flag ? text("b") : button("c") { flag ? push("/d") : pop() } } }
            func goodRefusal(_ app: ApplinApp) { app.rpc("/a") { _ in throw UserError("No.") } }
            final class Counter { var count = 0 }
            actor Store { var names: [String] = [] }
            struct Entry: Decodable { let name: String; let isNew: Bool }
            let plain = PageRoute<Never>("/plain")
            let numbered = PageRoute<Int>("/numbered/{id}")
            let save = RPCRoute<Never>("/save")
            func goodLinks() -> any Page { formPage("a") { navButton("b", push(plain)); navButton("c", push(numbered, id: 7), rpc(save)) } }
            func goodForm(_ form: FormFields<Entry>) -> any Page { formPage("a") { form.textfield("b", \\.name).maxLines(1); form.checkbox("c", \\.isNew) } }
            """,
        opening: "(_ flag: Bool, _ app: ApplinApp) { let _: Any =",
        [
            (
                """
                form {
                    "hello" // bad
                }
                """, "a string is not a widget: write text(…)"
            ),
            (
                """
                scroll {
                    "hello" // bad
                }
                """, "a string is not a widget: write text(…)"
            ),
            (
                """
                form {
                    text("a")
                    push("/a") // bad
                }
                """, "an action is not a widget: write it between the braces of a button"
            ),
            (
                """
                scroll {
                    pop() // bad
                }
                """, "an action is not a widget: write it between the braces of a button"
            ),
            (
                """
                button("a") {
                    pop()
                    text("b") // bad
                }
                """, "a widget is not an action: write it outside of these braces"
            ),
            (
                """
                button("a") {
                    "push:/a" // bad
                }
                """, "a string is not an action: write push(…), rpc(…), pop() or another action"
            ),
            (
                """
                scroll { // bad
                    text("a")
                    text("b")
                }
                """, "only one widget belongs here: put them into column { … } or form { … }"
            ),
            (
                """
                navPage("a") { // bad
                    text("a")
                    text("b")
                }
                """, "only one widget belongs here: put them into column { … } or form { … }"
            ),
            ("scroll {} // bad", "one widget belongs here: write it, or empty() for nothing"),
            (
                """
                scroll {
                    if flag { // bad
                        text("a")
                    }
                }
                """, "one widget belongs here in any case: add else { … }, or else { empty() }"
            ),
            (
                """
                scroll {
                    for _ in 0..<3 {
                        text("a")
                    } // bad
                }
                """, "only one widget belongs here: put the loop into column { … } or form { … }"
            ),
            (
                """
                form {
                    text("a")
                    textfield("b", varName: "b").labell("c") // bad
                    text("d")
                }
                """, "value of type 'TextField' has no member 'labell'"
            ),
            (
                """
                navPage("a") {
                    scroll {
                        form {
                            navButton("b") {
                                pushh("/c") // bad
                            }
                            text("d")
                        }
                    }
                }
                """, "cannot find 'pushh' in scope"
            ),
            (
                """
                navPage("a") { empty() }
                    .start { text("b") } // bad
                """, "only a back button or nothing can be there: write backButton { … } or empty()"
            ),
            (
                """
                form {
                    backButton { pop() } // bad
                }
                """, "a back button stands only at a page's start: navPage(…) { … }.start { backButton { … } }"
            ),
            (
                """
                scroll {
                    backButton { pop() } // bad
                }
                """, "a back button stands only at a page's start: navPage(…) { … }.start { backButton { … } }"
            ),
            (
                """
                form {
                    text("a")
                    navPage("b") { text("c") } // bad
                }
                """, "a page can't stand in a page: add it with app.page(…), and lead to it with push(…)"
            ),
            (
                """
                scroll {
                    navPage("b") { text("c") } // bad
                }
                """, "a page can't stand in a page: add it with app.page(…), and lead to it with push(…)"
            ),
            (
                """
                button("a") {
                    navPage("b") { text("c") } // bad
                }
                """, "a page is not an action: add it with app.page(…), and lead to it with push(…)"
            ),
            (
                """
                form {
                    print("here") // bad
                    text("a")
                }
                """, "only widgets stand here: write this above the page, or as let _ = print(…)"
            ),
            (
                """
                button("a") {
                    pop()
                    print("here") // bad
                }
                """, "only actions stand here: write this above the page, or as let _ = print(…)"
            ),
            (
                """
                form {
                    formButton("Save") // bad
                }
                """, "write its actions between braces: formButton(\"Save\") { rpc(\"/save\") }"
            ),
            (
                """
                form {
                    button("Save") // bad
                }
                """, "write its actions between braces: button(\"Save\") { rpc(\"/save\") }"
            ),
            (
                """
                form {
                    navButton("Terms") // bad
                }
                """, "write its actions between braces: navButton(\"Terms\") { push(\"/terms\") }"
            ),
            (
                """
                modal("Remove it?") {
                    modalButton("Yes") // bad
                }
                """, "write its actions between braces: modalButton(\"Yes\") { rpc(\"/remove\") }"
            ),
            (#"navPage("a") // bad"#, "write its widget between braces: navPage(\"Terms\") { text(\"None.\") }"),
            (#"plainPage("a") // bad"#, "write its widget between braces: plainPage(\"Terms\") { text(\"None.\") }"),
            (
                """
                navButton("a") {
                    push(navPage("b") { text("c") }) // bad
                }
                """, "write the page's path: push(\"/terms\")"
            ),
            (
                """
                navButton("a") {
                    replaceAll(plainPage { text("c") }) // bad
                }
                """, "write the page's path: replaceAll(\"/\")"
            ),
            (
                """
                app.page("/a") { _ in // bad
                    "Hello"
                }
                """, "a string is not a page: write navPage(\"Title\") { text(…) }"
            ),
            (
                """
                app.page("/a") { _ in // bad
                    scroll { text("Hello") }
                }
                """, "a widget is not a page: write navPage(\"Title\") { … } around it"
            ),
            (
                """
                app.rpc("/a") { _ in // bad
                    Response.text("Saved.")
                }
                """, "an rpc's response is empty: return nothing, and throw UserError(…) to refuse"
            ),
            (
                """
                app.rpc("/a") { _ in // bad
                    navPage("a") { text("b") }
                }
                """, "an rpc's response is empty: return nothing, and throw UserError(…) to refuse"
            ),
            (
                """
                app.page("/a") { request in
                    let user = try request.session.user // bad
                    return navPage("a") { text(user ?? "") }
                }
                """, "'async' property access in a function that does not support concurrency"
            ),
            (
                """
                app.page("/a") { request in
                    let entry = try request.variables(as: Entry.self) // bad
                    return navPage("a") { text(entry.name) }
                }
                """, "'async' call in a function that does not support concurrency"
            ),
            (
                """
                app.rpc("/a") { request in
                    try request.session.logIn(user: "ann") // bad
                }
                """, "expression is 'async' but is not marked with 'await'"
            ),
            (
                """
                app.get("/a") { request in
                    .text(try request.session.user ?? "") // bad
                }
                """, "'async' property access in a function that does not support concurrency"
            ),
            (
                """
                form {
                    textfield("I agree", Variable<Bool>("agree")) // bad
                }
                """, "cannot convert value of type 'Variable<Bool>' to expected argument type 'Variable<String>'"
            ),
            (
                """
                form {
                    textfield("city").label("City") // bad
                }
                """, "labels come first: write textfield(\"Name\", varName: \"name\")"
            ),
            (
                """
                form {
                    checkbox("agree") // bad
                }
                """, "labels come first: write checkbox(\"I agree\", varName: \"agree\")"
            ),
            (
                """
                form {
                    selector("size", options: ["S"], initialString: nil) // bad
                }
                """, "labels come first: selector(\"Size\", varName: \"size\", options: …, initialValue: …)"
            ),
            (
                """
                form {
                    textfield("City", varName: "city").initialString("a") // bad
                }
                """, "'initialString' is deprecated: renamed to 'initialValue'"
            ),
            (
                """
                app.page("/a", check: FormValidator(Entry.self)) { form, _ in
                    formPage("a") {
                        form.textfield("b", \\.nam) // bad
                    }
                }
                """, "value of type 'Entry' has no member 'nam'"
            ),
            (
                """
                app.page("/a", check: FormValidator(Entry.self)) { form, _ in
                    formPage("a") {
                        form.textfield("b", \\.isNew) // bad
                    }
                }
                """, "a boolean is not typed: write form.checkbox(…)"
            ),
            (
                """
                app.page("/a", check: FormValidator(Entry.self)) { form, _ in
                    formPage("a") {
                        form.checkbox("b", \\.name) // bad
                    }
                }
                """, "'KeyPath<Entry, String>' to expected argument type 'KeyPath<Entry, Bool>'"
            ),
            (
                """
                formPage("a") {
                    navButton("b", push(numbered)) // bad
                }
                """, "the page's path has a parameter: write push(page, id: …)"
            ),
            (
                """
                formPage("a") {
                    navButton("b", push(numbered, id: "7")) // bad
                }
                """, "cannot convert value of type 'String' to expected argument type 'Int'"
            ),
            (
                """
                formPage("a") {
                    navButton("b", push(save)) // bad
                }
                """, "this is an rpc: write rpc(…)"
            ),
            (
                """
                formPage("a") {
                    formButton("b", pop(), text("c")) // bad
                }
                """, "argument type 'Text' does not conform to expected type 'Action'"
            ),
            (
                """
                formPage("a") {
                    formButton("b", pop(), "poll") // bad
                }
                """, "argument type 'String' does not conform to expected type 'Action'"
            ),
            (
                """
                formPage("a", start: text("b")) { // bad
                    text("c")
                }
                """, "argument type 'Text' does not conform to expected type 'NavPageStart'"
            ),
            (
                """
                groupedRowTable {
                    row("a", "b") // bad
                }
                """, "argument type 'String' does not conform to expected type 'Widget'"
            ),
            (
                """
                groupedRowTable {
                    row {
                        "a" // bad
                    }
                }
                """, "a string can't stand here: write text(…)"
            ),
            (
                """
                form {
                    text(nil as String?) // bad
                }
                """, "must be unwrapped to a value of type 'String'"
            ),
        ]
    )
}
