import Testing

/// The README and the articles: their code is compiled, and their links lead somewhere.
@Suite(.timeLimit(.minutes(5))) struct ArticleTests {
    private static let catalogue = "Sources/Backlot/Backlot.docc"
    private static let pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Examples/README.md"]

    /// Every article of every catalogue.
    private static let articles: [String] =
        (try? Repository.files(in: "Sources") { $0.hasSuffix(".md") && $0.contains(".docc/") }) ?? []

    @Test func `The README is short`() throws {
        #expect(try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
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

    @Test func `The landing page lists every article`() throws {
        let landing = try Repository.text("\(Self.catalogue)/Backlot.md")
        for article in Self.articles where article.hasPrefix(Self.catalogue) && !article.hasSuffix("/Backlot.md") {
            #expect(landing.contains("- <doc:\(article.fileName.dropLast(3))>\n"), "\(article)")
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
        let products = try Repository.text("Package.swift").parts(between: ".library(name: \"", and: "\"")
        let index = try Repository.text(".spi.yml")
        #expect(products.count > 10)
        for product in products {
            #expect(index.contains("        - \(product)\n"))
            #expect(Repository.exists("Sources/\(product)/\(product).docc/\(product).md"), "\(product)")
        }
    }

    @Test func `Every folder and file that the table of modules names is there`() throws {
        let text = try Repository.text("\(Self.catalogue)/Articles/FindYourWay.md")
        let paths = text.split(separator: "\n").compactMap { line -> Substring? in
            line.hasPrefix("| `") ? line.dropFirst(3).prefix { $0 != "`" } : nil
        }
        #expect(paths.count > 20)
        for path in paths { #expect(Repository.exists(String(path)), "\(path)") }
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
