import A2UI
import Applin
import Backlot
import BacklotChecks
import BacklotService

/// The command `demo-server judge`, which says whether clients accept a page or the messages of a server.
struct JudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Says which released Applin clients load a page, and what is wrong with pages of other protocols.",
        discussion: """
            A file holds a page, the body of a response ({"page":{…}}), or JSON lines {"id":…,"page":BODY}; it may be \
            compressed with gzip. '-' stands for standard input.

            A response of another protocol is recognised by its keys, or named by --protocol. That of A2UI is a message, a list, \
            an object with "messages", or JSON lines with one message each.

            Exit status: 0 when the clients that --clients names load all pages and no response has errors, 1 when not, \
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

    @Option(name: .customLong("protocol"), help: "The protocol of the files; without it, their keys decide.")
    var appProtocol: AppProtocol?

    @Option(
        help: ArgumentHelp(
            "A catalog of A2UI in JSON, for components and functions beside the basic catalog's. May be repeated.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var catalog: [String] = []

    @Option(help: "The app's base URL, for pages with absolute URLs; it ends in a slash.")
    var baseURL = "http://127.0.0.1:8080/"

    /// The newest released client.
    private static let newest = ReleasedClients.releases[ReleasedClients.releases.count - 1]

    func validate() throws {
        if let clients {
            guard let version = ClientVersion(clients) else {
                throw ValidationError("--clients is '\(clients)': write a version, such as 0.34.")
            }
            guard version <= Self.newest else {
                throw ValidationError("--clients is '\(clients)': the newest release is \(Self.newest).")
            }
        }
        guard baseURL.hasSuffix("/") else {
            throw ValidationError("--base-url is '\(baseURL)': write a URL that ends in a slash.")
        }
    }

    func run() throws {
        let oldest = clients.flatMap { ClientVersion($0) } ?? Self.newest
        var isRefused = false
        let a2ui = A2UIInspector(catalogs: try catalog.map(Self.catalog))
        for path in files {
            let bytes = try Self.content(of: path)
            if let spoken = appProtocol ?? (catalog.isEmpty ? AppProtocol.speaking(bytes) : .a2ui),
                spoken.releases == nil
            {
                let inspector: any PageInspector = spoken == .a2ui ? a2ui : spoken.inspector
                let report = FindingReport.Page(
                    path: Self.name(path),
                    findings: inspector.findings(inBody: bytes, path: Self.name(path), app: nil)
                )
                switch format {
                case .text: print(FindingReport(pages: [report]))
                case .json:
                    let findings = report.findings.map { JSONValue.object($0.json) }
                    print(JSONValue.object(["id": .string(report.path), "findings": .array(findings)]))
                }
                isRefused = isRefused || report.findings.contains { $0.severity == .error }
                continue
            }
            for entry in PageFile(bytes, name: Self.name(path)).entries {
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

    private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

    private static func catalog(_ path: String) throws -> Catalog {
        let bytes = try Arguments.bytes(of: path, option: "--catalog ")
        do {
            return try Catalog(try JSONValue(parsing: bytes))
        } catch {
            throw ValidationError("--catalog '\(path)' can't be used: \(error)")
        }
    }

    /// The bytes of a file, decompressed if it is compressed.
    private static func content(of path: String) throws -> [UInt8] {
        let bytes = try Arguments.bytes(of: path)
        do {
            return try PageFile.decompressed(bytes)
        } catch {
            let reason = (error as? any HTTPError)?.reason ?? "\(error)"
            throw ValidationError("\(path) can't be decompressed: \(reason).")
        }
    }
}

extension AppProtocol {
    /// The protocol without known releases whose response some bytes seem to be, or the first of their lines.
    fileprivate static func speaking(_ bytes: [UInt8]) -> AppProtocol? {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard let document = (try? JSONValue(parsing: bytes)) ?? (try? JSONValue(parsing: Array(line))) else {
            return nil
        }
        return all.first { $0.releases == nil && $0.mayBeResponse(document) }
    }
}
