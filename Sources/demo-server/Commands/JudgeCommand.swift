import Applin
import Backlot
import BacklotService

/// The command `demo-server judge`, which lists the clients that load a page.
struct JudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Says which released Applin clients load a page, and why others don't.",
        discussion: """
            A file holds a page, the body of an answer ({"page":{…}}), or JSON lines {"id":…,"page":BODY}; it may be \
            compressed with gzip. '-' stands for standard input.

            Exit status: 0 when the clients that --clients names load all pages, 1 when one of them doesn't, \
            64 wrong arguments.
            """
    )

    /// The format of the verdicts.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(help: "The format of the verdicts: text, or json for programs, with one line for each page.")
    var format = Format.text

    @Option(help: "The oldest client that must load the pages, such as 0.34; without it, the newest alone.")
    var clients: String?

    @Option(help: "The app's base URL, for pages with absolute URLs; it ends in a slash.")
    var baseURL = "http://127.0.0.1:8080/"

    func validate() throws {
        guard clients.map({ ClientVersion($0) != nil }) ?? true else {
            throw ValidationError("--clients is '\(clients ?? "")': write a version, such as 0.34.")
        }
        guard baseURL.hasSuffix("/") else {
            throw ValidationError("--base-url is '\(baseURL)': write a URL that ends in a slash.")
        }
    }

    func run() throws {
        let oldest =
            clients.flatMap { ClientVersion($0) } ?? ReleasedClients.releases[ReleasedClients.releases.count - 1]
        var isRefused = false
        for path in files {
            for entry in try pages(in: path).entries {
                let verdicts = entry.verdicts(baseURL: baseURL)
                switch format {
                case .text: print(verdicts.text(id: entry.id))
                case .json: print(verdicts.json(id: entry.id))
                }
                isRefused = isRefused || verdicts.rejects.contains { $0.release >= oldest }
            }
        }
        if isRefused { throw ExitCode.failure }
    }

    private func pages(in path: String) throws -> PageFile {
        let bytes = try Arguments.bytes(of: path)
        do {
            return try PageFile(bytes, name: path == "-" ? "standard input" : path)
        } catch {
            let reason = (error as? any HTTPError)?.reason ?? "\(error)"
            throw ValidationError("\(path) can't be decompressed: \(reason).")
        }
    }
}
