internal import Applin
public import Backlot
public import BacklotHTTP
internal import BacklotJSON
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An Applin app without a device: it behaves as the real client does, and a test uses it as a person would.
///
/// ```swift
/// let app = try ApplinClient(router)
/// try await app.launch()
/// try await app.tap("New Account")
/// try await app.enter("user1", into: "Username")
/// try await app.check("I agree")
/// try await app.tap("Create Account")
/// #expect(app.title == "Home")
/// ```
/// A step that can't be done throws a ``StepFailure``, which shows what was on the screen. A step in which the backend makes a
/// mistake throws a ``BackendFailure``: each page is judged by the rules of the Applin module when it comes. What the backend
/// tells the user (403 and 422) is no failure: the client shows it, and ``errorText`` has it.
///
/// Time stands still between the steps and passes in ``wait(seconds:file:line:)`` alone, with all that the client does
/// meanwhile.
public final class ApplinClient {
    /// The most requests that are remembered.
    private static let rememberedRequests = 1000
    /// The most pages whose last version is remembered.
    private static let rememberedPages = 100

    /// The app's base URL.
    public let baseURL: HTTPURL
    /// How the client behaves.
    public let configuration: ApplinClientConfiguration
    var state = AppState()
    var session: ClientSession
    private var dialect: Dialect?
    private let app: RouteLookup?
    /// When the client was made, in seconds since 1970.
    private let birth = Date().timeIntervalSince1970
    /// What was made of the last answer for each page: the same bytes aren't read and judged again.
    private var verdicts: [String: (body: [UInt8], verdict: AnswerJudge.Verdict)] = [:]
    /// What was found in the step in hand.
    var stepFindings: [Finding] = []
    /// The requests that were made, the last of them at the end; of more than 1,000 the first are forgotten.
    public private(set) var requests: [RequestRecord] = []
    /// All that was found to be wrong with the backend, each finding once.
    public private(set) var findings: [Finding] = []

    private init(
        _ transport: any ClientTransport,
        _ baseURL: HTTPURL,
        _ app: RouteLookup?,
        _ dialect: Dialect?,
        _ configuration: ApplinClientConfiguration
    ) throws {
        guard baseURL.path.hasSuffix("/"), baseURL.query == nil else {
            throw ClientFailure.invalidURL("\(baseURL)", problem: "a base URL ends in a slash")
        }
        self.baseURL = baseURL
        self.configuration = configuration
        self.app = app
        self.dialect = configuration.dialect ?? dialect
        session = ClientSession(transport, limits: configuration.limits)
    }

    /// A client of an app in this process, without a socket. Links are judged too: whether something answers where they lead.
    ///
    /// - Parameters:
    ///   - router: has the app's routes.
    ///   - basePath: the path of the app's base URL, such as `/` or `/travel/`.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered.
    public convenience init(
        _ router: Router,
        at basePath: String = "/",
        configuration: ApplinClientConfiguration = ApplinClientConfiguration()
    ) throws {
        try self.init(
            InProcessTransport(router.handler()),
            HTTPURL(InProcessTransport.root).resolving(basePath),
            router.routeMap.lookup(below: basePath),
            router.dialect(at: basePath),
            configuration
        )
    }

    /// A client of a handler in this process, without a socket.
    ///
    /// - Throws: what the handler finds wrong with itself.
    public convenience init(
        _ handler: any Handler,
        at basePath: String = "/",
        configuration: ApplinClientConfiguration = ApplinClientConfiguration()
    ) throws {
        let url = try HTTPURL(InProcessTransport.root).resolving(basePath)
        try self.init(InProcessTransport(handler), url, nil, nil, configuration)
    }

    /// A client of any backend.
    ///
    /// - Parameters:
    ///   - url: the app's base URL, such as `http://127.0.0.1:8080/`; it ends in a slash.
    ///   - transport: what brings requests there. For `https://` it is an `HTTPSTransport`, from BacklotTestingHTTPS.
    /// - Throws: `ClientFailure.invalidURL`.
    public convenience init(
        url: String,
        transport: any ClientTransport = SocketTransport(),
        configuration: ApplinClientConfiguration = ApplinClientConfiguration()
    ) throws {
        try self.init(transport, HTTPURL(url), nil, nil, configuration)
    }

    /// A client of a server in this process that is reached over a socket: its links are judged, as in process.
    convenience init(
        _ router: Router,
        at basePath: String,
        address: SocketAddress,
        configuration: ApplinClientConfiguration
    ) throws {
        try self.init(
            SocketTransport(),
            HTTPURL("http://\(address)/").resolving(basePath),
            router.routeMap.lookup(below: basePath),
            router.dialect(at: basePath),
            configuration
        )
    }

    /// A client of the same app on another device: it has no cookies and no variables, and isn't launched.
    public func otherDevice() -> ApplinClient {
        ApplinClient(sharing: self)
    }

    private init(sharing other: ApplinClient) {
        baseURL = other.baseURL
        configuration = other.configuration
        app = other.app
        dialect = other.dialect
        session = ClientSession(other.session.transport, limits: other.session.limits)
    }

    /// The client's cookies, and its way to the backend: for requests that no client would make. What it takes in afterwards
    /// doesn't come back to the client.
    public var httpSession: ClientSession { session }

    /// The time on the client's clock, in seconds since 1970: cookies end by it.
    var time: Double { birth + Double(state.now) / 1000 }

    private var judge: AnswerJudge {
        AnswerJudge(dialect: dialect, base: baseURL, app: app, limits: configuration.limits)
    }

    // MARK: Asking the server

    /// Loads or refreshes a page: by GET, or by POST where the page is on the stack and has inputs.
    ///
    /// - Parameter isBackground: the client does it by itself, and nobody waits for it.
    /// - Throws: the error that the client shows.
    func load(_ path: String, isBackground: Bool = false) async throws(ShownError) -> PageContents {
        if let page = StaticPages.page(path) { return page }
        var request = ClientRequest(.get, try url(path), headers: [.accept: AnswerJudge.pageType])
        if let variables = try state.variables(of: path) { request.setVariables(variables) }
        let result = await send(request, path, isBackground) { verdict(on: $0, path) }
        guard let page = try result.get() else { return StaticPages.placeholder }
        dialect = dialect ?? page.dialect
        return page
    }

    private func verdict(on response: ClientResponse, _ path: String) -> AnswerJudge.Verdict {
        if let known = verdicts[path], known.body == response.body, response.isPage {
            var verdict = known.verdict
            // Of a page that is refreshed and hasn't changed, all has been said.
            if state.entry(path)?.page.bytes == response.body { verdict.findings = [] }
            return verdict
        }
        let verdict = judge.page(response, path: path)
        if case .success = verdict.result {
            if verdicts.count >= Self.rememberedPages { verdicts = [:] }
            verdicts[path] = (response.body, verdict)
        }
        return verdict
    }

    /// Calls an rpc with the variables of the visible page. The header fields are those of a page's refresh.
    func call(_ rpc: String) async throws(ShownError) {
        var request = ClientRequest(.post, try url(rpc), headers: [.accept: AnswerJudge.pageType])
        request.setVariables(
            try state.top.flatMap { entry throws(ShownError) in try state.variables(of: entry.path) } ?? [:]
        )
        let judge = judge
        _ = try await send(request, rpc) { judge.rpc($0, path: rpc) }.get()
    }

    /// Sends a photo.
    func upload(_ photo: [UInt8], to path: String) async throws(ShownError) {
        let request = ClientRequest(
            .put,
            try url(path),
            headers: [.contentType: "image/jpeg"],
            body: photo,
            waitsForContinue: true
        )
        let judge = judge
        _ = try await send(request, path) { judge.upload($0, path: path) }.get()
    }

    /// Below the base URL, which no path may leave.
    private func url(_ path: String) throws(ShownError) -> HTTPURL {
        let relative = path.hasPrefix("/") ? String(path.dropFirst()) : path
        do throws(ClientFailure) {
            let url = try relative.isEmpty ? baseURL : baseURL.resolving(relative)
            if url.hasSameOrigin(as: baseURL), url.path.hasPrefix(baseURL.path) { return url }
        } catch {
            throw ShownError(.app, "\(error)")
        }
        throw ShownError(.app, "\(path) is outside the app's base URL.")
    }

    private func send(
        _ request: ClientRequest,
        _ path: String,
        _ isBackground: Bool = false,
        judging: (ClientResponse) -> AnswerJudge.Verdict
    ) async -> Result<PageContents?, ShownError> {
        let verdict: AnswerJudge.Verdict
        do throws(ClientFailure) {
            let exchange = try await session.send(request, now: time)
            remember(exchange.request, path, isBackground, exchange.redirects, .success(exchange.response))
            verdict = judging(exchange.response)
        } catch {
            remember(request, path, isBackground, [], .failure(error))
            verdict = judge.nothing(error, path: path)
        }
        note(isBackground ? verdict.findings.map(\.asBackground) : verdict.findings)
        return verdict.result
    }

    private func remember(
        _ request: ClientRequest,
        _ path: String,
        _ isBackground: Bool,
        _ redirects: [ClientExchange.Redirect],
        _ result: Result<ClientResponse, ClientFailure>
    ) {
        if requests.count >= Self.rememberedRequests { requests.removeFirst() }
        requests.append(
            RequestRecord(
                request: request,
                path: path,
                isBackground: isBackground,
                redirects: redirects,
                result: result
            )
        )
    }

    private func note(_ found: [Finding]) {
        let counted = found.filter { !configuration.ignoredRules.contains($0.rule) }
        stepFindings += counted
        for finding in counted where findings.count < Self.rememberedRequests && !findings.contains(finding) {
            findings.append(finding)
        }
    }
}

extension ClientRequest {
    fileprivate mutating func setVariables(_ variables: JSONObject) {
        method = .post
        headers[.contentType] = "application/json"
        body = variables.requestBody
    }
}

extension ClientResponse {
    /// Whether it says of itself that it is a page.
    fileprivate var isPage: Bool { (200...299).contains(status.code) && mediaType == AnswerJudge.pageType }
}

extension Finding {
    /// Rules about a server that can't answer now: the client tries again, and nobody sees anything.
    private static let temporary: Set<String> = [
        "server-error", "app-error", "unexpected-status", "no-answer", "answer-cut-short", "answer-too-late",
    ]

    /// The finding, where it was made while the client refreshed a page by itself.
    fileprivate var asBackground: Finding {
        guard severity == .error, Self.temporary.contains(rule) else { return self }
        return Finding(.warning, rule: rule, path: path, message: message, fix: fix)
    }
}

extension Router {
    /// The dialect of the app that is mounted at a path; nil where none is.
    fileprivate func dialect(at basePath: String) -> Dialect? {
        pages.lazy.compactMap { page in
            page.basePath == basePath ? (page.inspector as? ApplinInspector)?.dialect : nil
        }
        .first
    }
}
