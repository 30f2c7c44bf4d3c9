internal import Backlot
internal import BacklotClients
internal import BacklotRecording

/// A recording as clients are to see it.
struct RecordedTraffic: Sendable {
    /// The exchanges, in the order in which they began.
    let exchanges: [RecordedExchange]
    /// Which client sent each; nil for one without cookies and credentials, which any client may have sent.
    let owners: [String?]
    /// The paths and queries as the headless client writes them.
    let targets: [String]
    /// The bodies of the requests; nil for those that are no JSON.
    let bodies: [JSONValue?]
    /// Whether requests came with cookies or credentials. Some recordings leave them out, and then all is one client's.
    let hasCookies: Bool

    /// Whether variables were sent as clients before 0.34 do: `name#key` as it stands.
    var hasFlatNames: Bool {
        bodies.contains { $0?.object?.keys.contains { $0.contains("#") || $0.contains("%") } == true }
    }

    /// Where the recording's server is for a client that plays it. TLS, so that it sends all cookies.
    static let origin = "https://recording.invalid"

    init(_ exchanges: [RecordedExchange]) {
        self.exchanges = exchanges
        let isTelling = exchanges.contains {
            $0.requestHeaders[.cookie] != nil || $0.requestHeaders[.authorization] != nil || $0.client != nil
        }
        hasCookies = isTelling
        owners = isTelling ? RecordedClients(exchanges).clients : Array(repeating: nil, count: exchanges.count)
        targets = exchanges.map { (try? HTTPURL(Self.origin + $0.url))?.target ?? $0.url }
        bodies = exchanges.map { $0.requestBody.isEmpty ? nil : try? JSONValue(parsing: $0.requestBody) }
    }

    /// Whether an answer is a page of Applin.
    func isPage(_ index: Int) -> Bool {
        exchanges[index].responseType == ResponseInspector.pageType && (200...299).contains(exchanges[index].status)
    }

    /// The paths and queries that the pages of an app name.
    func targets(namedBelow base: String) -> Set<String> {
        guard let root = try? HTTPURL(Self.origin + base) else { return [] }
        var names: Set<String> = []
        for index in exchanges.indices where isPage(index) {
            var waiting = (try? JSONValue(parsing: exchanges[index].responseBody)).map { [$0] } ?? []
            while let value = waiting.popLast() {
                switch value {
                case .string(let text): names.insert(text)
                case .array(let elements): waiting += elements
                case .object(let object): waiting += object.members.map(\.value)
                default: break
                }
            }
        }
        var targets: Set<String> = []
        for name in names {
            // `rpc:/save`, and `/photo?aspect_ratio=1`, of which clients don't send the ratio.
            let path = name.hasPrefix("/") ? name[...] : name.drop { $0 != ":" }.dropFirst()
            guard path.hasPrefix("/") else { continue }
            for part in [path, path[..<(path.firstRange(of: "?aspect_ratio=")?.lowerBound ?? path.endIndex)]] {
                if let url = try? root.resolving(String(part.dropFirst())) { targets.insert(url.target) }
            }
        }
        return targets
    }

    /// Whether a client asked for a page, whatever the answer was.
    func wantsPage(_ index: Int) -> Bool {
        exchanges[index].method == .get
            && (isPage(index) || exchanges[index].requestHeaders[.accept]?.contains(ResponseInspector.pageType) == true)
    }

    /// Whether an answer is something that clients load by themselves to show it, such as a picture.
    func isDecoration(_ index: Int) -> Bool {
        guard exchanges[index].method == .get else { return exchanges[index].method == .options }
        let type = exchanges[index].responseType
        return type.hasPrefix("image/") || type.hasPrefix("font/") || type == "text/css" || type == "text/html"
            || type.hasSuffix("javascript")
    }
}

/// Plays the answers of a recording back, each once, to a client that asks as the recorded one did.
final class RecordedTransport: ClientTransport {
    /// What became of the requests.
    struct Play {
        /// The exchanges that were played.
        var taken: [Int] = []
        /// Whether something was asked for that wasn't recorded.
        var hasMissed = false
        /// The variables that were recorded where the client sent others.
        var wanted: JSONObject?
    }

    /// How many exchanges of the client may lie between two that belong together: pictures, refreshes in the background.
    private static let reach = 16

    private let traffic: RecordedTraffic
    /// The exchanges that aren't explained yet and may be the client's.
    private let open: [Int]
    private let state = Locked(Play())

    init(_ traffic: RecordedTraffic, open: [Int]) {
        self.traffic = traffic
        self.open = open
    }

    var play: Play { state.withLock { $0 } }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        let found = state.withLock { play -> Int? in
            let taken = play.taken
            let near = open.lazy.filter { !taken.contains($0) && self.mayBeSent($0, by: request) }.prefix(Self.reach)
            if let index = near.first(where: { isSame(request, $0) }) {
                play.taken.append(index)
                return index
            }
            if !play.hasMissed, play.wanted == nil {
                play.wanted = near.first { isSimilar(request, $0) }.flatMap { traffic.bodies[$0]?.object }
            }
            play.hasMissed = true
            return nil
        }
        guard let found else { throw .cancelled }
        return response(found)
    }

    /// Whether the client of a request may have sent a recorded one: a client that has cookies sends them.
    private func mayBeSent(_ index: Int, by request: ClientRequest) -> Bool {
        !traffic.hasCookies || traffic.owners[index] != nil || request.headers[.cookie] == nil
    }

    private func isSimilar(_ request: ClientRequest, _ index: Int) -> Bool {
        request.method == traffic.exchanges[index].method && request.url.target == traffic.targets[index]
    }

    private func isSame(_ request: ClientRequest, _ index: Int) -> Bool {
        guard isSimilar(request, index) else { return false }
        switch request.method {
        // Photos differ.
        case .get, .head, .put: return true
        default: break
        }
        guard let body = traffic.bodies[index] else { return request.body == traffic.exchanges[index].requestBody }
        return (try? JSONValue(parsing: request.body)) == body
    }

    private func response(_ index: Int) -> ClientResponse {
        var exchange = traffic.exchanges[index]
        if exchange.status == 304,
            let earlier = traffic.exchanges[..<index].last(where: { $0.url == exchange.url && $0.status == 200 })
        {
            exchange = earlier
        }
        var headers = exchange.responseHeaders
        // The body is decoded.
        headers[.contentEncoding] = nil
        return ClientResponse(
            status: HTTPResponse.Status(code: exchange.status),
            headers: headers,
            body: exchange.responseBody
        )
    }
}
