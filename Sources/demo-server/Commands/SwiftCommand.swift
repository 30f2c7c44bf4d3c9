import A2UI
import A2UIServing
import Applin
import Backlot
import BacklotMocks
import BacklotService

/// The command `demo-server swift`, which writes a page as Swift code.
struct SwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Writes an Applin page, or a surface of A2UI, in Swift: the code that makes the same.",
        discussion: """
            A file holds a page ({"typ":…}) or the body of a response ({"page":{…}}) in JSON, or is a mock route in YAML, such as \
            card.page.yaml; the first response of a route is written. '-' stands for JSON on standard input.

            Messages of A2UI may stand in a list, in an object with "messages", or in lines. Their first surface is written, with its \
            model and its actions.

            Keys that clients don't read, and values that they don't know, are left out: comments in the code and lines on standard \
            error name them. Values that clients assume anyway are left out without a message.

            Exit status: 0 if the page is written, 1 if no code makes such a page, 64 wrong arguments.
            """
    )

    @Argument(help: "The file.", completion: .file(extensions: ["json", "yaml", "yml"]))
    var file: String

    func run() throws {
        let name = file == "-" ? "standard input" : file
        let source: SwiftSource
        let line: (String) -> Int?
        do {
            (source, line) = try isYAML ? readMock() : readJSON()
        } catch let problem as SwiftSource.ReadingError {
            StandardError.print("\(name):\(problem.line.map { "\($0):" } ?? "") \(problem.text)")
            throw ExitCode.failure
        } catch let problems as MockFileErrors {
            for problem in problems.list {
                StandardError.print("\(name):\(problem.line):\(problem.column): \(problem.text)")
            }
            throw ExitCode.failure
        }
        for omission in source.omissions {
            StandardError.print("\(name):\(line(omission.pointer).map { "\($0):" } ?? "") \(omission)")
        }
        print(source.text, terminator: "")
    }

    private var isYAML: Bool { file.hasSuffix(".yaml") || file.hasSuffix(".yml") }

    private func readJSON() throws -> (SwiftSource, (String) -> Int?) {
        let bytes = try Arguments.bytes(of: file)
        if let messages = try? A2UIInspector.document(bytes), AppProtocol.a2ui.mayBeResponse(messages) {
            do throws(DocumentError) {
                return (try SurfaceSource.source(of: messages), { _ in nil })
            } catch {
                throw SwiftSource.ReadingError(error, line: JSONPlaces(bytes).line(of: error.pointer))
            }
        }
        return (try SwiftSource.source(of: bytes, by: Self.write), { JSONPlaces(bytes).line(of: $0) })
    }

    private func readMock() throws -> (SwiftSource, (String) -> Int?) {
        _ = try Arguments.bytes(of: file)
        let mock = try MockFile(file, formats: [.applin()])
        do {
            return (try Self.write(mock.document), { mock.line(of: $0) })
        } catch {
            throw SwiftSource.ReadingError(error, line: mock.line(of: error.pointer))
        }
    }

    private static func write(_ document: JSONValue) throws(DocumentError) -> SwiftSource {
        guard let write = ApplinVocabulary.all.swiftSource else {
            throw DocumentError(pointer: "", problem: "has no form in Swift")
        }
        return try write(document)
    }
}
