internal import Backlot
internal import BacklotClients
internal import BacklotRecording

/// A recording, prepared for headless clients.
struct RecordedTraffic: Sendable {
    /// The exchanges, in the order of their beginnings.
    let exchanges: [RecordedExchange]
    /// The client of each exchange; nil without cookies and credentials, since any client may have sent the request.
    let owners: [String?]
    /// The paths and queries in the spelling of the headless client.
    let targets: [String]
    /// The requests' bodies as JSON; nil for other bodies.
    let bodies: [JSONValue?]
    /// Whether requests have cookies or credentials. Some recordings lack them; all requests then belong to one client.
    let hasCookies: Bool

    /// Whether variables were sent as clients before 0.34 send them, with `name#key` unchanged.
    var hasFlatNames: Bool {
        bodies.contains { $0?.object?.keys.contains { $0.contains("#") || $0.contains("%") } == true }
    }

    /// The recording's server for a client that replays it. It uses TLS, so that the client sends all cookies.
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

    /// Whether a response is an Applin page.
    func isPage(_ index: Int) -> Bool {
        exchanges[index].responseType == ResponseInspector.pageType && (200...299).contains(exchanges[index].status)
    }

    /// The paths and queries that occur in the pages of an app.
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
            // Paths may occur as `rpc:/save`, or as `/photo?aspect_ratio=1`; clients don't send the ratio.
            let path = name.hasPrefix("/") ? name[...] : name.drop { $0 != ":" }.dropFirst()
            guard path.hasPrefix("/") else { continue }
            for part in [path, path[..<(path.firstRange(of: "?aspect_ratio=")?.lowerBound ?? path.endIndex)]] {
                if let url = try? root.resolving(String(part.dropFirst())) { targets.insert(url.target) }
            }
        }
        return targets
    }

    /// Whether a client requested a page, regardless of the response.
    func wantsPage(_ index: Int) -> Bool {
        exchanges[index].method == .get
            && (isPage(index) || exchanges[index].requestHeaders[.accept]?.contains(ResponseInspector.pageType) == true)
    }

    /// Whether a response is a resource that clients load without a step, such as a picture.
    func isDecoration(_ index: Int) -> Bool {
        guard exchanges[index].method == .get else { return exchanges[index].method == .options }
        let type = exchanges[index].responseType
        return type.hasPrefix("image/") || type.hasPrefix("font/") || type == "text/css" || type == "text/html"
            || type.hasSuffix("javascript")
    }
}

/// Replays the responses of a recording, each once, to a client that repeats the recorded requests.
final class RecordedTransport: ClientTransport {
    /// The result of a replay.
    struct Play {
        /// The replayed exchanges.
        var taken: [Int] = []
        /// Whether the client sent an unrecorded request.
        var hasMissed = false
        /// The recorded variables, if the client sent different ones.
        var wanted: JSONObject?
    }

    /// The maximum distance between exchanges that belong together: pictures and background refreshes may lie between them.
    private static let reach = 16

    private let traffic: RecordedTraffic
    /// The exchanges that may come from the client, and that no replay has explained yet.
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

    /// Whether the client of a request may have sent a recorded one: a client with cookies sends them.
    private func mayBeSent(_ index: Int, by request: ClientRequest) -> Bool {
        !traffic.hasCookies || traffic.owners[index] != nil || request.headers[.cookie] == nil
    }

    private func isSimilar(_ request: ClientRequest, _ index: Int) -> Bool {
        request.method == traffic.exchanges[index].method && request.url.target == traffic.targets[index]
    }

    private func isSame(_ request: ClientRequest, _ index: Int) -> Bool {
        guard isSimilar(request, index) else { return false }
        switch request.method {
        // Uploaded photos may differ.
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
        // The body is already decoded.
        headers[.contentEncoding] = nil
        return ClientResponse(
            status: HTTPResponse.Status(code: exchange.status),
            headers: headers,
            body: exchange.responseBody
        )
    }
}
