import Applin
import Foundation
import Testing

/// What the compiler says about mistakes: the snippets are compiled against the module that this test is linked with.
@Suite(.enabled(if: Snippet.modules != nil, "the compiled modules are not beside the test bundle"))
struct BuilderDiagnosticsTests {
    @Test(arguments: Snippet.bad.indices)
    func mistakesAreExplainedOnTheirLine(_ index: Int) throws {
        let snippet = Snippet.bad[index]
        let errors = try Snippet.errors.get().filter { snippet.lines.contains($0.line) }
        #expect(errors.contains { $0.line == snippet.badLine && $0.message.contains(snippet.message) }, "\(errors)")
        #expect(errors.allSatisfy { $0.message.contains(snippet.message) }, "\(errors)")
    }

    @Test func goodSnippetsCompile() throws {
        let errors = try Snippet.errors.get()
        #expect(errors.filter { $0.line <= Snippet.goodLines } == [])
    }
}

private struct Snippet {
    struct CompilerError: Equatable {
        let line: Int
        let message: String
    }

    let message: String
    /// Where the snippet stands in the file, from 1.
    let lines: ClosedRange<Int>
    /// The line that ends in `// bad`.
    let badLine: Int

    /// What must compile, so that the test doesn't pass because nothing does.
    private static let good = """
        import Applin
        import Backlot
        func good(_ flag: Bool) -> any Page { navPage("a") { scroll { form { text("b"); if flag { text("c") } } } } }
        func goodChoices(_ flag: Bool) -> any Page { navPage("a") { flag ? text("b") : button("c") { flag ? push("/d") : pop() } } }
        func goodRefusal(_ app: ApplinApp) { app.rpc("/a") { _ in throw UserError("No.") } }
        final class Counter { var count = 0 }
        actor Store { var names: [String] = [] }
        struct Entry: Decodable { let name: String }
        """

    static let goodLines = 8

    private static let mistakes: [(code: String, message: String)] = [
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
                textfield("b").labell("c") // bad
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
        (
            """
            navPage("a") // bad
            """, "write its widget between braces: navPage(\"Terms\") { text(\"None.\") }"
        ),
        (
            """
            plainPage("a") // bad
            """, "write its widget between braces: plainPage(\"Terms\") { text(\"None.\") }"
        ),
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
            """, "an rpc's answer is empty: return nothing, and throw UserError(…) to refuse"
        ),
        (
            """
            app.rpc("/a") { _ in // bad
                navPage("a") { text("b") }
            }
            """, "an rpc's answer is empty: return nothing, and throw UserError(…) to refuse"
        ),
        (
            """
            app.page("/a") { request in
                let user = try request.session.user // bad
                return navPage("a") { text(user ?? "") }
            }
            """, "expression is 'async' but is not marked with 'await'"
        ),
        (
            """
            app.page("/a") { request in
                let entry = try request.variables(as: Entry.self) // bad
                return navPage("a") { text(entry.name) }
            }
            """, "expression is 'async' but is not marked with 'await'"
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
            """, "expression is 'async' but is not marked with 'await'"
        ),
        (
            """
            form {
                textfield(Variable<Bool>("agree")) // bad
            }
            """, "cannot convert value of type 'Variable<Bool>' to expected argument type 'Variable<String>'"
        ),
        (
            """
            form {
                text(nil as String?) // bad
            }
            """, "must be unwrapped to a value of type 'String'"
        ),
    ]

    static let bad: [Snippet] = {
        var next = goodLines + 2
        return mistakes.map { mistake in
            let lines = mistake.code.split(separator: "\n")
            let badLine = lines.firstIndex { $0.hasSuffix("// bad") } ?? 0
            defer { next += lines.count + 2 }
            return Snippet(message: mistake.message, lines: next...next + lines.count - 1, badLine: next + badLine)
        }
    }()

    /// All snippets in one file, each in a function of its own.
    private static var source: String {
        let functions = mistakes.enumerated().map { index, mistake in
            "func bad\(index)(_ flag: Bool, _ app: ApplinApp) { let _: Any =\n\(mistake.code)\n}"
        }
        return ([good] + functions).joined(separator: "\n")
    }

    /// The folder of the compiled modules: beside the test bundle, which is an argument of this process.
    static let modules: String? = CommandLine.arguments
        .compactMap { argument in
            let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
            guard let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) else { return nil }
            return parts[..<bundle].joined(separator: "/") + "/Modules"
        }
        .first { FileManager.default.fileExists(atPath: $0 + "/Applin.swiftmodule") }

    /// Where the C modules are that the compiled modules rest on.
    private static let headers: [String] = {
        let sources = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources").path
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
        return folders.map { "\(sources)/\($0)" }.filter {
            FileManager.default.fileExists(atPath: "\($0)/module.modulemap")
        }
    }()

    /// What the compiler finds wrong, in one run for all snippets.
    static let errors = Result { () throws -> [CompilerError] in
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("snippets-\(UUID()).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let compiler = Process()
        let output = Pipe()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-Werror",
                "DeprecatedDeclaration", "-I", modules ?? "",
                file.path,
            ] + headers.flatMap { ["-I", $0] }
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return text.split(separator: "\n").compactMap { line in
            // snippets-….swift:12:5: error: what is wrong
            let parts = line.components(separatedBy: ": error: ")
            guard parts.count == 2, parts[0].contains(".swift:") else { return nil }
            let place = parts[0].split(separator: ":")
            guard place.count >= 3, let number = Int(place[place.count - 2]) else { return nil }
            return CompilerError(line: number, message: parts[1])
        }
    }
}
