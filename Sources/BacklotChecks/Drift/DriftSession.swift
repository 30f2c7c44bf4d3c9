internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import BacklotMocks
internal import BacklotRecording
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends the same requests to the mocks and to the backend, with separate cookies. It remembers which values correspond: the
/// mock's `/notes/3` may be the backend's `/notes/17`.
struct DriftSession {
    /// A path that pages lead to.
    struct Target {
        let mock: String
        let backend: String
    }

    let mocks: MockBackend
    let routes: RouteKeys
    let inProcess: InProcessTransport
    let transport: any ClientTransport
    let root: HTTPURL
    /// The backend's base URL, without a slash at its end.
    let base: String
    let options: DriftOptions
    private var mockCookies = CookieJar()
    private var backendCookies = CookieJar()
    /// The mocks' own session, in which somebody is logged in; nil for the cookies that were set.
    private var mockLogin: String?
    var targets: [Target] = []
    var backendTargets: [String] = []
    /// The texts of the mocks' answers, and the backend's instead.
    var texts: [String: String] = [:]
    /// The tokens of the sessions of Xpedite apps, by their paths.
    var tokens: [String: (mock: String, backend: String)] = [:]
    /// The variables of the pages that lead to an rpc, while nobody has touched their inputs.
    var variables: [String: (mock: JSONObject, backend: JSONObject)] = [:]
    /// The step that the backend has refused, after which nothing in this session is as in the mocks.
    var failedStep: FailedStep?

    init(_ mocks: MockBackend, _ transport: any ClientTransport, base: HTTPURL, options: DriftOptions) throws {
        self.mocks = mocks
        routes = RouteKeys(mocks)
        self.transport = transport
        self.options = options
        let router = Router()
        router.mocks(mocks)
        inProcess = try InProcessTransport(CheckedHandler(handler: router.handler()))
        root = try HTTPURL(InProcessTransport.root)
        backendTargets = options.paths
        let text = "\(base)".prefix { $0 != "?" }
        self.base = text.hasSuffix("/") ? String(text.dropLast()) : String(text)
    }

    /// A session of another client, that knows what this one has learned.
    var another: DriftSession {
        var other = self
        other.mockCookies = CookieJar()
        other.backendCookies = CookieJar()
        other.mockLogin = nil
        other.tokens = [:]
        other.failedStep = nil
        return other
    }

    /// Logs somebody in to the mocks: the backend knows the user by the header fields of the options.
    mutating func logInToMocks() async {
        mockLogin = try? await mocks.loggedInCookie()
    }

    // MARK: Requests

    /// Asks both.
    ///
    /// - Parameter filled: whether inputs are filled in that are empty at first.
    mutating func ask(
        _ probe: MockProbe,
        _ path: (mock: String, backend: String),
        filled: Bool
    ) async throws -> DriftExchange {
        let (mock, backend) = try requests(probe, path, filled)
        let exchange = try await send(mock, backend)
        // To mocks a slash at the end makes no difference.
        guard case .success(let answer) = exchange.backend, probe.method == .get,
            exchange.mock.status.kind == .successful,
            backend.url.query == nil, !path.backend.hasSuffix("/"), !targets.contains(where: { $0.mock == path.mock })
        else { return exchange }
        let isRedirect =
            answer.headers[.location].map { $0.prefix { $0 != "?" }.hasSuffix(path.backend + "/") } ?? false
        guard answer.status == .notFound || answer.status.kind == .redirection && isRedirect else { return exchange }
        var other = backend
        other.url = try HTTPURL(base + path.backend + "/")
        let second = await send(exchange.mockRequest, exchange.mock, other)
        guard case .success(let found) = second.backend, found.status.kind == .successful else { return exchange }
        return second
    }

    /// Whether the probe's answer is the one that the mocks give now.
    func isAnswered(
        _ probe: MockProbe,
        _ path: (mock: String, backend: String),
        filled: Bool
    ) -> (isOwn: Bool, other: String?) {
        guard let request = try? requests(probe, path, filled).mock, let sent = try? incoming(request) else {
            return (false, nil)
        }
        guard let found = mocks.probed(by: sent, body: request.body) else { return (false, nil) }
        return (found.id == probe.id, "\(found.source)")
    }

    func incoming(_ request: ClientRequest) throws -> Request {
        var headers = request.headers
        headers[.cookie] = mockCookie(for: request)
        return try Request(request.method, request.url.target, headers: headers, body: request.body)
    }

    func mockCookie(for request: ClientRequest) -> String? {
        let own = [request.headers[.cookie], mockLogin, mockCookies.header(for: request.url, now: 0)].compactMap(\.self)
        return own.isEmpty ? nil : own.joined(separator: "; ")
    }

    mutating func send(_ mock: ClientRequest, _ backend: ClientRequest) async throws -> DriftExchange {
        var mock = mock
        mock.headers[.cookie] = mockCookie(for: mock)
        let own = try await inProcess.response(to: mock, limits: ClientLimits())
        mockCookies.take(own.headers[values: .setCookie], from: mock.url, now: 0)
        return await send(mock, own, backend)
    }

    /// Asks the backend what the mocks have answered.
    mutating func send(
        _ mock: ClientRequest,
        _ own: ClientResponse,
        _ request: ClientRequest
    ) async -> DriftExchange {
        var request = request
        let now = Date().timeIntervalSince1970
        let cookies = [request.headers[.cookie], backendCookies.header(for: request.url, now: now)].compactMap(\.self)
        request.headers[.cookie] = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
        for field in options.headers {
            let cookies = field.name == .cookie ? request.headers[.cookie].map { "\($0); " } ?? "" : ""
            request.headers[field.name] = cookies + field.value
        }
        let answer: Result<ClientResponse, ClientFailure>
        do throws(ClientFailure) {
            let response = try await transport.response(to: request, limits: options.limits)
            backendCookies.take(response.headers[values: .setCookie], from: request.url, now: now)
            answer = .success(try response.decoded(limit: options.limits.body))
        } catch {
            answer = .failure(error)
        }
        let exchange = DriftExchange(request: request, mockRequest: mock, mock: own, backend: answer)
        learn(from: exchange)
        return exchange
    }

    /// Asks the backend what a client of an app has asked the mocks, with the backend's tokens.
    mutating func replay(_ captured: CapturedExchange) async throws -> DriftExchange {
        let own = captured.request
        var request = ClientRequest(
            own.method,
            try HTTPURL(base + own.url.target),
            headers: own.headers,
            body: own.body
        )
        if let body = try? JSONValue(parsing: own.body) { request.body = replaced(body).bytes }
        request.headers[.cookie] = nil
        request.headers[.acceptEncoding] = nil
        return await send(own, captured.response, request)
    }

    func requests(
        _ probe: MockProbe,
        _ path: (mock: String, backend: String),
        _ isFilled: Bool
    ) throws -> (mock: ClientRequest, backend: ClientRequest) {
        var initial = variables[path.mock] ?? ([:], [:])
        if isFilled { initial = (initial.mock.filledIn, initial.backend.filledIn) }
        func request(_ url: HTTPURL, _ initial: JSONObject, _ isBackend: Bool) -> ClientRequest {
            var request = ClientRequest(probe.method, url, headers: probe.headers)
            request.headers[.accept] = probe.takesVariables ? AnswerJudge.pageType : request.headers[.accept] ?? "*/*"
            // A recording has pseudonyms in place of credentials, which no backend knows.
            if isBackend, options.tellsUser { request.headers[.cookie] = nil }
            guard probe.method != .get else { return request }
            if let body = probe.body {
                request.body = body
            } else if !probe.form.isEmpty {
                request.headers[.contentType] = "application/x-www-form-urlencoded"
                request.body = Array(
                    probe.form.map { "\($0.name.formEncoded)=\($0.value.formEncoded)" }.joined(separator: "&").utf8
                )
            } else {
                var object = initial
                // The calls of an Xpedite session bear its token.
                if let token = tokens[path.mock], probe.variables["method"] != nil {
                    object["token"] = .string(isBackend ? token.backend : token.mock)
                    if isBackend, options.variables.count > 0 {
                        var parameters = object["parameters"]?.object ?? JSONObject()
                        for member in options.variables.members { parameters[member.key] = member.value }
                        object["parameters"] = .object(parameters)
                    }
                }
                for member in probe.variables.members {
                    object[member.key] = isBackend ? replaced(member.value) : member.value
                }
                // A log-in without its user is refused by the mocks themselves.
                if let user = probe.userVariable, object[user]?.string ?? "" == "" { object[user] = "backlot" }
                let own = isBackend ? options.variables.members : []
                for member in own where probe.takesVariables || object[member.key] != nil {
                    object[member.key] = member.value
                }
                guard probe.takesVariables || object.count > 0 else { return request }
                request.headers[.contentType] = "application/json"
                request.body = JSONValue.object(object).bytes
            }
            return request
        }
        func query(_ isBackend: Bool) -> String {
            guard !probe.query.isEmpty else { return "" }
            return "?"
                + probe.query.map { pair in
                    let value = isBackend ? texts[pair.value] ?? pair.value : pair.value
                    return "\(pair.name.formEncoded)=\(value.formEncoded)"
                }
                .joined(separator: "&")
        }
        return (
            request(try root.resolving(path.mock + query(false)), initial.mock, false),
            request(try HTTPURL(base + path.backend + query(true)), initial.backend, true)
        )
    }

    /// A value of a request with what the backend has said in place of the mocks' tokens and ids.
    func replaced(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(texts[text] ?? text)
        case .array(let elements): return .array(elements.map(replaced))
        case .object(let object):
            return .object(object.members.reduce(into: JSONObject()) { $0[$1.key] = replaced($1.value) })
        default: return value
        }
    }
}

/// Answers without delays and webhooks.
struct CheckedHandler: Handler {
    let handler: any Handler

    func prepare() throws { try handler.prepare() }

    func answer(_ request: Request) throws -> Answer {
        var request = request
        request.isCheck = true
        return try handler.answer(request)
    }
}

extension JSONObject {
    /// The variables with something in each text that is empty.
    var filledIn: JSONObject {
        members.reduce(into: JSONObject()) { $0[$1.key] = $1.value.string == "" ? "backlot" : $1.value }
    }
}

extension String {
    /// The text in a query or a form.
    fileprivate var formEncoded: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
