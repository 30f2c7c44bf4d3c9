import Backlot
import BacklotClients
import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    /// How many windows of feeds there are, and how many entries they show.
    private var windows = 0
    private var entries = 0
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
        let served = Int(indicator["v"]?.number?.int64 ?? 0)
        let address = indicator["url"]?.string ?? ""
        guard let dataPath = path(of: address) else { throw EditionProblem("the app data is elsewhere, at \(address)") }
        let data = EditionDocument.offline(try await document(dataPath))
        try judge(data, .appData, dataPath)
        files[dataPath] = data.bytes
        codes = (data["langs"]?.array ?? []).compactMap { $0.object?.keys.first }
        facts = FlokiClient.facts(of: data.object ?? [:])
        for tab in data["tabs"]?.array ?? [] {
            try await open(tab["class_type"]?.string ?? "", tab["data"]?["main_url"]?.string, tab["data"])
        }
        guard windows == 0 || entries > 0 else {
            throw EditionProblem(
                "all feeds are empty, so nothing was written: name the store of the server with --feeds"
            )
        }
        repairLinks()
        let version = try version(served, of: data.bytes)
        var members = indicator.object ?? [:]
        members["v"] = .number(JSONNumber(Int64(version)))
        try judge(.object(members), .indicator, indicatorPath)
        files[indicatorPath] = JSONValue.object(members).bytes
        return Edition(indicatorPath: indicatorPath, version: version, files: files, notes: notes)
    }

    /// The version of the app data: clients take other data only with a higher one.
    private func version(_ served: Int, of data: [UInt8]) throws -> Int {
        guard let earlier else { return served }
        let version = earlier.data == data ? max(served, earlier.version) : max(served, earlier.version + 1)
        guard version <= Int(Int32.max) else {
            throw EditionProblem(
                "version \(Int32.max) of the app data is the highest that clients can read: take another folder"
            )
        }
        return version
    }

    /// Adds what a tab shows, or an entry opens.
    private mutating func open(_ className: String, _ address: String?, _ data: JSONValue?) async throws {
        guard let address, let path = path(of: address) else { return }
        switch className {
        case "News_view_controller", "Gallery_view_controller":
            let kind = className.hasPrefix("News") ? FlokiRules.Document.news : .gallery
            for code in codes {
                if files[path + code] == nil { try await addFeed(path + code, kind) }
                try await addOlder(data?["more_items_url"]?.string, code, behind: path + code, kind)
            }
        case "Web_view_controller":
            try await addPage(path)
            for code in codes { try await addPage("\(path)\(code)/", asking: path + code) }
        default: break
        }
    }

    /// Adds a window of a feed, and what its entries open.
    private mutating func addFeed(_ path: String, _ kind: FlokiRules.Document, asking query: String = "") async throws {
        let window = EditionDocument.window(try await document(path + query))
        try judge(window, kind, path)
        files[path] = window.bytes
        let entries = window[kind == .news ? "items" : "thumbs"]?.array ?? []
        windows += 1
        self.entries += entries.count
        for entry in entries {
            do {
                try await addTarget(of: entry, kind)
            } catch let problem as EditionProblem {
                let name = "\(kind == .news ? "item" : "thumb") \(entry["id"]?.number?.int64 ?? 0)"
                throw EditionProblem("/\(path) › \(name): \(problem)")
            }
        }
    }

    /// Adds what an entry of a feed opens.
    private mutating func addTarget(of entry: JSONValue, _ kind: FlokiRules.Document) async throws {
        if let className = entry["class_type"]?.string {
            try await open(className, entry["url"]?.string, entry["data"])
        } else if kind == .news, let page = entry["url"]?.string.flatMap({ path(of: $0) }), page.hasSuffix("/") {
            try await addPage(page)
        }
    }

    /// Adds the window behind another one.
    private mutating func addOlder(
        _ address: String?,
        _ code: String,
        behind newest: String,
        _ kind: FlokiRules.Document
    ) async throws {
        let path = address.flatMap { self.path(of: $0.replacing("_LNG_", with: code)) }
        let shown = try files[newest].map { try JSONValue(parsing: $0) }
        let ids = (shown?[kind == .news ? "items" : "thumbs"]?.array ?? []).compactMap { $0["id"]?.number?.int64 }
        guard let path, let lowest = ids.min(), files[path] == nil else { return }
        try await addFeed(path, kind, asking: "?l=\(lowest)")
    }

    /// Adds a web page, as the file that servers answer with for a folder.
    private mutating func addPage(_ path: String, asking other: String? = nil) async throws {
        let file = "\(path)index.html"
        guard files[file] == nil else { return }
        files[file] = try await answer(other ?? path)
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

    private func document(_ path: String) async throws -> JSONValue {
        let bytes = try await answer(path)
        do {
            return try JSONValue(parsing: bytes)
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

    private mutating func judge(_ document: JSONValue, _ kind: FlokiRules.Document, _ path: String) throws {
        let findings = FlokiRules.findings(in: document, as: kind, name: "/\(path)", facts: facts)
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty else {
            let list = errors.map(\.details).joined(separator: "\n")
            throw EditionProblem(
                "clients would not accept this:\n\(list)\nnothing was written; repair the entries first"
            )
        }
        notes += findings.map { "\($0)" }
    }
}
