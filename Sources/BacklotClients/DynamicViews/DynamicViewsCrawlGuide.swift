internal import Backlot
internal import DynamicViews

/// Leads a crawl through Dynamic Views: the index, then each dialect's index and views, and the views that
/// navigation opens.
struct DynamicViewsCrawlGuide: CrawlGuide {
    private let url: HTTPURL

    init(_ url: HTTPURL) { self.url = url }

    var start: CrawlStop { CrawlStop("/", url, "index") }

    func request(for stop: CrawlStop) -> ClientRequest { ClientRequest(.get, stop.url) }

    func take(_ response: ClientResponse, of stop: CrawlStop) -> CrawlResult {
        let platform = Dialect.Platform.allCases.first { $0.rawValue == stop.detail.string } ?? .ios
        guard response.status.kind == .successful else {
            // A server may support only one dialect.
            guard response.status == .badRequest, platform == .android || stop.kind == "own index" else {
                return .dead(response, stop.path)
            }
            var result = CrawlResult()
            (result.isPage, result.refusal) = (false, response.status.code)
            return result
        }
        let document = try? JSONValue(parsing: response.body)
        guard stop.kind == "view" else { return views(in: document, platform, stop) }
        let inspector = DynamicViewsInspector(dialect: Dialect(platform))
        var result = CrawlResult(inspector.findings(inBody: response.body, path: stop.path, app: nil))
        if let document { follow(document, at: "", platform, of: stop, &result) }
        return result
    }

    func reader(of path: String) -> (client: String, page: String)? {
        let parts = path.split(separator: "?dialect=", maxSplits: 1)
        return (parts.count == 2 ? "dynamic-views-\(parts[1])" : "", String(parts.first ?? ""))
    }

    private func views(in list: JSONValue?, _ platform: Dialect.Platform, _ stop: CrawlStop) -> CrawlResult {
        guard let names = list?["views"]?.array else {
            let path = FindingPath(page: stop.path)
            let fix = "Respond with {\"views\":[\"dashboard\"]}, with the names of all views."
            return CrawlResult([
                Finding(.error, rule: "not-an-index", path: path, message: "The response lists no views.", fix: fix)
            ])
        }
        var result = CrawlResult(isPage: stop.kind == "index")
        guard stop.kind != "index" else {
            for platform in Dialect.Platform.allCases {
                let query = "?dialect=\(platform.rawValue)"
                guard let own = try? url.resolving(query) else { continue }
                let link = PageLink(
                    kind: .page,
                    action: "the index",
                    target: query,
                    place: FindingPath(page: stop.path)
                )
                result.links.append((link, CrawlStop("/\(query)", own, "own index", .string(platform.rawValue))))
            }
            return result
        }
        for (position, name) in names.enumerated() {
            guard let name = name.string, !name.isEmpty else { continue }
            let place = FindingPath(page: stop.path, pointer: "/views/\(position)")
            add(name, platform, place, "the index", &result)
        }
        return result
    }

    private func add(
        _ name: String,
        _ platform: Dialect.Platform,
        _ place: FindingPath,
        _ action: String,
        _ result: inout CrawlResult
    ) {
        let target = "\(name).json?dialect=\(platform.rawValue)"
        let link = PageLink(kind: .page, action: action, target: target, place: place)
        guard let view = try? url.resolving(target), view.hasSameOrigin(as: url) else {
            result.findings.append(CrawlRule.bad(link, "isn't a view of this server"))
            return
        }
        result.links.append((link, CrawlStop(target, view, "view", .string(platform.rawValue))))
    }

    /// Follows the navigation anywhere in a document.
    private func follow(
        _ value: JSONValue,
        at pointer: String,
        _ platform: Dialect.Platform,
        of stop: CrawlStop,
        _ result: inout CrawlResult
    ) {
        if value["type"] == "navigation", let resource = value["resource"]?.string, !resource.isEmpty {
            let name = resource.hasSuffix(".json") ? String(resource.dropLast(5)) : resource
            add(name, platform, FindingPath(page: stop.path, pointer: pointer), "navigation", &result)
        }
        for (index, element) in (value.array ?? []).enumerated() {
            follow(element, at: "\(pointer)/\(index)", platform, of: stop, &result)
        }
        for member in value.object?.members ?? [] {
            follow(member.value, at: pointer + JSONPointer.step(member.key), platform, of: stop, &result)
        }
    }
}
