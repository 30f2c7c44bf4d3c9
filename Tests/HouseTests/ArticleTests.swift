import Testing

/// The README and the articles: their code is compiled, and their links lead somewhere.
@Suite(.timeLimit(.minutes(5))) struct ArticleTests {
    private static let catalogue = "Sources/Backlot/Backlot.docc"
    private static let decisions: [String] = (try? Repository.files(in: "Decisions") { $0.hasSuffix(".md") }) ?? []
    private static let pages =
        [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "AGENTS.md",
            "Examples/README.md",
        ] + decisions

    /// Every article of every catalogue.
    private static let articles: [String] =
        (try? Repository.files(in: "Sources") { $0.hasSuffix(".md") && $0.contains(".docc/") }) ?? []

    @Test(arguments: [("README.md", 110), ("ARCHITECTURE.md", 120)] + decisions.map { ($0, 40) })
    func `A page for readers without time is short`(page: String, limit: Int) throws {
        #expect(try Repository.text(page).split(separator: "\n").count <= limit, "\(page)")
    }

    /// A block is compiled if its lines follow each other in a Swift file that tests build, however they are indented. Imports at
    /// its beginning may stand elsewhere in that file.
    @Test(arguments: pages + articles)
    func `All Swift code of an article is compiled`(article: String) throws {
        for block in try Repository.text(article).blocks(of: "swift") {
            let lines = block.codeLines
            let imports = lines.prefix { $0.hasPrefix("import ") }
            let isCompiled = Self.compiled.contains { file in
                imports.allSatisfy(file.contains) && file.contains(Array(lines.dropFirst(imports.count)))
            }
            #expect(isCompiled, "\(article): put this code into a file of Tests/DocumentationTests:\n\(block)")
        }
    }

    private static let compiled: [[String]] =
        (["Examples", "Tests/BacklotTestingTests", "Tests/BacklotTests/Guide", "Tests/DocumentationTests"]
        .flatMap { (try? Repository.swiftFiles(in: $0)) ?? [] })
        .compactMap { try? Repository.text($0).codeLines }

    @Test(arguments: articles)
    func `Every link between articles and every picture is there`(article: String) throws {
        let text = try Repository.text(article)
        let folder = article.prefix { $0 != "." } + ".docc"
        let names = Set(Self.articles.map { String($0.fileName.dropLast(3)) })
        for link in text.parts(between: "<doc:", and: ">") where !link.hasPrefix("/") {
            #expect(names.contains(String(link.prefix { $0 != "#" })), "\(article): <doc:\(link)>")
        }
        let pictures = try Repository.files(in: String(folder)) { $0.hasSuffix(".png") || $0.hasSuffix(".svg") }.map(
            \.fileName
        )
        for picture in text.parts(between: "![", and: ")").compactMap({ $0.split(separator: "](").last }) {
            let name = picture.prefix { $0 != "." }
            #expect(pictures.contains { $0.prefix { $0 != "." } == name }, "\(article): \(picture)")
        }
    }

    @Test(arguments: pages)
    func `Every link of a page leads to a file`(page: String) throws {
        let folder = page.dropLast(page.fileName.count)
        for link in try Repository.text(page).parts(between: "](", and: ")") where !link.contains("://") {
            #expect(Repository.exists("\(folder)\(link.prefix { $0 != "#" })"), "\(page): \(link)")
        }
    }

    @Test func `The list of decisions names every decision`() throws {
        let list = try Repository.text("Decisions/README.md")
        #expect(Self.decisions.count > 10)
        for page in Self.decisions where page.fileName != "README.md" {
            #expect(list.contains("](\(page.fileName)) |"), "\(page)")
        }
    }

    /// In other places, a reader would need the same explanation again.
    @Test func `The account that publishes the repository is named in one place`() throws {
        let texts = try (Self.pages + Self.articles + Repository.files(in: ".github") { $0.hasSuffix(".yml") })
            .filter { try Repository.text($0).contains("OWNER/") }
        #expect(texts == ["README.md"])
        #expect(try Repository.text("README.md").parts(between: "OWNER/", and: "\n").count == 1)
    }

    @Test(arguments: articles) func `Agents read what each article is about`(article: String) throws {
        guard article != "\(Self.catalogue)/Backlot.md" else { return }
        let paragraphs = try Repository.text(article).split(separator: "\n\n")
        let line = "](\(article)): \(paragraphs[1].replacing("\n", with: " "))\n"
        for page in ["AGENTS.md", "llms.txt"] {
            #expect(try Repository.text(page).contains(line), "\(page) isn't fresh: run .ci/agents")
        }
    }

    @Test func `Agents read the rules and commands that people read`() throws {
        let (contributing, agents) = (try Repository.text("CONTRIBUTING.md"), try Repository.text("AGENTS.md"))
        let parts =
            contributing.parts(between: "## House rules\n\n", and: "\n\n## ")
            + contributing.parts(between: "While you work:\n\n", and: "\n\n")
        #expect(parts.count == 2)
        for part in parts { #expect(agents.contains(part), "AGENTS.md isn't fresh: run .ci/agents") }
    }

    @Test func `The landing page lists every article`() throws {
        let landing = try Repository.text("\(Self.catalogue)/Backlot.md")
        for article in Self.articles where article.hasPrefix(Self.catalogue) && !article.hasSuffix("/Backlot.md") {
            #expect(landing.contains("- <doc:\(article.fileName.dropLast(3))>\n"), "\(article)")
        }
    }

    @Test(arguments: pages + articles)
    func `Every example that a page or article names is there`(page: String) throws {
        for path in try Repository.text(page).parts(between: "`Examples/", and: "`") {
            #expect(Repository.exists("Examples/\(path)"), "\(page): Examples/\(path)")
        }
    }

    @Test func `Every small example is short, says how to run it, and is in the list`() throws {
        let list = try Repository.text("Examples/README.md")
        let package = try Repository.text("Examples/Small/Package.swift")
        let files = try Repository.swiftFiles(in: "Examples/Small/Sources")
        #expect(files.count >= 16)
        for file in files {
            let text = try Repository.text(file)
            let name = try #require(package.parts(between: "(\"", and: "\", \"\(file.fileName)\"").first, "\(file)")
            #expect((15...80).contains(text.count { $0 == "\n" }), "\(file)")
            #expect(text.hasPrefix("// "), "\(file)")
            #expect(text.contains("`swift run --package-path Examples/Small \(name)"), "\(file)")
            #expect(list.contains("| [\(name)](Small/Sources/\(file.fileName)) |"), "\(file)")
        }
    }

    @Test func `Every product has a catalogue, which the package index builds too`() throws {
        let products = try Repository.text("Package.swift").parts(between: "\n        library(\"", and: "\"")
        let index = try Repository.text(".spi.yml")
        #expect(products.count > 10)
        for product in products {
            #expect(index.contains("        - \(product)\n"))
            #expect(Repository.exists("Sources/\(product)/\(product).docc/\(product).md"), "\(product)")
        }
    }

    @Test func `ARCHITECTURE.md names every module, and only files and folders that are there`() throws {
        let text = try Repository.text("ARCHITECTURE.md")
        let roots = ["Sources/", "Tests/", "Fuzzing/", "Examples/"]
        let paths = text.split(separator: "`").filter { part in
            roots.contains { part.hasPrefix($0) } && !part.contains("…")
        }
        #expect(paths.count > 60)
        for path in paths { #expect(Repository.exists(String(path)), "\(path)") }
        for module in Set(try Repository.swiftFiles(in: "Sources").map { $0.split(separator: "/")[1] }) {
            #expect(text.contains("\n| `Sources/\(module)` |"), "\(module)")
        }
    }
}

extension StringProtocol {
    /// The file's name in a path.
    fileprivate var fileName: SubSequence { self[(lastIndex(of: "/").map { index(after: $0) } ?? startIndex)...] }

    /// The lines without empty ones and conditions of the compiler. Blanks in a row count as one, and `private` at the start for
    /// nothing.
    fileprivate var codeLines: [String] {
        split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty && !$0.hasPrefix("#if") && $0 != "#endif" }
            .map { String($0.trimmingPrefix("private ")) }
    }

    /// The texts between two marks, in their order.
    fileprivate func parts(between start: String, and end: String) -> [Substring] {
        Substring(self).split(separator: start, omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstRange(of: end).map { part[..<$0.lowerBound] }
        }
    }

    /// The fenced blocks of a language.
    fileprivate func blocks(of language: String) -> [Substring] { parts(between: "\n```\(language)\n", and: "\n```") }
}

extension [String] {
    /// Whether other lines follow each other in these.
    fileprivate func contains(_ lines: [String]) -> Bool {
        guard let first = lines.first, lines.count <= count else { return lines.isEmpty }
        return indices.dropLast(lines.count - 1).contains { index in
            self[index] == first && self[index..<(index + lines.count)].elementsEqual(lines)
        }
    }
}
