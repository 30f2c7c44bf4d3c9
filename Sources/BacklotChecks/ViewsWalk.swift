internal import Applin
internal import Backlot
import BacklotClients
internal import BacklotJSON
internal import DynamicViews
internal import HTTPTypes

/// A crawl of Dynamic Views: the index, each view in it in both dialects, and the views that navigation leads to.
struct ViewsWalk {
    /// A view in a dialect; the index has no name.
    private struct View: Hashable {
        let name: String
        let dialect: DynamicViews.Dialect
    }

    private let url: HTTPURL
    private var channel: CrawlChannel
    private var frontier: CrawlFrontier<View>
    private var refused: [CrawlReport.Refused] = []

    init(_ channel: CrawlChannel, url: HTTPURL) {
        self.channel = channel
        self.url = url
        frontier = CrawlFrontier(
            from: .init(path: "/", key: View(name: "", dialect: .ios)),
            maximum: channel.options.maximumPages
        )
    }

    mutating func report(_ progress: (CrawlProgress) -> Void) async -> CrawlReport {
        while channel.isOpen, let target = frontier.next() {
            progress(CrawlProgress(pages: frontier.taken - 1, waiting: frontier.waiting, path: target.path))
            await visit(target)
        }
        return channel.report(.views, of: url, frontier, refused: refused)
    }

    private mutating func visit(_ target: CrawlFrontier<View>.Target) async {
        let (view, path) = (target.key, target.path)
        let links = frontier.links(to: view)
        let platform = view.dialect.platform.rawValue
        guard let url = try? view.name.isEmpty ? url : url.resolving("\(view.name).json?dialect=\(platform)"),
            url.hasSameOrigin(as: self.url)
        else {
            let problem = BaseURL.Problem(reason: "is no view of this server")
            return channel.findings.add(links.map { CrawlRule.bad($0, problem) })
        }
        guard let response = await channel.send(ClientRequest(.get, url), path) else {
            if channel.isCutOff { frontier.giveBack() }
            return
        }
        channel.noteSlowness(of: response, "slow-page", path)
        guard response.status.kind == .successful else {
            // A server may have one dialect.
            if response.status == .badRequest, view.dialect == .android {
                refused.append(CrawlReport.Refused(path: path, status: response.status.code))
            } else {
                let findings = links.map { CrawlRule.dead($0, response.status) }
                channel.findings.add(findings.isEmpty ? [AnswerRule.status(response, path)] : findings)
            }
            return
        }
        channel.findings.begin(path)
        let document = try? JSONValue(parsing: response.body)
        if view.name.isEmpty { return followIndex(document, path) }
        channel.findings.add(
            DynamicViewsInspector(dialect: view.dialect).findings(inBody: response.body, path: path, app: nil)
        )
        if let document { follow(document, at: "", of: target) }
    }

    private mutating func followIndex(_ index: JSONValue?, _ path: String) {
        guard let names = index?["views"]?.array else {
            channel.findings.add([
                Finding(
                    .error,
                    rule: "not-an-index",
                    path: FindingPath(page: path),
                    message: "The answer lists no views.",
                    fix: "Answer {\"views\":[\"dashboard\"]}, with the names of all views."
                )
            ])
            return
        }
        for (position, name) in names.enumerated() {
            guard let name = name.string, !name.isEmpty else { continue }
            for dialect in [DynamicViews.Dialect.ios, .android] {
                add(name, dialect, FindingPath(page: path, pointer: "/views/\(position)"), action: "the index")
            }
        }
    }

    private mutating func add(_ name: String, _ dialect: DynamicViews.Dialect, _ place: FindingPath, action: String) {
        let target = "\(name).json?dialect=\(dialect.platform.rawValue)"
        let link = PageLink(kind: .page, action: action, target: target, place: place)
        frontier.add(link, to: View(name: name, dialect: dialect))
    }

    /// Follows the navigation in a document, wherever it stands.
    private mutating func follow(_ value: JSONValue, at pointer: String, of target: CrawlFrontier<View>.Target) {
        if value["type"] == "navigation", let resource = value["resource"]?.string, !resource.isEmpty {
            let name = resource.hasSuffix(".json") ? String(resource.dropLast(5)) : resource
            add(name, target.key.dialect, FindingPath(page: target.path, pointer: pointer), action: "navigation")
        }
        for (index, element) in (value.array ?? []).enumerated() {
            follow(element, at: "\(pointer)/\(index)", of: target)
        }
        for member in value.object?.members ?? [] {
            follow(member.value, at: pointer + JSONPointer.step(member.key), of: target)
        }
    }
}
