internal import Backlot
internal import BacklotClients
internal import BacklotMocks
internal import BacklotRecording

/// Compares two responses: status, header fields, and the kind of body.
struct ResponseComparison: Sendable {
    /// The maximum number of a response's cookies to compare.
    private static let mostCookies = 50
    /// The statuses of missing pages and routes.
    static let gone = [404, 405, 410, 501]

    let terms: ComparisonTerms
    /// The protocols that documents may use.
    let protocols: [AppProtocol]
    /// Whether clients request a page, or call a target of a page's actions.
    let isPage: Bool
    /// Whether a session's cookie counts. Mocks have their own session cookie, under any name.
    var comparesSession = true
    /// The header fields to compare.
    var statedHeaders: [HTTPField.Name] = []
    /// The path of the backend's base URL, without a trailing slash. Mocks are at `/`.
    var basePath = ""

    private func difference(
        _ rule: String,
        was: String?,
        now: String?,
        name: String? = nil,
        _ message: String
    ) -> Difference {
        Difference(rule, terms.kind(rule, was: was), was: was, now: now, name: name, message)
    }

    func status(_ was: ClientResponse, _ now: ClientResponse, to request: ClientRequest) -> Difference {
        let isCall = request.method != .get
        let isGone = Self.gone.contains(now.status.code) && was.status.kind == .successful
        let rule = isGone ? isPage && !isCall ? "page-gone" : "route-gone" : "status-changed"
        var message = "The status was \(was.status), and is \(now.status)"
        if isCall, now.isRefusal(of: was) {
            message = "\(terms.nowFirst) refuses what \(terms.was) accepts: t" + message.dropFirst()
        }
        if now.status.kind == .redirection, let place = now.headers[.location] {
            let isSame = (try? request.url.resolving(place)) == request.url
            message += isSame ? ", a redirect to itself" : ", a redirect to \(place.cut(to: 100).inQuotes)"
        } else if now.status.kind == .clientError, now.mediaType == "text/plain", !now.body.isEmpty {
            message += ": \(now.firstLine.inQuotes)"
        }
        return difference(rule, was: "\(was.status)", now: "\(now.status)", message + ".")
    }

    // MARK: Header fields

    func cookies(_ was: ClientResponse, _ now: ClientResponse) -> [Difference] {
        func settings(_ response: ClientResponse) -> [SetCookie] {
            response.headers[values: .setCookie].prefix(Self.mostCookies).compactMap { SetCookie(parsing: $0) }
        }
        let isSession = SecretNames.isSession
        let (known, found) = (settings(was), settings(now))
        var differences: [Difference] = []
        for cookie in known where comparesSession || !isSession(cookie.name) {
            let name = cookie.name
            guard let other = found.first(where: { isSession(name) ? isSession($0.name) : $0.name == name }) else {
                let message = "\(terms.nowFirst) doesn't set the cookie \(name.inQuotes) any more."
                differences.append(difference("cookie-removed", was: name, now: nil, message))
                continue
            }
            let (old, new) = (Self.attributes(cookie), Self.attributes(other, below: basePath))
            guard !isSession(name), old != new else { continue }
            let message = "The cookie \(name.inQuotes) had \(old), and has \(new)."
            differences.append(difference("cookie-changed", was: old, now: new, name: name, message))
        }
        let names = Set(known.map(\.name))
        for name in found.map(\.name) where !isSession(name) && !names.contains(name) {
            let message = "\(terms.nowFirst) sets the cookie \(name.inQuotes), and \(terms.was) doesn't."
            differences.append(difference("cookie-added", was: nil, now: name, message))
        }
        return differences
    }

    /// The attributes that decide how long and where clients send a cookie. Recordings lack `Secure`, `Domain` and `SameSite`,
    /// which don't suit mocks.
    private static func attributes(_ cookie: SetCookie, below basePath: String = "") -> String {
        let parts = [
            cookie.path.map { "Path=\($0.path(below: basePath) ?? $0)" }, cookie.isHTTPOnly ? "HttpOnly" : nil,
            cookie.maxAge != nil || cookie.expiresText != nil ? "an end" : nil,
        ]
        let list = parts.compactMap(\.self)
        return list.isEmpty ? "no attributes" : list.joined(separator: ", ")
    }

    /// Header fields that differ in each response, or that are compared elsewhere.
    private static let passedOver: Set<HTTPField.Name> = [
        .setCookie, .contentType, .location, .eTag, .lastModified, .contentLength, .date, .cacheControl,
        .contentEncoding, .retryAfter, .expires,
    ]

    func fields(_ was: ClientResponse, _ now: ClientResponse) -> [Difference] {
        let stated = statedHeaders.filter { !Self.passedOver.contains($0) && $0 != BrokenFiles.field }
        let gone = stated.filter { now.headers[$0] == nil }.map(\.rawName)
        var differences = gone.map { name in
            let message = "\(terms.nowFirst) doesn't send the header field \(name) any more."
            return difference("header-removed", was: name, now: nil, message)
        }
        let (old, new) = (was.cacheDirectives, now.cacheDirectives)
        if statedHeaders.contains(.cacheControl), old != new {
            let message = "Cache-Control was \(old ?? "missing"), and is \(new ?? "missing")."
            differences.append(difference("cache-control-changed", was: old, now: new, message))
        }
        return differences
    }

    // MARK: Bodies

    /// The difference if only one response has a body.
    func emptiness(_ was: ClientResponse, _ now: ClientResponse) -> Difference? {
        guard was.body.isEmpty != now.body.isEmpty else { return nil }
        let (old, new) = (was.mediaType ?? "a body", now.mediaType ?? "a body")
        if now.body.isEmpty {
            let message = "\(terms.nowFirst) responds without a body now."
            return difference("body-removed", was: old, now: nil, message)
        }
        let message = "\(terms.nowFirst) responds with a body, and \(terms.was) without one."
        return difference("body-added", was: nil, now: new, message)
    }

    func mediaType(_ was: ClientResponse, _ now: ClientResponse) -> Difference? {
        let (old, new) = (was.mediaType, now.mediaType)
        guard old != new, !was.body.isEmpty else { return nil }
        // Clients accept only this type for pages.
        let isRefused = terms.depth == .all && old != nil && old == protocols.pages?.contentType
        let message = "The media type was \(old ?? "missing"), and is \(new ?? "missing")"
        let end = isRefused ? ", and clients reject the page." : "."
        let found = difference("content-type-changed", was: old, now: new, message + end)
        return isRefused ? found.retold(.breaking, found.message) : found
    }

    /// A difference that makes further comparison useless: the body isn't JSON or a page, or has another return code.
    func kindOfDocument(
        _ was: JSONValue,
        _ now: JSONValue?,
        _ response: ClientResponse,
        _ language: AppProtocol?
    ) -> Difference? {
        let sides = "\(terms.wasFirst) responds with "
        let excerpt = response.text.cut(to: 60)
        guard let now else {
            let message = sides + "JSON, and \(terms.now) with something else: \(excerpt.inQuotes)."
            return difference("not-json", was: "JSON", now: response.mediaType ?? "another body", message)
        }
        guard let language else { return nil }
        if language.comparison.isUnmistakable, !language.recognises(now) {
            let shown = terms.depth == .all ? "\(now)".cut(to: 60) : excerpt.inQuotes
            let message = sides + "a page, and \(terms.now) with other JSON: \(shown)."
            return difference("no-page", was: "a page", now: "other JSON", message)
        }
        guard let packets = language.comparison.packets, let code = was[packets.code],
            (code == packets.success) != (now[packets.code] == packets.success)
        else { return nil }
        let (old, new) = (code.description, now[packets.code]?.description ?? "no code")
        let text = terms.depth == .all ? packets.refusal(now).map { ": \($0.cut(to: 100).inQuotes)" } ?? "" : ""
        let isWorse = terms.depth != .all || code == packets.success
        let pointer = JSONPointer.step(packets.code)
        var difference = Difference(
            "return-code-changed",
            isWorse ? .breaking : .visible,
            at: FindingPath(page: "", pointer: pointer),
            place: pointer,
            was: old,
            now: new,
            name: "",
            "The return code was \(old), and is \(new)\(text)."
        )
        difference.isOfDocument = true
        return difference
    }
}

// MARK: - Mocks

/// A request with the responses of the mocks and of the backend.
struct ComparedExchange: Sendable {
    /// The request to the backend.
    let request: ClientRequest
    /// The request to the mocks.
    let mockRequest: ClientRequest
    let mock: ClientResponse
    let backend: Result<ClientResponse, ClientError>
    /// The keys of packets, which contain return codes; nil without packets.
    let packets: ComparedKeys.Packets?

    /// The backend's response; nil without one.
    var response: ClientResponse? { try? backend.get() }
}

extension ResponseComparison {
    /// The differences between a mock and its backend that all exchanges have in common. Each pass has one exchange.
    func differences(_ exchanges: [ComparedExchange]) -> [Difference] {
        let responded = exchanges.filter { $0.response != nil }
        guard !responded.isEmpty else {
            guard case .failure(let failure)? = exchanges.first?.backend else { return [] }
            let message = "\(terms.nowFirst) doesn't respond: \(failure)."
            return [difference("no-answer", was: "a response", now: nil, message)]
        }
        return Difference.lasting(
            responded.indices.map { index in
                let other = responded.count > 1 ? responded[(index + 1) % responded.count].response : nil
                return differences(responded[index], again: other)
            }
        )
    }

    private func differences(_ exchange: ComparedExchange, again: ClientResponse?) -> [Difference] {
        guard let now = exchange.response else { return [] }
        let was = exchange.mock
        var differences: [Difference] = []
        if was.status != now.status {
            differences.append(status(was, now, to: exchange.request))
            guard was.status.kind == now.status.kind else { return differences }
        }
        differences += location(exchange, now) + cookies(was, now) + fields(was, now)
        // Error texts are for people, and aren't compared.
        guard was.status.kind == .successful || was.mediaType?.hasSuffix("json") == true else { return differences }
        if let difference = emptiness(was, now) { return differences + [difference] }
        differences += [mediaType(was, now)].compactMap(\.self)
        guard let known = was.document else { return differences }
        return differences + documents(known, now, again: again, path: exchange.request.url.path)
    }

    private func location(_ exchange: ComparedExchange, _ now: ClientResponse) -> [Difference] {
        guard exchange.mock.status.kind == .redirection else { return [] }
        func place(_ response: ClientResponse, _ url: HTTPURL, below basePath: String = "") -> String? {
            guard let text = response.headers[.location], let place = try? url.resolving(text) else {
                return response.headers[.location]
            }
            guard place.hasSameOrigin(as: url), let path = place.path.path(below: basePath) else {
                return "\(place.scheme.rawValue)://\(place.authority)\(terms.route(place.path))"
            }
            return terms.route(path)
        }
        let old = place(exchange.mock, exchange.mockRequest.url)
        let new = place(now, exchange.request.url, below: basePath)
        guard old != new else { return [] }
        let places = [old, new].map { ($0 ?? "nowhere").cut(to: 100) }
        let message = "The redirect led to \(places[0]), and leads to \(places[1])."
        return [difference("location-changed", was: old, now: new, message)]
    }

    private func documents(
        _ known: JSONValue,
        _ now: ClientResponse,
        again: ClientResponse?,
        path: String
    ) -> [Difference] {
        let language = protocols.language(of: known)
        let document = now.document
        if let difference = kindOfDocument(known, document, now, language) { return [difference] }
        guard let document else { return [] }
        let comparison = DocumentComparison(
            ComparedDocument(known, language),
            ComparedDocument(document, language),
            again: again?.document.map { ComparedDocument($0, language) },
            terms
        )
        guard let language else { return comparison.differences }
        func findings(_ document: JSONValue) -> [Finding] {
            language.inspector.findings(in: document, path: path, app: nil)
        }
        var broken = BrokenRules(terms, in: comparison.differences)
        broken.add(findings(document), known: Counts(findings(known).map(\.rule)))
        return broken.differences
    }
}

extension ClientResponse {
    /// The body as JSON; nil for other bodies.
    var document: JSONValue? { document(nesting: ClientLimits().nesting) }

    func document(nesting: Int) -> JSONValue? {
        body.isEmpty ? nil : try? JSONValue(parsing: body, depthLimit: nesting)
    }

    /// The first line of the body, for a sentence.
    var firstLine: String { String(text.prefix { !$0.isNewline }).cut(to: 100) }

    /// The names of the cache directives, without their values, which may differ in each response.
    fileprivate var cacheDirectives: String? {
        headers[.cacheControl].map { value in
            value.lowercased().split(separator: ",")
                .map { part in String(part.prefix { $0 != "=" }).filter { $0 != " " } }
                .sorted()
                .joined(separator: ", ")
        }
    }

    /// Whether this response rejects the values or the user of a request that another response accepts.
    func isRefusal(of other: ClientResponse) -> Bool {
        other.status.kind == .successful && [401, 403, 422].contains(status.code)
    }
}
