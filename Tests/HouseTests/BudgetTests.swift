import Testing

/// The size of each module: lines of code, which are neither blank nor comment, beside its row in Budgets.tsv.
@Suite(.timeLimit(.minutes(5))) struct BudgetTests {
    /// A module's ceiling, or the lines that a feature may still take.
    private struct Row {
        let module: Substring?
        let lines: Int

        /// The rows of a file; `allowance<TAB>lines<TAB>feature` belongs to no module.
        static func all(in file: String) throws -> [Row] {
            try Repository.text("Tests/HouseTests/\(file)").split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                line in
                let columns = line.split(separator: "\t")
                let isAllowance = columns.first == "allowance"
                try #require(columns.count == (isAllowance ? 3 : 2), "\(file): \(line)")
                return Row(
                    module: isAllowance ? nil : columns[0],
                    lines: try #require(Int(columns[1]), "\(file): \(line)")
                )
            }
        }
    }

    private static let budgets: [Substring: Int] = {
        let rows = (try? Row.all(in: "Budgets.tsv")) ?? []
        return Dictionary(rows.compactMap { row in row.module.map { ($0, row.lines) } }, uniquingKeysWith: +)
    }()

    private static let modules: [Substring: [String]] =
        Dictionary(grouping: (try? Repository.swiftFiles(in: "Sources")) ?? []) { $0.split(separator: "/")[1] }

    @Test func `Every module has a budget, and every budget a module`() {
        #expect(Set(Self.budgets.keys) == Set(Self.modules.keys))
    }

    @Test func `Ceilings and allowances together never exceed the sum that they began with`() throws {
        let (now, start) = (try Row.all(in: "Budgets.tsv"), try Row.all(in: "Budgets.start.tsv"))
        #expect(now.allSatisfy { $0.lines >= 0 })
        #expect(now.reduce(0) { $0 + $1.lines } <= start.reduce(0) { $0 + $1.lines })
    }

    @Test(arguments: modules.keys.sorted())
    func `A module stays within its budget`(module: Substring) throws {
        let texts = try Self.modules[module, default: []].map(Repository.text)
        let lines = texts.reduce(0) { $0 + Self.codeLines(of: $1) }
        let budget = Self.budgets[module, default: 0]
        #expect(
            lines <= budget,
            "\(module) has \(lines) lines of code, \(lines - budget) more than Tests/HouseTests/Budgets.tsv allows: take some out."
        )
    }

    @Test(arguments: [
        ("let a = 1\n\n    // why\nlet b = 2 // and\n", 2),
        ("/* a\n b\n*/\nlet c = \"/*\"\n", 1),
        ("/// a\n/* b */\n", 0),
        ("", 0),
    ])
    func `Lines of code are counted without comments`(text: String, count: Int) {
        #expect(Self.codeLines(of: text) == count)
    }

    private static func codeLines(of text: String) -> Int {
        var (count, isInComment) = (0, false)
        for line in text.split(separator: "\n") {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if isInComment {
                isInComment = !line.contains("*/")
            } else if line.hasPrefix("/*") {
                isInComment = !line.contains("*/")
            } else if !line.isEmpty, !line.hasPrefix("//") {
                count += 1
            }
        }
        return count
    }
}
