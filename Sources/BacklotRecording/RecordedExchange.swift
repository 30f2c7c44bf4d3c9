package import Backlot
import BacklotMocks

/// A request to a real backend, with its response.
package struct RecordedExchange: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// The path and the query of the request, below the backend's base URL; they begin with a slash.
    package var url: String
    /// The request's header fields.
    package var requestHeaders: HTTPFields
    /// The request's body, without a content coding.
    package var requestBody: [UInt8]
    /// The status of the response.
    package var status: Int
    /// The response's header fields.
    package var responseHeaders: HTTPFields
    /// The response's body, without a content coding.
    package var responseBody: [UInt8]
    /// The beginning of the request, since the recording's start.
    package var began: Duration
    /// The duration of the response.
    package var duration: Duration
    /// The client's identity; nil if only cookies and credentials distinguish clients.
    package var client: String?

    /// Creates an exchange.
    package init(
        _ method: HTTPRequest.Method,
        _ url: String,
        requestHeaders: HTTPFields = [:],
        requestBody: [UInt8] = [],
        status: Int = 200,
        responseHeaders: HTTPFields = [:],
        responseBody: [UInt8] = [],
        began: Duration = .zero,
        duration: Duration = .zero,
        client: String? = nil
    ) {
        self.method = method
        self.url = url
        self.requestHeaders = requestHeaders
        self.requestBody = requestBody
        self.status = status
        self.responseHeaders = responseHeaders
        self.responseBody = responseBody
        self.began = began
        self.duration = duration
        self.client = client
    }

    /// The path, percent-encoded.
    package var path: Substring { url.prefix { $0 != "?" } }

    /// The text after the question mark; nil without one.
    var query: Substring? {
        url.firstIndex(of: "?").map { url[url.index(after: $0)...] }
    }

    /// The media type of the request's body, in lower case and without parameters; empty without one.
    package var requestType: String { Self.mediaType(requestHeaders[.contentType]) }

    /// The media type of the response's body, in lower case and without parameters; empty without one.
    package var responseType: String { Self.mediaType(responseHeaders[.contentType]) }

    private static func mediaType(_ value: String?) -> String {
        (value ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    /// Method and path, for reports.
    package var title: String { "\(method.rawValue) \(path)" }

    /// Whether it opens a WebSocket, or is the refusal to open one.
    package var opensWebSocket: Bool {
        status == 101 || status >= 400 && requestHeaders[.upgrade]?.lowercased() == "websocket"
    }
}

extension RecordedExchange {
    /// Makes a redirect within the backend lead to the mocks.
    mutating func makeLocationRelative(to host: String, below basePath: String) {
        guard let location = responseHeaders[.location], let url = HARURL(location), url.host == host.lowercased(),
            let target = url.target(below: basePath)
        else { return }
        responseHeaders[.location] = target
    }

    /// Makes the redirect and the cookies of a response that no proxy has changed those of the mocks, which are at `/`.
    ///
    /// - Parameter origin: the scheme and the host of the backend.
    package mutating func moveToMocks(from origin: (scheme: String, host: String), below basePath: String) {
        if let location = responseHeaders[.location], location.hasPrefix("/"), !location.hasPrefix("//") {
            // A path outside of the base path leads to no mock.
            let url = "\(origin.scheme)://\(origin.host)\(location)"
            responseHeaders[.location] = location.path(below: basePath) ?? url
        }
        makeLocationRelative(to: origin.host, below: basePath)
        responseHeaders = responseHeaders.reduce(into: HTTPFields()) { fields, field in
            guard field.name == .setCookie, !basePath.isEmpty else { return fields.append(field) }
            let parts = field.value.split(separator: ";").map(\.trimmed)
            let attributes = parts.dropFirst().map { attribute -> String in
                guard attribute.lowercased().hasPrefix("path=") else { return String(attribute) }
                let path = String(attribute.dropFirst(5))
                return "Path=\(path.path(below: basePath) ?? path)"
            }
            let value = ([String(parts.first ?? "")] + attributes).joined(separator: "; ")
            fields.append(HTTPField(name: .setCookie, value: value))
        }
    }
}

extension String {
    /// The path and the query below a base path without a trailing slash; nil for a path outside of it.
    package func path(below basePath: String) -> String? {
        guard hasPrefix(basePath) else { return nil }
        let rest = dropFirst(basePath.count)
        if rest.hasPrefix("/") { return String(rest) }
        return rest.isEmpty || rest.hasPrefix("?") || rest.hasPrefix("#") ? "/\(rest)" : nil
    }
}

extension RecordedExchange {
    /// Creates an exchange from a journal's entry, with credentials, even for a fault.
    ///
    /// - Parameter start: the time of the journal's first response, in milliseconds since 1970.
    init(whole entry: JournalEntry, since start: Int64 = 0) {
        var headers = HTTPFields()
        for field in entry.request.headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            headers.append(HTTPField(name: name, value: field.value))
        }
        self.init(
            entry.request.method,
            entry.request.url,
            requestHeaders: headers,
            requestBody: entry.request.body,
            status: entry.response.status.code,
            responseHeaders: entry.response.headers,
            responseBody: entry.responseBody,
            began: .milliseconds(entry.time - start) - entry.duration,
            duration: entry.duration
        )
    }
}

/// The contents of a file about a response.
struct RecordedResponse: Hashable {
    /// The response's effect on the client's session.
    enum Session: Hashable {
        case none
        /// The user's name, or a tag for the name.
        case logIn(String)
        case logOut
    }

    let status: Int
    let headers: HTTPFields
    let body: [UInt8]
    let session: Session

    /// Fields that clients of mocks don't need, or that the server writes itself.
    private static let dropped: Set<String> = [
        "date", "content-length", "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "server", "via", "x-powered-by", "alt-svc", "content-encoding", "age", "strict-transport-security",
        "x-request-id", "request-id", "x-correlation-id", "x-trace-id", "traceparent", "x-runtime", "x-cache",
        "x-cache-hits", "x-served-by", "x-timer", "server-timing", "report-to", "reporting-endpoints", "nel",
        "expect-ct", "cf-ray", "cf-cache-status", "x-amz-cf-id", "x-amz-cf-pop", "x-amzn-trace-id", "x-amz-request-id",
        "sec-websocket-accept", "sec-websocket-extensions", "x-envoy-upstream-service-time", "accept-ranges",
        "forwarded", "x-forwarded-for", "vary",
    ]
    /// The final words of variable names for a user's name, the most specific first.
    private static let userWords = ["username", "user", "login", "email", "mail", "account", "name"]

    init(_ exchange: RecordedExchange, _ clients: RecordedClients) {
        status = exchange.status
        body = exchange.responseBody
        var headers = HTTPFields()
        // The Connection field names further fields that belong to the connection.
        let named = (exchange.responseHeaders[.connection] ?? "").lowercased().split(separator: ",").map {
            String($0.trimmed)
        }
        var session = Session.none
        for field in exchange.responseHeaders {
            let name = field.name.canonicalName
            guard !Self.dropped.contains(name), !named.contains(name) else { continue }
            if field.name == .contentType, exchange.responseBody.isEmpty { continue }
            guard field.name == .setCookie else {
                headers.append(field)
                continue
            }
            guard let cookie = RecordedCookie(field.value) else { continue }
            guard SecretNames.isSession(cookie.name) else {
                headers.append(HTTPField(name: .setCookie, value: cookie.forMocks))
                continue
            }
            // A session without a log-in isn't recorded: each client has its own.
            if clients.anonymous.contains("\(cookie.name)=\(cookie.value)") { continue }
            headers.append(HTTPField(name: .setCookie, value: cookie.forMocks))
            if cookie.isRemoval {
                session = .logOut
            } else if exchange.method != .get, exchange.status < 400, let user = Self.user(exchange) {
                session = .logIn(user)
            }
        }
        self.headers = headers
        self.session = session
    }

    /// The name of a user who logs in, as a tag if it is a variable; nil if it is unknown.
    private static func user(_ exchange: RecordedExchange) -> String? {
        if let object = (try? JSONValue(parsing: exchange.requestBody))?.object {
            let key = userKey(object.members.filter { $0.value.string?.isEmpty == false }.map(\.key))
            return key.map { "{{variables.\($0)}}" }
        }
        let pairs = NamedValue.decoded(String(decoding: exchange.requestBody, as: UTF8.self))
            .filter { !$0.value.isEmpty }
        let key = userKey(pairs.map(\.name))
        return pairs.first { $0.name == key && !$0.value.contains("{{") }?.value
    }

    private static func userKey(_ keys: [String]) -> String? {
        let plain = keys.filter {
            $0.utf8.allSatisfy { $0.isDigit || $0.isLetter || $0 == 0x5F }
        }
        return userWords.lazy.compactMap { word in plain.first { SecretNames.words(in: $0).last == word } }.first
    }
}

/// A cookie that a response sets.
struct RecordedCookie {
    let name: String
    var value: String
    private let attributes: [Substring]

    init?(_ text: String) {
        let parts = text.split(separator: ";")
        guard let first = parts.first, let equals = first.firstIndex(of: "=") else { return nil }
        name = String(first[..<equals].trimmed)
        value = String(first[first.index(after: equals)...].trimmed)
        attributes = parts.dropFirst().map(\.trimmed)
    }

    /// Whether the cookie is removed.
    var isRemoval: Bool {
        value.isEmpty || value == "\"\"" || value == "deleted"
            || attributes.contains { attribute in
                let text = attribute.lowercased()
                return text == "max-age=0" || text.hasPrefix("max-age=-")
                    || text.hasPrefix("expires=") && text.contains("1970")
            }
    }

    /// The cookie for a server on another host, possibly without TLS.
    var forMocks: String {
        let kept = attributes.filter { attribute in
            let text = attribute.lowercased()
            return text != "secure" && !text.hasPrefix("domain=") && text != "samesite=none"
        }
        return (["\(Self.nameForMocks(name))=\(value)"] + kept.map(String.init)).joined(separator: "; ")
    }

    /// The name in mocks, which have a `session` cookie themselves.
    static func nameForMocks(_ name: String) -> String { name == "session" ? "recorded-session" : name }
}

/// Distinguishes the clients of a recording, by session cookies and credentials and by the responses that gave them.
package struct RecordedClients {
    private var parents: [String: String] = [:]
    /// Session cookies that clients got without a log-in.
    private(set) var anonymous: Set<String> = []
    /// The exchanges that give clients their credentials.
    private(set) var logIns: Set<Int> = []
    /// The client of each exchange; nil for an unknown one.
    package private(set) var clients: [String?] = []
    /// The client of each exchange. If there is only one client, it also sent the requests without an identity.
    package var senders: [String?] {
        let names = Set(clients.compactMap(\.self))
        return names.count == 1 ? clients.map { $0 ?? names.first } : clients
    }

    /// Finds the clients of a recording.
    package init(_ exchanges: [RecordedExchange]) {
        let credentials = Self.credentials(exchanges)
        var known: Set<String> = []
        var own: [[String]] = []
        for (index, exchange) in exchanges.enumerated() {
            let ids = [exchange.client, Self.credentials(of: exchange)].compactMap(\.self)
            let sent = Self.sessions(of: exchange).map { "\($0.name)=\($0.value)" }
            let set = Self.newSessions(of: exchange).filter { !sent.contains($0) }
            // If a client sends a session before a response gives it, it comes from a log-in before the recording.
            known.formUnion(sent)
            if !exchange.isLogIn { anonymous.formUnion(set.filter { !known.contains($0) }) }
            known.formUnion(set)
            let found = ids.isEmpty || exchange.isLogIn ? Self.found(credentials, in: exchange) : []
            if exchange.isLogIn, !set.isEmpty || found.contains(where: { !ids.contains($0) }) { logIns.insert(index) }
            own.append(ids + sent + set + found)
        }
        for ids in own { for id in ids.dropFirst() { link(ids[0], id) } }
        clients = own.map { ids in ids.first.map { root($0) } }
    }

    private func root(_ id: String) -> String {
        var id = id
        while let parent = parents[id] { id = parent }
        return id
    }

    private mutating func link(_ one: String, _ other: String) {
        let (one, other) = (root(one), root(other))
        if one != other { parents[other] = one }
    }

    /// The minimum length, in bytes, of a token or a cookie's value that is recognized in texts.
    private static let shortest = 8

    /// The credentials that are long enough to be recognized in texts.
    private static func credentials(_ exchanges: [RecordedExchange]) -> Set<String> {
        Set(exchanges.compactMap { credentials(of: $0) }.filter { $0.utf8.count >= shortest })
    }

    /// The credentials in a response, in order.
    private static func found(_ credentials: Set<String>, in exchange: RecordedExchange) -> [String] {
        guard !credentials.isEmpty, !exchange.responseBody.isEmpty else { return [] }
        let text = String(decoding: exchange.responseBody, as: UTF8.self)
        return credentials.compactMap { credential in
            text.firstRange(of: credential).map { ($0.lowerBound, credential) }
        }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The header fields with credentials.
    static func credentialFields(of exchange: RecordedExchange) -> [HTTPField] {
        let names = SecretNames()
        return exchange.requestHeaders.filter {
            $0.name == .authorization
                || $0.name != .cookie && names.kind(of: $0.name.rawName) == "token"
                    && !$0.name.canonicalName.contains("csrf") && !$0.name.canonicalName.contains("xsrf")
        }
    }

    static func credentials(of exchange: RecordedExchange) -> String? {
        credentialFields(of: exchange).first.map { field in
            String(SecretPart.credentials(field.value)?.credentials ?? field.value[...])
        }
    }

    /// The session cookies of a request.
    static func sessions(of exchange: RecordedExchange) -> [NamedValue] {
        exchange.requestHeaders[values: .cookie].flatMap { CookieHeader.pairs(in: $0) }
            .filter { SecretNames.isSession($0.name) }
    }

    /// The session cookies that a response sets.
    private static func newSessions(of exchange: RecordedExchange) -> [String] {
        exchange.responseHeaders[values: .setCookie].compactMap(RecordedCookie.init)
            .filter { SecretNames.isSession($0.name) && !$0.isRemoval }.map { "\($0.name)=\($0.value)" }
    }

    /// Unifies the credentials of repeated log-ins. If the same log-in gives a new token or session cookie after the client has
    /// last used the old one, all of them become the first one.
    static func unified(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
        let credentials = credentials(exchanges)
        var lastUse: [String: Int] = [:]
        for (index, exchange) in exchanges.enumerated() {
            if let credential = Self.credentials(of: exchange) { lastUse[credential] = index }
            for cookie in sessions(of: exchange) { lastUse["\(cookie.name)=\(cookie.value)"] = index }
        }
        struct LogIn: Hashable {
            let url: String
            let body: [UInt8]
            /// The position of the credential in the response.
            let place: String
        }
        var first: [LogIn: (credential: String, lastUse: Int)] = [:]
        var same: [String: String] = [:]
        for (index, exchange) in exchanges.enumerated() where exchange.isLogIn {
            let cookies = newSessions(of: exchange).map { (place: String($0.prefix { $0 != "=" }) + "=", text: $0) }
            let tokens = found(credentials, in: exchange).enumerated().map { (place: "\($0.offset)", text: $0.element) }
            for (place, text) in cookies + tokens where same[text] == nil {
                let logIn = LogIn(url: "\(exchange.method) \(exchange.url)", body: exchange.requestBody, place: place)
                let last = lastUse[text] ?? index
                if let known = first[logIn], known.credential != text, known.lastUse < index {
                    (same[text], first[logIn]) = (known.credential, (known.credential, last))
                } else {
                    first[logIn] = (text, last)
                }
            }
        }
        guard !same.isEmpty else { return exchanges }
        // Requests only contain the value of a cookie.
        func value(_ text: String) -> String {
            String(text[(text.firstIndex(of: "=").map(text.index(after:)) ?? text.startIndex)...])
        }
        let pairs = same.sorted { $0.key < $1.key }
        return exchanges.map { exchange in
            var exchange = exchange
            for (old, new) in pairs {
                if credentials.contains(old) {
                    exchange.replace(old, new)
                } else if value(old).utf8.count >= shortest {
                    exchange.replace(value(old), value(new))
                } else {
                    exchange.replaceCookie(old, new)
                }
            }
            return exchange
        }
    }
}

extension RecordedExchange {
    /// Whether the response's credentials come from a log-in: a request that changes something, or a redirect on the way to a log-in.
    fileprivate var isLogIn: Bool { status < 400 && (method != .get || (301...308).contains(status)) }

    /// Replaces a cookie such as `sid=1` in the header fields for cookies. In other places, its value may have another meaning.
    fileprivate mutating func replaceCookie(_ old: String, _ new: String) {
        func replaced(_ fields: HTTPFields) -> HTTPFields {
            fields.reduce(into: HTTPFields()) { result, field in
                guard field.name == .cookie || field.name == .setCookie else { return result.append(field) }
                let parts = field.value.split(separator: ";", omittingEmptySubsequences: false).map { part in
                    part.trimmed == old ? part.replacing(old, with: new) : part
                }
                result.append(HTTPField(name: field.name, value: parts.joined(separator: ";")))
            }
        }
        (requestHeaders, responseHeaders) = (replaced(requestHeaders), replaced(responseHeaders))
    }

    fileprivate mutating func replace(_ old: String, _ new: String) {
        func replaced(_ fields: HTTPFields) -> HTTPFields {
            guard fields.contains(where: { $0.value.contains(old) }) else { return fields }
            return fields.reduce(into: HTTPFields()) {
                $0.append(HTTPField(name: $1.name, value: $1.value.replacing(old, with: new)))
            }
        }
        func replaced(_ bytes: [UInt8]) -> [UInt8] {
            guard let text = String(validating: bytes, as: UTF8.self), text.contains(old) else { return bytes }
            return Array(text.replacing(old, with: new).utf8)
        }
        (requestHeaders, responseHeaders) = (replaced(requestHeaders), replaced(responseHeaders))
        (requestBody, responseBody) = (replaced(requestBody), replaced(responseBody))
    }
}
