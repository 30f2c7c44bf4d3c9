internal import Backlot
internal import BacklotClients
internal import BacklotMocks
internal import BacklotRecording

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends the same requests to the mocks and to the backend, with separate cookies. It remembers corresponding values.
struct MockSession {
    /// A path in the spelling of the mocks and of the backend.
    typealias Paths = (mock: String, backend: String)

    private static let mostPaths = 10_000

    let mocks: MockBackend
    let routes: RouteKeys
    let inProcess: InProcessTransport
    /// The protocols that documents may use.
    let protocols: [AppProtocol]
    private let transport: any ClientTransport
    private let root: HTTPURL
    /// The backend's base URL, without a trailing slash.
    private let base: String
    /// The path of the backend's base URL, without a trailing slash.
    let basePath: String
    private let options: ComparisonOptions
    private var mockCookies = CookieJar()
    private var backendCookies = CookieJar()
    /// The cookie of the mocks' own logged-in session; nil to use the cookies from responses.
    private var mockLogin: String?
    /// The corresponding values, learned from the responses of both.
    private var known = Correspondence()
    private var backendPaths: [String]
    /// The tokens of packet sessions, by path.
    private var tokens: [String: (mock: String, backend: String)] = [:]
    /// The credentials that the mocks' responses give and the mocks' requests take.
    private let credentials: Set<String>
    /// The header fields that clients send tokens in.
    private let tokenFields: [String: HTTPField]
    /// The last token from the mocks. Every request to the backend has its counterpart, as from an app.
    private var token: String?
    /// The responses that give clients their credentials.
    let logIns: Set<StubID>
    /// The variables of the pages that lead to an rpc, while their inputs are untouched.
    private var variables: [String: (mock: JSONObject, backend: JSONObject)] = [:]
    /// The step that the backend rejected. After it, the session differs from the mocks.
    var failedStep: FailedStep?

    init(_ mocks: MockBackend, _ transport: any ClientTransport, base: HTTPURL, _ options: ComparisonOptions) throws {
        self.mocks = mocks
        routes = RouteKeys(mocks)
        let own = mocks.apps.map(\.appProtocol) + [mocks.configuration.pages?.appProtocol].compactMap(\.self)
        protocols = AppProtocol.known + own
        self.transport = transport
        self.options = options
        let router = Router()
        router.mocks(mocks)
        inProcess = try InProcessTransport(CheckedHandler(handler: router.handler()))
        root = try HTTPURL(InProcessTransport.root)
        backendPaths = options.paths
        let probes = mocks.probes
        let credentials = Set(probes.flatMap(\.credentials))
        self.credentials = credentials
        tokenFields = probes.reduce(into: [:]) { fields, probe in
            for field in probe.headers where field.name != .cookie {
                for credential in probe.credentials where field.value.hasSuffix(credential) {
                    fields[credential] = field
                }
            }
        }
        logIns = Set(
            probes.filter { probe in
                probe.logsIn || probe.method != .get && credentials.contains(where: probe.gives)
            }
            .map(\.id)
        )
        let text = "\(base)".prefix { $0 != "?" }
        self.base = String(text.hasSuffix("/") ? text.dropLast() : text)
        basePath = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
    }

    /// The keys of packets; nil without packets.
    var packets: ComparedKeys.Packets? { protocols.packets }

    /// A session of another client that shares the learned values.
    var another: MockSession {
        var other = self
        (other.mockCookies, other.backendCookies, other.mockLogin) = (CookieJar(), CookieJar(), nil)
        (other.tokens, other.failedStep) = ([:], nil)
        return other
    }

    /// Logs in to the mocks. The backend identifies the user by the header fields of the options.
    mutating func logInToMocks() async { mockLogin = try? await mocks.loggedInCookie() }

    /// The reason why a request can't be sent to the backend: it needs credentials that no response gave.
    func missingLogIn(for probe: MockProbe) -> String? {
        guard !options.tellsUser else { return nil }
        let isMissing = probe.credentials.contains { credential in
            let isCookie = credential.contains("=") && probe.headers[.cookie]?.contains(credential) == true
            let isGiven = probe.headers.contains { $0.value.hasSuffix(credential) && options.headers[$0.name] != nil }
            return !isGiven && (isCookie ? !hasSession : known.texts[credential] == nil)
        }
        return isMissing
            ? "it takes the credentials of a log-in: --rpc logs in as the mocks do, and --header passes a session to the backend"
            : nil
    }

    /// Whether the backend set a session cookie.
    private var hasSession: Bool { backendCookies.cookies.contains { SecretNames.isSession($0.name) } }

    // MARK: Exchanges

    /// Sends the request to both.
    ///
    /// - Parameter filled: whether to fill in inputs that are empty at first.
    mutating func ask(_ probe: MockProbe, _ path: Paths, filled: Bool) async throws -> ComparedExchange {
        var mock = try request(probe, path, filled: filled, toBackend: false)
        let backend = try request(probe, path, filled: filled, toBackend: true)
        mock.headers[.cookie] = mockCookie(for: mock)
        let own = try await inProcess.response(to: mock, limits: ClientLimits())
        mockCookies.take(own.headers[values: .setCookie], from: mock.url, now: 0)
        let exchange = await send(mock, own, backend)
        // For mocks, a trailing slash makes no difference.
        guard let response = exchange.response, probe.method == .get, own.status.kind == .successful,
            backend.url.query == nil, !path.backend.hasSuffix("/"), known.path(path.mock) == nil
        else { return exchange }
        let place = response.headers[.location]?.prefix { $0 != "?" }
        let isRedirect = response.status.kind == .redirection && place?.hasSuffix(path.backend + "/") == true
        guard response.status == .notFound || isRedirect else { return exchange }
        var other = backend
        other.url = try HTTPURL(base + path.backend + "/")
        let second = await send(mock, own, other)
        return second.response?.status.kind == .successful ? second : exchange
    }

    /// Whether the mocks would send the probe's response now; otherwise, the name of the other response.
    func isServed(_ probe: MockProbe, _ path: Paths, filled: Bool) -> (isOwn: Bool, other: String?) {
        guard var request = try? request(probe, path, filled: filled, toBackend: false) else { return (false, nil) }
        request.headers[.cookie] = mockCookie(for: request)
        let sent = try? Request(request.method, request.url.target, headers: request.headers, body: request.body)
        guard let sent, let found = mocks.probed(by: sent, body: request.body) else { return (false, nil) }
        return (found.id == probe.id, "\(found.source)")
    }

    private func mockCookie(for request: ClientRequest) -> String? {
        let own = [request.headers[.cookie], mockLogin, mockCookies.header(for: request.url, now: 0)].compactMap(\.self)
        return own.isEmpty ? nil : own.joined(separator: "; ")
    }

    /// Sends the backend the request that the mocks have responded to.
    private mutating func send(
        _ mock: ClientRequest,
        _ own: ClientResponse,
        _ request: ClientRequest
    ) async -> ComparedExchange {
        var request = request
        let now = Date().timeIntervalSince1970
        let cookies = [request.headers[.cookie], backendCookies.header(for: request.url, now: now)].compactMap(\.self)
        request.headers[.cookie] = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
        for field in options.headers {
            let cookies = field.name == .cookie ? request.headers[.cookie].map { "\($0); " } ?? "" : ""
            request.headers[field.name] = cookies + field.value
        }
        let result: Result<ClientResponse, ClientError>
        do throws(ClientError) {
            let response = try await transport.response(to: request, limits: options.limits)
            backendCookies.take(response.headers[values: .setCookie], from: request.url, now: now)
            result = .success(try response.decoded(limit: options.limits.body))
        } catch {
            result = .failure(error)
        }
        let exchange = ComparedExchange(
            request: request,
            mockRequest: mock,
            mock: own,
            backend: result,
            packets: packets
        )
        learn(from: exchange)
        return exchange
    }

    /// Repeats a client's request to the mocks on the backend, with the backend's tokens.
    mutating func replay(_ own: ClientRequest, _ response: ClientResponse) async throws -> ComparedExchange {
        let url = try HTTPURL(base + own.url.target)
        var request = ClientRequest(own.method, url, headers: own.headers, body: own.body)
        if let body = try? JSONValue(parsing: own.body) { request.body = known.replaced(body).bytes }
        request.headers[.cookie] = nil
        request.headers[.acceptEncoding] = nil
        return await send(own, response, request)
    }

    // MARK: Requests

    private func request(_ probe: MockProbe, _ path: Paths, filled: Bool, toBackend: Bool) throws -> ClientRequest {
        func encoded(_ pairs: [NamedValue], _ texts: [String: String]) -> String {
            pairs.map { "\($0.name.formEncoded)=\((texts[$0.value] ?? $0.value).formEncoded)" }.joined(separator: "&")
        }
        let query = probe.query.isEmpty ? "" : "?" + encoded(probe.query, toBackend ? known.texts : [:])
        let url = toBackend ? try HTTPURL(base + path.backend + query) : try root.resolving(path.mock + query)
        var request = ClientRequest(probe.method, url, headers: probe.headers)
        if probe.takesVariables { request.headers[.accept] = protocols.pages?.contentType }
        if request.headers[.accept] == nil { request.headers[.accept] = "*/*" }
        // A recording has pseudonyms in place of credentials, which no backend accepts.
        if toBackend {
            if options.tellsUser { request.headers[.cookie] = nil }
            for (index, field) in zip(request.headers.indices, request.headers) {
                if field.name == .cookie {
                    let others = CookieHeader.pairs(in: field.value).filter { !SecretNames.isSession($0.name) }
                    request.headers[index].value = others.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
                } else if let credential = credentials.first(where: { field.value.hasSuffix($0) }) {
                    let own = known.texts[credential] ?? credential
                    request.headers[index].value = field.value.dropLast(credential.count) + own
                }
            }
            if request.headers[.cookie]?.isEmpty == true { request.headers[.cookie] = nil }
            if !probe.isRefusal, let token, let own = known.texts[token], let field = tokenFields[token],
                request.headers[field.name] == nil
            {
                request.headers[field.name] = field.value.dropLast(token.count) + own
            }
        }
        guard probe.method != .get else { return request }
        if let body = probe.body {
            request.body = body
        } else if !probe.form.isEmpty {
            request.headers[.contentType] = "application/x-www-form-urlencoded"
            request.body = Array(encoded(probe.form, [:]).utf8)
        } else if let object = object(probe, path.mock, filled: filled, toBackend: toBackend) {
            request.headers[.contentType] = "application/json"
            request.body = JSONValue.object(object).bytes
        }
        return request
    }

    /// The JSON body of a probe; nil without one.
    private func object(_ probe: MockProbe, _ path: String, filled: Bool, toBackend: Bool) -> JSONObject? {
        var object = variables[path].map { toBackend ? $0.backend : $0.mock } ?? JSONObject()
        if filled { object = object.filledIn }
        let own = toBackend ? options.variables.members : []
        // The calls of a packet session contain its token.
        if let token = tokens[path], let packets, probe.variables[packets.method] != nil {
            object[packets.token] = .string(toBackend ? token.backend : token.mock)
            if !own.isEmpty {
                var parameters = object[packets.parameters]?.object ?? JSONObject()
                for member in own { parameters[member.key] = member.value }
                object[packets.parameters] = .object(parameters)
            }
        }
        for member in probe.variables.members {
            object[member.key] = toBackend ? known.replaced(member.value) : member.value
        }
        // The mocks themselves reject a log-in without a user.
        if let user = probe.userVariable, object[user]?.string ?? "" == "" { object[user] = "backlot" }
        // A recorded log-in may only name the variables that distinguish it from others.
        let takesAll = probe.takesVariables || toBackend && logIns.contains(probe.id)
        for member in own where takesAll || object[member.key] != nil { object[member.key] = member.value }
        return probe.takesVariables || object.count > 0 ? object : nil
    }

    /// The paths that match a probe, those with links to them first.
    func paths(for probe: MockProbe) -> [Paths] {
        if let path = probe.path() { return [(path, known.path(path) ?? path)] }
        func path(_ target: String) -> String? { probe.values(in: target).flatMap { probe.path($0) } }
        return known.paths.compactMap { target in path(target).map { ($0, known.path(target) ?? target) } }
            + backendPaths.compactMap { target in path(target).map { ($0, $0) } }
    }

    /// Whether the variables that clients send are unknown: recordings only contain those that distinguish responses.
    func isGuess(_ probe: MockProbe, _ path: String) -> Bool {
        guard probe.method != .get, probe.body == nil, probe.form.isEmpty else { return false }
        if let packets, probe.variables[packets.method] != nil, tokens[path] != nil {
            return options.variables.count == 0
        }
        let given = options.variables.keys
        var named = Set(probe.variables.keys + [probe.userVariable].compactMap(\.self))
        let secrets = SecretNames(options.redactedKeys)
        guard let inputs = variables[path]?.mock else {
            if logIns.contains(probe.id) {
                named.formUnion(given)
                return named.count < 2
            }
            return named.count < 2 && !named.contains { secrets.kind(of: $0) != nil }
        }
        named.formUnion(given)
        let madeUp = inputs.members.filter { $0.value.string == "" && !named.contains($0.key) }
        // A log-in accepts almost any name, but only one password.
        return probe.logsIn ? madeUp.contains { secrets.kind(of: $0.key) != nil } : !madeUp.isEmpty
    }
}

// MARK: - Corresponding values

extension MockSession {
    /// Learns the targets of the pages in an exchange.
    private mutating func learn(from exchange: ComparedExchange) {
        guard let response = exchange.response, let mock = exchange.mock.document, let found = response.document else {
            return
        }
        let language = protocols.language(of: mock)
        let (was, now) = (ComparedDocument(mock, language), ComparedDocument(found, language))
        for pair in DocumentComparison(was, now, ComparisonTerms(route: routes.route)).pairs {
            if pair.isTarget {
                if isSameRoute(pair.was, pair.now) { learn(pair.was, pair.now) }
            } else if pair.areTokens && known.texts[pair.was] == nil || credentials.contains(pair.was) {
                // Each log-in gives another token.
                known.learn(text: pair.was, pair.now)
                if credentials.contains(pair.was) { token = pair.was }
            }
        }
        learnAdded(exchange, mock, found, response)
        for target in was.targets where known.path(target.withoutQuery) == nil { learn(target, target) }
        for target in now.targets.map(\.withoutQuery) where target.hasPrefix("/") {
            if backendPaths.count < Self.mostPaths, !backendPaths.contains(target) { backendPaths.append(target) }
        }
        let path = exchange.mockRequest.url.path
        if let key = language?.comparison.packets?.token, let mock = mock[key]?.string, let backend = found[key]?.string
        {
            tokens[path] = (mock, backend)
        }
        learnRows(exchange, mock, found)
        guard let form = protocols.pages?.form, let page = form(exchange.mock, path, options.limits) else {
            return
        }
        let own = (page.variables ?? [:], form(response, path, options.limits)?.variables ?? [:])
        for target in [path] + page.rpcs.map(\.withoutQuery) { variables[target] = own }
    }

    /// Whether two paths differ only in the values of parameters: another fixed path is another route.
    private func isSameRoute(_ mock: String, _ backend: String) -> Bool {
        let route = routes.route(mock)
        return mock.withoutQuery == backend.withoutQuery || route.contains("*") && route == routes.route(backend)
    }

    private mutating func learn(_ mock: String, _ backend: String) {
        let (mock, backend) = (mock.withoutQuery, backend.withoutQuery)
        if mock.hasPrefix("/"), backend.hasPrefix("/") { known.learn(path: mock, backend) }
    }

    /// Learns the route of an item that a POST added, from its id or from `Location`.
    private mutating func learnAdded(
        _ exchange: ComparedExchange,
        _ mock: JSONValue,
        _ found: JSONValue,
        _ response: ClientResponse
    ) {
        guard exchange.request.method == .post, response.status.kind == .successful else { return }
        func path(_ response: ClientResponse, _ url: HTTPURL, below basePath: String = "") -> String? {
            guard let text = response.headers[.location], let place = try? url.resolving(text),
                place.hasSameOrigin(as: url)
            else { return nil }
            return place.path.path(below: basePath)
        }
        if let was = path(exchange.mock, exchange.mockRequest.url),
            let now = path(response, exchange.request.url, below: basePath)
        {
            learn(was, now)
        }
        learnID(of: mock, found, below: exchange)
    }

    private mutating func learnID(of mock: JSONValue?, _ found: JSONValue?, below exchange: ComparedExchange) {
        func text(_ value: JSONValue?) -> String? {
            value?.string ?? value?.number.map { JSONValue.number($0).description }
        }
        let (was, now) = (exchange.mockRequest.url.path, exchange.request.url.path.dropFirst(basePath.count))
        for key in ["id", "uuid", "slug", "name"] {
            guard let one = text(mock?[key]), let two = text(found?[key]) else { continue }
            return learn("\(was)/\(one)", "\(now)/\(two)")
        }
    }

    /// Learns the routes of a JSON list's elements, from their ids.
    private mutating func learnRows(_ exchange: ComparedExchange, _ mock: JSONValue, _ found: JSONValue) {
        func first(_ document: JSONValue) -> JSONValue? {
            (document.array ?? document.object?.members.lazy.compactMap(\.value.array).first)?.first
        }
        learnID(of: first(mock), first(found), below: exchange)
    }
}

/// Responds without delays and webhooks.
private struct CheckedHandler: Handler {
    let handler: any Handler

    func prepare() throws { try handler.prepare() }

    func respond(to request: Request) throws -> HandlerResult {
        var request = request
        request.isCheck = true
        return try handler.respond(to: request)
    }
}

extension JSONObject {
    /// The variables, with a word in each empty text.
    var filledIn: JSONObject {
        members.reduce(into: JSONObject()) { $0[$1.key] = $1.value.string == "" ? "backlot" : $1.value }
    }
}

extension String {
    /// The text in a query or a form. Not all backends read `+` as a blank.
    fileprivate var formEncoded: String { FormText.encode(self).replacing("+", with: "%20") }

    fileprivate var withoutQuery: String { String(prefix { $0 != "?" && $0 != "#" }) }
}

// MARK: - Refusals

/// A log-in or a state change that the mocks accept and the backend rejects.
struct FailedStep: Sendable, Equatable {
    /// Method and path: `POST /sign_up`.
    let title: String
    /// The backend's response, such as `422 Unprocessable Content`.
    let response: String

    /// The reason why requests after it aren't compared.
    var reason: String {
        "it comes after \(title), which the backend refuses (\(response)): --variable gives that request other values"
    }
}

extension ComparedExchange {
    /// The status of the backend; nil without a response, or if the mocks don't succeed.
    private var status: HTTPResponse.Status? { mock.status.kind == .successful ? response?.status : nil }

    /// The backend's return code, if it rejects a call that the mocks accept; otherwise nil.
    private var refusingCode: JSONValue? {
        guard let packets, mock.document?[packets.code] == packets.success else { return .none }
        return packets.refusingCode(response?.document)
    }

    /// The failed step; nil if the backend accepts what the mocks accept.
    func failedStep(_ title: String) -> FailedStep? {
        let accepting: [HTTPResponse.Status.Kind] = [.successful, .redirection]
        guard accepting.contains(mock.status.kind) else { return nil }
        guard let response else { return FailedStep(title: title, response: "no response") }
        guard accepting.contains(response.status.kind) else {
            return FailedStep(title: title, response: "\(response.status)")
        }
        return refusingCode.map { FailedStep(title: title, response: "the return code \($0)") }
    }

    /// Whether the backend rejects what the mocks accept.
    var isFailed: Bool { failedStep("") != nil }

    /// The backend's rejection of a guessed request; nil if it accepts the request.
    var refusalOfGuess: String? {
        guard let status else { return nil }
        return [400, 411, 415, 422].contains(status.code)
            ? "\(status.code)" : refusingCode.map { "the return code \($0)" }
    }

    /// Whether the backend rejects the values or the user of a request that the mocks accept.
    var isRefused: Bool { [401, 403, 422].contains(status?.code) || refusingCode != nil }

    /// Whether the backend redirects where the mocks respond.
    var isRedirected: Bool { request.method == .get && status?.kind == .redirection }

    /// Whether the backend requires a log-in where the mocks don't.
    var asksForLogIn: Bool { [401, 403].contains(status?.code) }

    /// Whether other values of variables may help.
    var mayNeedOtherValues: Bool {
        request.method != .get
            && (status?.kind == .clientError || packets?.refusingCode(response?.document) != nil)
    }
}
