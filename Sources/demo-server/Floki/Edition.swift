import Backlot
import BacklotClients
import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A Floki app as files, by their paths below its address.
struct Edition: Sendable {
    /// The path of the version indicator, at which clients begin.
    let indicatorPath: String
    /// The version of the app data.
    let version: Int
    let files: [String: [UInt8]]
    /// What people should know of it.
    let notes: [String]
}

/// An edition in a folder, as far as the next one needs to know it.
struct EarlierEdition: Sendable, Equatable {
    let version: Int
    /// The app data.
    let data: [UInt8]
}

/// Why there is no edition.
struct EditionProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Asks an app for everything that its clients can reach without parameters, and makes an edition of the answers.
struct EditionMaker {
    private let transport: InProcessTransport
    /// The address of the app in this process.
    private let source: String
    private let path: String
    /// The address of the edition.
    private let base: String
    private let earlier: EarlierEdition?
    private let publicFiles: String?
    private var files: [String: [UInt8]] = [:]
    private var codes: [String] = []
    private var facts = FeedFacts()
    /// The lowest ids of the windows of feeds; 0 for one without entries.
    private var windows: [String: Int64] = [:]
    private var notes: [String] = []

    /// - Parameters:
    ///   - path: the path of the app, without a slash at its end.
    ///   - base: the address at which the edition will be served, without a slash at its end.
    ///   - earlier: the edition that it replaces.
    ///   - publicFiles: the folder whose files will be in the edition, too; nil for none.
    init(
        _ transport: InProcessTransport,
        path: String,
        base: String,
        earlier: EarlierEdition?,
        publicFiles: String? = nil
    ) {
        self.transport = transport
        self.path = path
        self.publicFiles = publicFiles
        source = InProcessTransport.root.dropLast() + path
        self.base = base
        self.earlier = earlier
    }

    /// Makes the edition.
    ///
    /// - Throws: ``EditionProblem`` for what clients would not accept, and for feeds without entries; `CancellationError` at the end of
    ///   the task.
    consuming func edition() async throws -> Edition {
        let indicatorPath = FlokiConfiguration().indicatorPath
        let indicator = try await document(indicatorPath)
        let address = indicator["url"]?.string ?? ""
        guard let dataPath = path(of: address) else { throw EditionProblem("the app data is elsewhere, at \(address)") }
        let data = try await document(dataPath)
        try add(data, as: .appData, dataPath)
        codes = (data["langs"]?.array ?? []).compactMap { $0.object?.keys.first }
        facts = FlokiClient.facts(of: data.object ?? [:])
        for tab in data["tabs"]?.array ?? [] {
            try await open(tab["class_type"]?.string ?? "", tab["data"]?["main_url"]?.string, tab["data"])
        }
        guard windows.isEmpty || windows.values.contains(where: { $0 > 0 }) else {
            throw EditionProblem(
                "all feeds are empty, so nothing was written: name the store of the server with --feeds"
            )
        }
        repairLinks()
        let version = try version(Int(indicator["v"]?.number?.int64 ?? 0), of: data.bytes)
        var members = indicator.object ?? [:]
        members["v"] = .number(JSONNumber(Int64(version)))
        try add(.object(members), as: .indicator, indicatorPath)
        return Edition(indicatorPath: indicatorPath, version: version, files: files, notes: notes)
    }

    /// The version of the app data: clients take other data only with a higher one.
    private func version(_ served: Int, of data: [UInt8]) throws -> Int {
        guard let earlier else { return served }
        let version = max(served, earlier.data == data ? earlier.version : earlier.version + 1)
        guard version <= Int(Int32.max) else {
            throw EditionProblem(
                "version \(Int32.max) of the app data is the highest that clients can read: take another folder"
            )
        }
        return version
    }

    /// Adds what a tab shows, or an entry opens.
    private mutating func open(_ className: String, _ address: String?, _ data: JSONValue?) async throws {
        guard let path = address.flatMap(path) else { return }
        switch className {
        case "News_view_controller", "Gallery_view_controller":
            let kind = className.hasPrefix("News") ? FlokiRules.Document.news : .gallery
            for code in codes {
                if files[path + code] == nil { try await addFeed(path + code, kind) }
                // The window behind it.
                let more = data?["more_items_url"]?.string?.replacing("_LNG_", with: code)
                guard let older = more.flatMap(self.path), let lowest = windows[path + code], lowest > 0,
                    files[older] == nil
                else { continue }
                try await addFeed(older, kind, asking: "?l=\(lowest)")
            }
        case "Web_view_controller":
            try await addPage(path)
            for code in codes { try await addPage("\(path)\(code)/", asking: path + code) }
        default: break
        }
    }

    /// Adds a window of a feed, and what its entries open.
    private mutating func addFeed(_ path: String, _ kind: FlokiRules.Document, asking query: String = "") async throws {
        let window = try await document(path + query)
        try add(window, as: kind, path)
        let entries = window[kind == .news ? "items" : "thumbs"]?.array ?? []
        windows[path] = entries.compactMap { $0["id"]?.number?.int64 }.min() ?? 0
        for entry in entries {
            do {
                let address = entry["url"]?.string
                if let className = entry["class_type"]?.string {
                    try await open(className, address, entry["data"])
                } else if kind == .news, let page = address.flatMap(self.path), page.hasSuffix("/") {
                    try await addPage(page)
                }
            } catch let problem as EditionProblem {
                let name = "\(kind == .news ? "item" : "thumb") \(entry["id"]?.number?.int64 ?? 0)"
                throw EditionProblem("/\(path) › \(name): \(problem)")
            }
        }
    }

    /// Adds a web page, as the file that servers answer with for a folder.
    private mutating func addPage(_ path: String, asking other: String? = nil) async throws {
        let file = "\(path)index.html"
        if files[file] == nil { files[file] = try await answer(other ?? path) }
    }

    /// Makes the links of all pages lead into the edition.
    private mutating func repairLinks() {
        let complete = self
        let page = EditionPage(path: path, base: base) { complete.has($0) }
        for (name, bytes) in complete.files where name.hasSuffix("/index.html") {
            guard let html = String(validating: bytes, as: UTF8.self) else { continue }
            files[name] = Array(page.repaired(html).utf8)
        }
    }

    /// Whether there is something at an address; true for one elsewhere.
    private func has(_ address: String) -> Bool {
        guard let path = path(of: address) else { return true }
        if files[path] != nil || files["\(path)index.html"] != nil { return true }
        return publicFiles.map { FileManager.default.fileExists(atPath: "\($0)/\(path)") } ?? false
    }

    /// The path of an address in the edition, without its query; nil for one elsewhere.
    private func path(of address: String) -> String? {
        guard address.hasPrefix("\(base)/") else { return nil }
        return String(address.dropFirst(base.count + 1).prefix { $0 != "?" && $0 != "#" })
    }

    /// Members that a folder can't serve: addresses with parameters, the patterns of links that lead there, and older entries, for
    /// which clients would get the same window again.
    private static let served: Set<String> = [
        "search_bar", "tags_regex", "tags_url", "videos_regex", "videos_url", "gallery_regex", "gallery_url",
        "has_older",
    ]

    private static func offline(_ value: JSONValue) -> JSONValue {
        if let values = value.array { return .array(values.map(offline)) }
        guard let object = value.object else { return value }
        var rest = JSONObject()
        for member in object.members where !served.contains(member.key) { rest[member.key] = offline(member.value) }
        return .object(rest)
    }

    /// What the app answers with JSON, without what only a server can do.
    private func document(_ path: String) async throws -> JSONValue {
        let bytes = try await answer(path)
        do {
            return Self.offline(try JSONValue(parsing: bytes))
        } catch {
            throw EditionProblem("/\(path) is not answered with JSON: \(error)")
        }
    }

    /// What the app answers, with the addresses of the edition.
    private func answer(_ path: String) async throws -> [UInt8] {
        let response: ClientResponse
        do {
            let request = ClientRequest(.get, try HTTPURL("\(source)/\(path)"))
            response = try await transport.response(to: request, limits: ClientLimits())
        } catch ClientFailure.cancelled {
            throw CancellationError()
        } catch {
            throw EditionProblem("there is no answer to a request for /\(path): \(error)")
        }
        guard response.status.kind == .successful else {
            throw EditionProblem(
                "the app answers a request for /\(path) with \(response.status.code): \(response.text)"
            )
        }
        return response.body.replacing(source.utf8, with: base.utf8)
    }

    /// Adds a document, if clients would accept it.
    private mutating func add(_ document: JSONValue, as kind: FlokiRules.Document, _ path: String) throws {
        let findings = FlokiRules.findings(in: document, as: kind, name: "/\(path)", facts: facts)
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty else {
            let list = errors.map(\.details).joined(separator: "\n")
            throw EditionProblem(
                "clients would not accept this:\n\(list)\nnothing was written; repair the entries first"
            )
        }
        notes += findings.map { "\($0)" }
        files[path] = document.bytes
    }
}

/// Makes a web page of an app one of an edition: its links lead into the edition, and those that would lead to nothing become text.
struct EditionPage {
    /// The path of the app on its server, without a slash at its end.
    let path: String
    /// The address of the edition, without a slash at its end.
    let base: String
    /// Whether there is something at an address; asked for those below the base.
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
            // Other paths are those of the app's server.
            let isElsewhere = address.hasPrefix("/") && !address.hasPrefix("//")
            return isElsewhere || !isThere(String(address)) ? String(match.content) : String(match.0)
        }
    }
}
