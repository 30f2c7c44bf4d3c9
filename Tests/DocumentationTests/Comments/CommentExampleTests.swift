import Foundation
import TestSupport
import Testing

/// The examples of the comments of public declarations: they compile, and the functions and types that people use most have one.
@Suite(.timeLimit(.minutes(5))) struct CommentExampleTests {
    @Test(.enabled(if: CompilerSnippets.modules != nil, "the compiled modules are not beside the test bundle"))
    func `Every example compiles`() async throws {
        let modules = Dictionary(grouping: SourceComment.all.filter { !$0.examples.isEmpty }, by: \.module)
        #expect(modules.count > 15)
        // An error on purpose shows that the compiler came as far as to look at all files.
        let mistake = "#sourceLocation(file: \"mistake.swift\", line: 1)\nlet mistake: Int = \"\"\n"
        let texts = modules.map { Self.code(module: $0.key, comments: $0.value) }
        let errors = try await CompilerSnippets.errors(
            in: [CommentContext.shared, mistake] + texts,
            options: ["-wmo"] + Self.options
        )
        #expect(errors.contains { $0.file == "mistake.swift" })
        for error in errors where error.file != "mistake.swift" { Issue.record("\(error)") }
    }

    /// The examples of a module as a file.
    private static func code(module: String, comments: [SourceComment]) -> String {
        let imports = ["Backlot", "BacklotTesting", "Foundation", "Logging", "Testing", module].map { "import \($0)\n" }
        let examples = comments.flatMap { comment in comment.examples.map { (comment.file, $0) } }
        return imports.joined() + (CommentContext.modules[module] ?? "")
            + examples.enumerated().map { "\n" + code($1.0, $1.1, "\(module)\($0)") }.joined()
    }

    /// An example as code of a file: a function, but extensions, programs and tests stand before it.
    private static func code(_ file: String, _ example: SourceComment.Example, _ name: String) -> String {
        let first = example.lines.first ?? ""
        let outside =
            ["extension ", "@main", "@Test", "@Suite"].contains { first.hasPrefix($0) }
            ? (example.lines.firstIndex(of: "}") ?? 0) + 1 : 0
        func part(_ lines: ArraySlice<Substring>) -> String {
            let place = "#sourceLocation(file: \"\(file)\", line: \(example.line + lines.startIndex))"
            return "\(place)\n\(lines.joined(separator: "\n"))\n#sourceLocation()\n"
        }
        return part(example.lines[..<outside])
            + "func example\(name)() async throws {\n\(part(example.lines[outside...]))}\n"
    }

    /// The modules in C that the compiled modules rest on and that aren't in Sources, or have no map there.
    private static let options: [String] = {
        let modules = URL(filePath: CompilerSnippets.modules ?? "").resolvingSymlinksInPath()
        let map = modules.appending(path: "../CPreviewFiles.build/module.modulemap").standardizedFileURL.path
        let checkouts = modules.appending(path: "../../../checkouts").standardizedFileURL.path
        return ["-Xcc", "-fmodule-map-file=\(map)", "-I", "\(checkouts)/swift-numerics/Sources/_NumericsShims/include"]
    }()

    @Test(arguments: ["A2UIServing", "Applin", "DynamicViews", "Floki", "Xpedite"])
    func `Every function of a protocol's DSL has an example`(module: String) {
        let functions = SourceComment.all.filter { $0.module == module && $0.declaration.hasPrefix("public func ") }
        let names = Dictionary(grouping: functions) { function in
            String(function.declaration.dropFirst("public func ".count).prefix { $0.isLetter })
        }
        #expect(names.count > 5)
        for (name, functions) in names.sorted(by: { $0.key < $1.key }) where functions.allSatisfy(\.examples.isEmpty) {
            Issue.record("\(functions[0].file): give \(name)(…) an example, in a block that begins with /// ```swift")
        }
    }

    @Test func `Every type that the code of articles uses has an example`() throws {
        let words = try SourceComment.files(".md").reduce(into: Set<Substring>()) { words, article in
            for block in try SourceComment.text(article).split(separator: "\n```swift\n").dropFirst() {
                words.formUnion(block.split(separator: "\n```", maxSplits: 1)[0].split { !$0.isLetter })
            }
        }
        #expect(words.count > 500)
        let declaration = /^(?:public (?:final |indirect )?(?:struct|class|enum|actor|protocol|typealias) )(\w+)/
        let types = SourceComment.all.compactMap { comment in
            comment.declaration.prefixMatch(of: declaration).map { (name: $0.1, comment) }
        }
        for (name, types) in Dictionary(grouping: types, by: \.name).sorted(by: { $0.key < $1.key })
        where words.contains(name) && types.allSatisfy(\.1.examples.isEmpty) {
            Issue.record("\(types[0].1.file): give \(name) an example, in a block that begins with /// ```swift")
        }
    }

    /// Lists of symbols show summaries without what stands around the declaration.
    @Test func `Every summary stands alone`() {
        #expect(SourceComment.all.count > 3000)
        for comment in SourceComment.all
        where comment.summary.prefixMatch(of: /(Its|Their|They|It|The same|Same|As above|Likewise|Also|Otherwise)\b/)
            != nil
        {
            Issue.record("\(comment.file): name what '\(comment.summary)' is about")
        }
    }
}
