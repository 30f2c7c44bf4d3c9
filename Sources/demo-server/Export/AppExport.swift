import Backlot
import BacklotClients

/// The reason why an app can't be exported.
struct ExportError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// An app of any protocol as files that a web server can serve: the responses that its clients get by GET, by path below its address.
struct AppExport {
    /// The path of the app, without a slash at its end.
    let path: String
    /// The address at which the files will be served, without a slash at its end.
    let base: String
    /// The folder with files to serve in addition; nil without one.
    var publicFiles: String?
    private(set) var files: [String: [UInt8]] = [:]
    /// Remarks on the files, for people.
    private(set) var notes: [String] = []
    /// The address of the app in this process.
    private var source: String { InProcessTransport.root.dropLast() + path }

    /// Goes through the app as its clients do.
    ///
    /// - Parameters:
    ///   - start: the path at which clients begin, below the app's path.
    ///   - adapt: removes the parts of a document that need a server, and returns the further addresses that clients request.
    /// - Throws: ``ExportError`` for responses that clients would not accept; `CancellationError` at the end of the task.
    mutating func crawl(
        _ spoken: AppProtocol,
        from start: String,
        over transport: some ClientTransport,
        adapt: (inout JSONValue, CrawlStop) -> [CrawlStop] = { _, _ in [] }
    ) async throws {
        var guide = spoken.client.guide(at: try HTTPURL("\(source)/\(start)"), GuideOptions())
        var waiting: [(stop: CrawlStop, link: PageLink?)] = [(guide.start, nil)]
        var seen: Set<CrawlStop> = []
        var findings: [Finding] = []
        while let (stop, link) = waiting.popLast() {
            let request = guide.request(for: stop)
            // Pictures are files beside the app.
            guard request.method == .get, stop.kind != "picture",
                let path = Self.path(of: "\(stop.url)", below: source),
                !isPublic(path), seen.insert(stop).inserted
            else { continue }
            var response: ClientResponse
            do throws(ClientError) {
                response = try await transport.response(to: request, limits: ClientLimits())
            } catch {
                if error == .cancelled { throw CancellationError() }
                throw ExportError("a request for /\(path) got no response: \(error)")
            }
            if var document = try? JSONValue(parsing: response.body) {
                waiting += adapt(&document, stop).map { ($0, nil) }
                response.body = document.bytes
            }
            let result = guide.take(response, of: stop)
            findings += result.findings + (result.deadLink.map { [$0(link)] } ?? [])
            add(response, path)
            waiting += result.links.reversed().filter { $0.link.kind == .page }.map { ($0.stop, $0.link) }
        }
        func texts(_ severity: Finding.Severity) -> [String] {
            findings.filter { $0.severity == severity }.map { $0.details.replacing(source, with: "") }
        }
        guard texts(.error).isEmpty else {
            let list = texts(.error).joined(separator: "\n")
            throw ExportError("clients would not accept this:\n\(list)\nnothing was written; repair the entries first")
        }
        guard !files.isEmpty else { throw ExportError("the app has no GET responses, so it needs a server") }
        notes = texts(.warning)
        repairLinks()
    }

    /// Adds a response. Servers send the file `index.html` for a folder, and know web pages by that name.
    private mutating func add(_ response: ClientResponse, _ path: String) {
        let isFolder = response.mediaType == "text/html" || path.isEmpty || path.hasSuffix("/")
        let name = isFolder ? (path.split(separator: "/") + ["index.html"]).joined(separator: "/") : path
        guard response.status.kind == .successful, files[name] == nil else { return }
        files[name] = response.body.replacing(source.utf8, with: base.utf8)
    }

    /// Changes the links of all pages to paths of files.
    private mutating func repairLinks() {
        let page = ExportedPage(path: path, base: base) { [self] in has($0) }
        for (name, bytes) in files where name.hasSuffix("index.html") {
            if let html = String(validating: bytes, as: UTF8.self) { files[name] = Array(page.repaired(html).utf8) }
        }
    }

    /// Whether a file exists for an address; true for an address elsewhere.
    private func has(_ address: String) -> Bool {
        Self.path(of: address, below: base).map {
            files.keys.contains($0) || files.keys.contains("\($0)index.html") || isPublic($0)
        } ?? true
    }

    private func isPublic(_ path: String) -> Bool {
        publicFiles.map { FileManager.default.fileExists(atPath: "\($0)/\(path)") } ?? false
    }

    /// Replaces a file.
    mutating func replace(_ name: String, with document: JSONObject) { files[name] = JSONValue.object(document).bytes }

    /// The path of an address, without its query; nil for one elsewhere.
    private static func path(of address: String, below root: String) -> String? {
        guard address.hasPrefix("\(root)/") else { return nil }
        return String(address.dropFirst(root.count + 1).prefix { $0 != "?" && $0 != "#" })
    }
}

/// Changes the links of a web page to paths of exported files. Links without a file become text.
struct ExportedPage {
    /// The path of the app on its server, without a slash at its end.
    let path: String
    /// The address of the files, without a slash at its end.
    let base: String
    /// Whether a file exists for an address below the base.
    let isThere: (_ address: String) -> Bool

    func repaired(_ html: String) -> String {
        let addresses = #/(?<name>\s(?:href|src|poster|action)\s*=\s*["']?)(?<path>\/[^"'\s>]*)/#.ignoresCase()
        let rooted = html.replacing(addresses) { match in
            guard match.path.hasPrefix("\(path)/") else { return String(match.0) }
            return "\(match.name)\(base)\(match.path.dropFirst(path.count))"
        }
        let links =
            #/<a\s(?:[^<>]*\s)?href\s*=\s*["']?(?<address>[^"'\s<>]*)[^<>]*>(?<content>(?:(?!<a\s).)*?)<\/a\s*>/#
            .ignoresCase().dotMatchesNewlines()
        return rooted.replacing(links) { match in
            let address = match.address
            // Other paths belong to the app's server.
            let isElsewhere = address.hasPrefix("/") && !address.hasPrefix("//")
            return isElsewhere || !isThere(String(address)) ? String(match.content) : String(match.0)
        }
    }
}
