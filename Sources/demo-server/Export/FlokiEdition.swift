import Backlot
import BacklotClients
import Floki

/// The Floki app as files, without the parts that need a server, and with a version that rises with the app data.
struct FlokiEdition {
    /// The version of an edition, and its app data.
    typealias Earlier = (version: Int64, data: JSONValue)

    /// The path of the version indicator, at which clients begin.
    static let indicatorPath = FlokiConfiguration().indicatorPath
    fileprivate static let dataPath = FlokiConfiguration().dataPath
    /// Members that need a server: addresses with parameters, the patterns of links that lead there, and older entries, since clients
    /// would get the same window again.
    private static let served: Set<String> = [
        "search_bar", "tags_regex", "tags_url", "videos_regex", "videos_url", "gallery_regex", "gallery_url",
        "has_older",
    ]

    let version: Int64
    let export: AppExport

    /// Exports the app.
    ///
    /// - Throws: ``ExportError`` for responses that clients would not accept, and for feeds without entries; `CancellationError` at
    ///   the end of the task.
    init(_ export: AppExport, over transport: some ClientTransport, after earlier: Earlier?) async throws {
        var (export, tour) = (export, Tour())
        try await export.crawl(.floki, from: Self.indicatorPath, over: transport) { document, stop in
            document = Self.offline(document)
            return tour.stops(behind: document, stop)
        }
        guard tour.hasEntries ?? true else {
            throw ExportError("all feeds are empty, so nothing was written: name the store of the server with --feeds")
        }
        let indicator = export.files[Self.indicatorPath].flatMap { try? JSONValue(parsing: $0) }
        guard var indicator = indicator?.object, let data = try? JSONValue(parsing: export.files[Self.dataPath] ?? [])
        else {
            throw ExportError("the app data is elsewhere: name a server that has the whole app")
        }
        // Clients accept other data only with a higher version.
        let next = earlier.map { $0.data == data ? $0.version : $0.version + 1 } ?? 0
        version = max(indicator["v"]?.number?.int64 ?? 0, next)
        guard version <= Int32.max else {
            throw ExportError("version \(Int32.max) of the app data is the highest for clients: take another folder")
        }
        indicator["v"] = .number(JSONNumber(version))
        export.replace(Self.indicatorPath, with: indicator)
        self.export = export
    }

    private static func offline(_ value: JSONValue) -> JSONValue {
        if let values = value.array { return .array(values.map(offline)) }
        guard let object = value.object else { return value }
        var rest = JSONObject()
        for member in object.members where !served.contains(member.key) { rest[member.key] = offline(member.value) }
        return .object(rest)
    }

    /// Finds the requests of clients that a crawl doesn't make: the second window of each feed, and web pages with and without the
    /// code of the language.
    private struct Tour {
        /// Whether a feed has entries; nil before the first feed.
        private(set) var hasEntries: Bool?
        private var codes: [String] = []
        /// The addresses of older entries, by the addresses of their feeds.
        private var older: [String: String] = [:]

        mutating func stops(behind document: JSONValue, _ stop: CrawlStop) -> [CrawlStop] {
            if let languages = document["langs"]?.array { codes = languages.compactMap { $0.object?.keys.first } }
            let entries = document["items"]?.array ?? document["thumbs"]?.array
            var stops: [CrawlStop] = []
            for opened in entries ?? document["tabs"]?.array ?? [] {
                let address = opened["url"]?.string ?? opened["data"]?["main_url"]?.string ?? ""
                let more = opened["data"]?["more_items_url"]?.string
                for code in codes { older[address + code] = more?.replacing("_LNG_", with: code) }
                guard opened["class_type"] == "Web_view_controller" else { continue }
                stops += ([""] + codes).compactMap { code in
                    (try? stop.url.resolving(address + code)).map { CrawlStop("\($0)", $0) }
                }
            }
            guard let entries else { return stops }
            hasEntries = hasEntries ?? false || !entries.isEmpty
            if let lowest = entries.compactMap({ $0["id"]?.number?.int64 }).min(), let more = older["\(stop.url)"],
                let url = try? stop.url.resolving("\(more)?l=\(lowest)")
            {
                stops.append(CrawlStop("\(url)", url, stop.kind, stop.detail))
            }
            return stops
        }
    }
}

extension ExportFolder {
    /// The earlier edition; nil if the folder is missing or empty.
    ///
    /// - Throws: ``ExportError`` for other files.
    func earlierEdition() throws(ExportError) -> FlokiEdition.Earlier? {
        guard try !isEmpty() else { return nil }
        guard let version = document(FlokiEdition.indicatorPath)?["v"]?.number?.int64,
            (1...Int64(Int32.max)).contains(version),
            let data = document(FlokiEdition.dataPath), data["tabs"] != nil
        else {
            throw ExportError("'\(path)' has files that aren't an edition of the app: name another folder, or empty it")
        }
        return (version, data)
    }

    private func document(_ name: String) -> JSONValue? {
        let data = try? Data(contentsOf: URL(filePath: "\(path)/\(name)"))
        return data.flatMap { try? JSONValue(parsing: Array($0)) }
    }
}
