internal import Applin
internal import Backlot
import BacklotClients
internal import BacklotJSON
internal import Floki
internal import HTTPTypes

/// A crawl of a Floki app: the version indicator, the app data, the feeds of all tabs in all languages, and what their entries lead
/// to on the same server, each once.
struct FlokiWalk {
    /// What is expected at a URL.
    private enum Kind: Hashable {
        case document(FlokiRules.Document)
        case page
        case picture
    }

    private struct Place: Hashable {
        let url: HTTPURL
        let kind: Kind
        /// The language of the feed, which nested feeds append to their URLs.
        var language = ""
    }

    private let url: HTTPURL
    private var channel: CrawlChannel
    private var frontier: CrawlFrontier<Place>
    private var facts = FeedFacts()

    init(_ channel: CrawlChannel, url: HTTPURL) {
        self.channel = channel
        self.url = url
        frontier = CrawlFrontier(
            from: .init(path: url.target, key: Place(url: url, kind: .document(.indicator))),
            maximum: channel.options.maximumPages
        )
    }

    mutating func report(_ progress: (CrawlProgress) -> Void) async -> CrawlReport {
        while channel.isOpen, let target = frontier.next() {
            progress(CrawlProgress(pages: frontier.taken - 1, waiting: frontier.waiting, path: target.path))
            await visit(target)
        }
        return channel.report(.floki, of: url, frontier)
    }

    private mutating func visit(_ target: CrawlFrontier<Place>.Target) async {
        let (place, path) = (target.key, target.path)
        guard let response = await channel.send(ClientRequest(.get, place.url), path) else {
            if channel.isCutOff { frontier.giveBack() }
            return
        }
        channel.noteSlowness(of: response, "slow-page", path)
        guard response.status.kind == .successful else {
            let links = frontier.links(to: place)
            let findings = links.map { link in
                place.kind == .picture
                    ? PagePicture(url: link.target, place: link.place).isDead("which answers \(response.status)")
                    : CrawlRule.dead(link, response.status)
            }
            channel.findings.add(links.isEmpty ? [AnswerRule.status(response, path)] : findings)
            return
        }
        guard case .document(let kind) = place.kind else { return judge(response, of: target) }
        channel.findings.begin(path)
        let document = try? JSONValue(parsing: response.body)
        if kind == .appData { facts = FlokiClient.facts(of: document?.object ?? [:]) }
        channel.findings.add(
            FlokiInspector(kind: kind, facts: facts).findings(inBody: response.body, path: path, app: nil)
        )
        guard let object = document?.object else { return }
        switch kind {
        case .indicator: follow(object["url"], "/url", .document(.appData), of: target, action: "the indicator")
        case .appData: followTabs(of: object, target)
        case .news, .gallery: followEntries(of: object, kind, target)
        }
    }

    /// A picture is one by its type.
    private mutating func judge(_ response: ClientResponse, of target: CrawlFrontier<Place>.Target) {
        guard target.key.kind == .picture, let type = response.mediaType, !type.hasPrefix("image/") else { return }
        channel.findings.add(
            frontier.links(to: target.key).map { link in
                PagePicture(url: link.target, place: link.place).isDead("which is \(type) and no picture")
            }
        )
    }

    private mutating func followTabs(of appData: JSONObject, _ target: CrawlFrontier<Place>.Target) {
        let codes = (appData["langs"]?.array ?? []).compactMap { $0.object?.members.first?.key }
        for (index, tab) in (appData["tabs"]?.array ?? []).enumerated() {
            let address = tab["data"]?["main_url"]?.string
            for code in codes {
                follow(
                    address.map { .string($0 + code) },
                    "/tabs/\(index)/data/main_url",
                    Self.kind(of: tab["class_type"]?.string ?? ""),
                    of: target,
                    action: "the tab",
                    language: code
                )
            }
        }
    }

    private mutating func followEntries(
        of feed: JSONObject,
        _ kind: FlokiRules.Document,
        _ target: CrawlFrontier<Place>.Target
    ) {
        let key = kind == .news ? "items" : "thumbs"
        let language = target.key.language
        for (index, entry) in (feed[key]?.array ?? []).enumerated() {
            let standard = kind == .news ? "Item_view_controller" : "Photo_view_controller"
            let found = Self.kind(of: entry["class_type"]?.string ?? standard)
            var address = entry["url"]
            if case .document? = found { address = address?.string.map { .string($0 + language) } }
            let pointer = "/\(key)/\(index)"
            follow(address, "\(pointer)/url", found, of: target, action: "the entry", language: language)
            for name in ["image", "thumb"] {
                follow(entry[name], "\(pointer)/\(name)", .picture, of: target, action: "the entry")
            }
        }
    }

    /// What clients expect behind a class; nil for movies, which are too large to ask for.
    private static func kind(of className: String) -> Kind? {
        switch className.prefix(while: { $0 != "_" }) {
        case "News": .document(.news)
        case "Gallery": .document(.gallery)
        case "Photo": .picture
        case "Item", "Web": .page
        default: nil
        }
    }

    /// Adds where a URL leads, which counts from the last slash of the document's. Other servers are left alone.
    private mutating func follow(
        _ address: JSONValue?,
        _ pointer: String,
        _ kind: Kind?,
        of target: CrawlFrontier<Place>.Target,
        action: String,
        language: String = ""
    ) {
        guard let kind, let text = address?.string, !text.isEmpty else { return }
        let isFeed = if case .document = kind { true } else { false }
        let place = FindingPath(page: target.path, pointer: pointer)
        let link = PageLink(kind: .page, action: action, target: text, place: place)
        guard let url = try? target.key.url.resolving(text) else {
            return channel.findings.add([
                CrawlRule.bad(link, BaseURL.Problem(reason: "is no URL that clients can ask for"))
            ])
        }
        guard url.hasSameOrigin(as: self.url) else { return }
        frontier.add(link, to: Place(url: url, kind: kind, language: isFeed ? language : ""))
    }
}
