internal import Backlot
internal import Floki

/// Leads a crawl through a Floki app: the version indicator, the app data, and the feeds of all tabs in all languages. It also
/// follows their entries on the same server, each target once.
struct FlokiCrawlGuide: CrawlGuide {
    private let url: HTTPURL
    private var facts = FlokiFacts()

    init(_ url: HTTPURL) { self.url = url }

    var start: CrawlStop { CrawlStop(url.target, url, Self.kind(of: .indicator)) }

    func request(for stop: CrawlStop) -> ClientRequest { ClientRequest(.get, stop.url) }

    mutating func take(_ response: ClientResponse, of stop: CrawlStop) -> CrawlResult {
        let isPicture = stop.kind == "picture"
        func dead(_ problem: String) -> CrawlResult {
            var result = CrawlResult.dead(response, stop.path)
            if isPicture {
                result.deadLink = { link in
                    link.map { PagePicture(url: $0.target, place: $0.place).isDead(problem) }
                        ?? ResponseRules.status(response, stop.path)
                }
            }
            return result
        }
        guard response.status.kind == .successful else { return dead("which answers \(response.status)") }
        guard let kind = FlokiRules.Document.allCases.first(where: { Self.kind(of: $0) == stop.kind }) else {
            // A picture must have the media type of one.
            if isPicture, let type = response.mediaType, !type.hasPrefix("image/") {
                return dead("which is \(type) and no picture")
            }
            return CrawlResult(isPage: false)
        }
        let document = try? JSONValue(parsing: response.body)
        if kind == .appData { facts = FlokiClient.facts(of: document?.object ?? [:]) }
        let inspector = FlokiInspector(kind: kind, facts: facts)
        var result = CrawlResult(inspector.findings(inBody: response.body, path: stop.path, app: nil))
        guard let object = document?.object else { return result }
        switch kind {
        case .indicator: follow(object["url"], "/url", Self.kind(of: .appData), of: stop, "the indicator", &result)
        case .appData: followTabs(of: object, stop, &result)
        case .news, .gallery: followEntries(of: object, kind, stop, &result)
        }
        return result
    }

    private func followTabs(of appData: JSONObject, _ stop: CrawlStop, _ result: inout CrawlResult) {
        let codes = first(100, "langs", of: appData, stop, &result).compactMap { $0.object?.members.first?.key }
        for (index, tab) in first(100, "tabs", of: appData, stop, &result).enumerated() {
            let address = tab["data"]?["main_url"]?.string
            let kind = Self.kind(ofClass: tab["class_type"]?.string ?? "")
            for code in codes {
                let url = address.map { JSONValue.string($0 + code) }
                follow(url, "/tabs/\(index)/data/main_url", kind, of: stop, "the tab", language: code, &result)
            }
        }
    }

    private func followEntries(
        of feed: JSONObject,
        _ document: FlokiRules.Document,
        _ stop: CrawlStop,
        _ result: inout CrawlResult
    ) {
        let key = document == .news ? "items" : "thumbs"
        let language = stop.detail.string ?? ""
        for (index, entry) in first(10_000, key, of: feed, stop, &result).enumerated() {
            let standard = document == .news ? "Item_view_controller" : "Photo_view_controller"
            let kind = Self.kind(ofClass: entry["class_type"]?.string ?? standard)
            var address = entry["url"]
            if Self.isFeed(kind) { address = address?.string.map { .string($0 + language) } }
            let pointer = "/\(key)/\(index)"
            follow(address, "\(pointer)/url", kind, of: stop, "the entry", language: language, &result)
            for name in ["image", "thumb"] {
                follow(entry[name], "\(pointer)/\(name)", "picture", of: stop, "the entry", &result)
            }
        }
    }

    /// The first elements of a list, with a finding if there are more.
    private func first(
        _ most: Int,
        _ key: String,
        of object: JSONObject,
        _ stop: CrawlStop,
        _ result: inout CrawlResult
    ) -> ArraySlice<JSONValue> {
        let list = object[key]?.array ?? []
        let place = FindingPath(page: stop.path, pointer: "/\(key)")
        if list.count > most {
            result.findings.insert(CrawlRule.bounded("\(list.count) \(key)", to: most, place), at: 0)
        }
        return list.prefix(most)
    }

    private static func kind(of document: FlokiRules.Document) -> String { "\(document)" }

    private static func isFeed(_ kind: String?) -> Bool {
        kind == Self.kind(of: .news) || kind == Self.kind(of: .gallery)
    }

    /// The kind of document that clients expect for a class; nil for movies, which are too large to request.
    private static func kind(ofClass name: String) -> String? {
        switch name.prefix(while: { $0 != "_" }) {
        case "News": kind(of: .news)
        case "Gallery": kind(of: .gallery)
        case "Photo": "picture"
        case "Item", "Web": "page"
        default: nil
        }
    }

    /// Adds the target of a URL, which is relative to the document's URL up to its last slash. Other servers are left out.
    private func follow(
        _ address: JSONValue?,
        _ pointer: String,
        _ kind: String?,
        of stop: CrawlStop,
        _ action: String,
        language: String = "",
        _ result: inout CrawlResult
    ) {
        guard let kind, let text = address?.string, !text.isEmpty else { return }
        let place = FindingPath(page: stop.path, pointer: pointer)
        let link = PageLink(kind: .page, action: action, target: text, place: place)
        guard text.utf8.count <= BaseURL.longestPath, let url = try? stop.url.resolving(text) else {
            result.findings.append(CrawlRule.bad(link, "isn't a URL that clients can request"))
            return
        }
        guard url.hasSameOrigin(as: self.url) else { return }
        // Nested feeds append the language to their URLs.
        result.links.append((link, CrawlStop(text, url, kind, Self.isFeed(kind) ? .string(language) : .null)))
    }
}
