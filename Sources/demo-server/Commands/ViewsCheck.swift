import ArgumentParser
import Backlot
import DynamicViews

/// `demo-server views check`
struct ViewsCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports the parts of documents that clients would refuse or ignore.",
        discussion: """
            Trailing commas and outdated types are read, but must be mended: --fix rewrites the file as strict JSON. Findings \
            name the line of the file. --dialect android applies the rules of Android clients, which differ from those of iOS \
            clients.

            Exit status: 0 if clients accept all documents, 1 if one has errors or needs --fix, 64 wrong arguments. Warnings don't count.
            """
    )

    @Argument(help: "The files.", completion: .file(extensions: ["json"]))
    var files: [String]

    @Flag(help: "Rewrite files with trailing commas or outdated types.")
    var fix = false

    @Option(
        help: """
            The clients that the documents are for: ios or android. Without it, NAME.android.json is for Android clients, and \
            any other file is for iOS clients.
            """
    )
    var dialect: Dialect.Platform?

    @Option(
        help: ArgumentHelp(
            "A file with the app's localisation keys: JSON, \"key\" = \"text\"; or a key on each line.",
            valueName: "file"
        ),
        completion: .file()
    )
    var texts: String?

    @Option(
        help: ArgumentHelp("A file with the names of the app's pictures, in the same form.", valueName: "file"),
        completion: .file()
    )
    var images: String?

    func run() throws {
        let catalogue = Catalogue(texts: try names(texts, "--texts"), images: try names(images, "--images"))
        var pages: [FindingReport.Page] = []
        var isUnmended = false
        for path in files {
            var file = CheckedViewFile(path: path)
            if let document = file.document, !document.changes.isEmpty {
                if fix {
                    let isWritten = path != "-" && (try? Arguments.write(Array(document.json.utf8), to: path)) != nil
                    guard isWritten else {
                        throw ValidationError("\(path) can't be written: name a file that this program may replace.")
                    }
                    file = CheckedViewFile(path: path)  // findings have the lines of the mended file
                }
                isUnmended = isUnmended || !fix
                let heading = fix ? "\(path), mended:" : "\(path), to be mended by --fix:"
                print(([heading] + document.changes.map { "  \($0)" }).joined(separator: "\n") + "\n")
            }
            let named = Dialect.Platform.allCases.first { path.hasSuffix(".\($0.rawValue).json") }
            let dialect = Dialect(dialect ?? named ?? .ios)
            pages.append(FindingReport.Page(path: path, findings: file.findings(dialect, catalogue)))
        }
        let report = FindingReport(pages: pages)
        print(report)
        if isUnmended || report.count(.error) > 0 { throw ExitCode.failure }
    }

    private func names(_ path: String?, _ option: String) throws -> Set<String>? {
        guard let path else { return nil }
        let bytes = try Arguments.bytes(of: path, option: "\(option) ")
        do throws(NameList.ParsingError) {
            return try NameList(parsing: bytes).names
        } catch {
            throw ValidationError("\(option) \(path) lists no names: \(error).")
        }
    }
}

/// A document of Dynamic Views in a file.
struct CheckedViewFile {
    let path: String
    /// The document; nil for any other file.
    let document: ImportedDocument?
    /// The reasons why it isn't one, and what to do.
    private var mistakes: [Finding] = []

    /// Reads a file.
    init(path: String) {
        self.path = path
        var (rule, line, message, fix) = (
            "unreadable", Int?.none, "The file can't be read.", "Name an existing file."
        )
        do {
            document = try ImportedDocument(parsing: try LineReader(path, longest: 0).readToEnd())
            return
        } catch let error as JSONParseError {
            document = nil
            (rule, line, message) = ("not-json", error.line, "It isn't JSON: \(error).")
            fix = "Mend it there; 'demo-server views check --fix' only removes trailing commas."
        } catch {
            document = nil
            if let error = error as? LineReader.ReadingError {
                (message, fix) = ("\(error.problem).", "\(error.fix.prefix(1).uppercased())\(error.fix.dropFirst()).")
            }
        }
        let place = FindingPath(page: path, line: line)
        mistakes = [Finding(.error, rule: rule, path: place, message: message, fix: fix)]
    }

    /// The findings, for clients of a dialect and an app with some texts and pictures.
    func findings(_ dialect: Dialect, _ catalogue: Catalogue) -> [Finding] {
        guard let document else { return mistakes }
        return DynamicViewsRules.findings(in: document, name: path, dialect: dialect, catalogue: catalogue)
    }
}
