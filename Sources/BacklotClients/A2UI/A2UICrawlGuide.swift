internal import A2UI
internal import Backlot

/// Leads a crawl through an A2UI app: its index, each surface, and the actions of the buttons on it, with untouched inputs. A value
/// without I/O.
struct A2UICrawlGuide: CrawlGuide {
    private let url: HTTPURL
    var state = A2UIClientState()

    init(_ url: HTTPURL) { self.url = url }

    var start: CrawlStop { CrawlStop("/", url) }

    func request(for stop: CrawlStop) -> ClientRequest {
        var request = ClientRequest(stop.kind == "action" ? .post : .get, stop.url)
        request.headers[.accept] = A2UIClient.mediaType
        guard stop.kind == "action" else { return request }
        request.headers[.contentType] = A2UIClient.mediaType
        request.body = stop.detail.bytes
        return request
    }

    mutating func take(_ response: ClientResponse, of stop: CrawlStop) -> CrawlResult {
        guard response.status.kind == .successful else { return refused(response, stop) }
        let document = try? A2UIInspector.document(response.body)
        if stop.kind == "page", let index = document.flatMap(A2UIClient.index) { return follow(index, stop) }
        let inspector = A2UIInspector()
        var result = CrawlResult(inspector.findings(inBody: response.body, path: stop.path, app: nil))
        guard let document, stop.kind != "action" else { return result }
        // The inspector finds the other errors.
        for error in state.receive(document) where error.code == "too_many_nodes" {
            let place = FindingPath(page: stop.path, steps: ["surface \((error.surfaceID ?? "").inQuotes)"])
            let fix = "Send smaller surfaces, or close those that are no longer needed."
            result.findings.append(
                Finding(.warning, rule: "crawl-bound", path: place, message: error.message, fix: fix)
            )
        }
        let opened = Set(ServerMessage.list(document).compactMap { $0["createSurface"]?["surfaceId"]?.string })
        let buttons = state.tappables.filter { $0.tab == nil && opened.contains($0.component.surface) }
        for (text, part, _) in buttons.prefix(Self.maximumTaps) {
            // Other taps change nothing.
            var copy = state
            guard let message = try? copy.tap(part, text, at: Self.time),
                case .action(let action) = message.content, let address = try? url.resolving("actions")
            else { continue }
            let place = FindingPath(page: stop.path, steps: ["\(part.type) \(part.node.componentID.inQuotes)"])
            let link = PageLink(kind: .rpc, action: "a tap on \(text.inQuotes)", target: action.name, place: place)
            let body = copy.body(of: [message])
            result.links.append((link, CrawlStop("actions/\(action.name)", address, "action", body)))
        }
        return result
    }

    /// The maximum number of buttons of one response that the crawl taps.
    private static let maximumTaps = 500

    /// The time in actions. It is always the same, so that the same action is sent once.
    private static let time = "2026-01-01T00:00:00Z"

    private func refused(_ response: ClientResponse, _ stop: CrawlStop) -> CrawlResult {
        // An earlier action has closed the surface.
        let problem = try? JSONValue(parsing: response.body)
        let isClosed = stop.kind == "action" && problem?["code"] == "unknown_surface"
        let isRefused = stop.kind == "action" && response.status.kind == .clientError && response.status != .notFound
        guard isClosed || isRefused else { return .dead(response, stop.path) }
        var result = CrawlResult(isPage: false)
        if !isClosed { result.refusal = response.status.code }
        return result
    }

    private func follow(_ index: [String], _ stop: CrawlStop) -> CrawlResult {
        var result = CrawlResult()
        for (position, address) in index.enumerated() {
            let place = FindingPath(page: stop.path, pointer: "/surfaces/\(position)")
            let link = PageLink(kind: .page, action: "the index", target: address, place: place)
            guard let surface = try? url.resolving(address), surface.hasSameOrigin(as: url) else {
                result.findings.append(CrawlRule.bad(link, "isn't a surface of this server"))
                continue
            }
            let name = address.split(separator: "/").last.map { "surfaces/\($0)" } ?? address
            result.links.append((link, CrawlStop(name, surface, "surface")))
        }
        return result
    }
}
