public import Applin
public import Backlot
internal import Logging

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
/// A step that can't be done throws a ``StepError``, which shows what was on the screen. A step in which the backend makes a
/// mistake throws a ``BackendError``: each page is judged by the rules of the Applin module when it comes. What the backend
/// tells the user (403 and 422) is no failure: the client shows it, and ``errorText`` has it.
///
/// Time stands still between the steps and passes in ``wait(_:file:line:)`` alone, with all that the client does
/// meanwhile.
public final class ApplinClient {
    /// How the client behaves.
    public let configuration: ApplinClientConfiguration
    let base: BaseURL
    package internal(set) var state = ApplinClientState()
    var session: ClientSession
    /// Which clients the app is for; nil until that is known.
    var dialect: Dialect? {
        didSet { state.client = version }
    }
    /// The client's version, where a test has chosen one.
    private let chosen: ClientVersion?
    private let inspector: ApplinInspector?
    private let app: RouteLookup?
    /// When the client was made, in seconds since 1970.
    private let birth = Date().timeIntervalSince1970
    /// The verdicts on the last answers, so that the same bytes aren't read and judged again.
    var verdicts = VerdictMemory()
    /// What was wrong with the backend in the last step.
    package internal(set) var findingsOfStep: [Finding] = []
    /// What was found to be possible on the screen since the last step.
    var offered: [OfferedStep]?
    /// What an upload sends.
    var photo = ApplinClient.samplePhoto
    /// Until when the current step lets time pass; nil for one that doesn't.
    var stepEnd: Int64?
    var log = ExchangeLog()
    /// All that was found to be wrong with the backend, each finding once, and no more than 1,000.
    public internal(set) var findings: [Finding] = []

    package init(
        _ transport: any ClientTransport,
        _ baseURL: HTTPURL,
        _ app: RouteLookup?,
        _ inspector: ApplinInspector?,
        _ client: ClientVersion?,
        _ configuration: ApplinClientConfiguration
    ) throws {
        base = try BaseURL(baseURL)
        self.configuration = configuration
        self.app = app
        self.inspector = inspector
        chosen = client
        dialect = client.map(Dialect.init) ?? configuration.dialect ?? inspector?.dialect
        session = ClientSession(transport, limits: configuration.limits)
        state.client = version
        state.firstPage = configuration.firstPage
    }

    /// A client of an app in this process, without a socket. Links are judged too: whether something answers where they lead.
    ///
    /// - Parameters:
    ///   - router: has the app's routes.
    ///   - basePath: the path of the app's base URL, such as `/` or `/travel/`.
    ///   - client: the version to behave as, such as `"0.31"`; nil for the newest that speaks the app's dialect.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered.
    public convenience init(
        _ router: Router,
        at basePath: String = "/",
        client: ClientVersion? = nil,
        configuration: ApplinClientConfiguration = ApplinClientConfiguration()
    ) throws {
        try self.init(
            InProcessTransport(router.handler()),
            HTTPURL(InProcessTransport.root).resolving(basePath),
            router.routeMap.lookup(below: basePath),
            router.applinInspector(at: basePath),
            client,
            configuration
        )
    }

    /// A client of a handler in this process, without a socket.
    ///
    /// - Parameter client: the version to behave as; nil for the newest that speaks the dialect of the first page.
    /// - Throws: what the handler finds wrong with itself.
    public convenience init(
        _ handler: any Handler,
        at basePath: String = "/",
        client: ClientVersion? = nil,
        configuration: ApplinClientConfiguration = ApplinClientConfiguration()
    ) throws {
        let url = try HTTPURL(InProcessTransport.root).resolving(basePath)
        try self.init(InProcessTransport(handler), url, nil, nil, client, configuration)
    }

    /// A client of any backend.
    ///
    /// - Parameters:
    ///   - url: the app's base URL, such as `http://127.0.0.1:8080/`; it ends in a slash.
    ///   - transport: what brings requests there. A `SocketTransport` may trust other certificates than the system does.
    ///   - client: the version to behave as; nil for the newest that speaks the dialect of the first page.
    /// - Throws: `ClientError.invalidURL`.
    public convenience init(
        url: String,
        transport: any ClientTransport = SocketTransport(),
        client: ClientVersion? = nil,
        configuration: ApplinClientConfiguration = ApplinClientConfiguration()
    ) throws {
        try self.init(transport, HTTPURL(url), nil, nil, client, configuration)
    }

    /// A client of the same app on another device: it has no cookies and no variables, and isn't launched.
    public func otherDevice() -> ApplinClient {
        ApplinClient(sharing: self)
    }

    /// A client in the same state, which goes on by itself and asks another server.
    package func twin(over transport: any ClientTransport) -> ApplinClient {
        let twin = ApplinClient(sharing: self)
        twin.session = ClientSession(transport, limits: session.limits)
        twin.session.cookies = session.cookies
        twin.dialect = dialect
        twin.state = state
        twin.verdicts = verdicts
        twin.log = log
        twin.findings = findings
        return twin
    }

    private init(sharing other: ApplinClient) {
        base = other.base
        configuration = other.configuration
        app = other.app
        inspector = other.inspector
        chosen = other.chosen
        dialect = other.dialect
        session = ClientSession(other.session.transport, limits: other.session.limits)
        state.client = version
        state.firstPage = configuration.firstPage
    }

    /// The version that the client behaves as.
    public var version: ClientVersion { chosen ?? (dialect ?? .objects).versions.upperBound }

    /// The client's cookies, and its way to the backend: for requests that no client would make. What it takes in afterwards
    /// doesn't come back to the client.
    public var httpSession: ClientSession { session }

    /// The app's base URL.
    public var baseURL: HTTPURL { base.url }

    /// The requests that were made, the last of them at the end. Of more than 1,000, or 64 MB of bodies, the first are forgotten.
    public var requests: [RequestRecord] { log.records }

    /// The header fields of a request for a page; a client whose version was chosen tells it where the app wants to know.
    var pageHeaders: HTTPFields {
        let field = configuration.clientField ?? inspector?.clientField
        var headers = chosen.flatMap { field?.fields(telling: $0) } ?? [:]
        headers[.accept] = ResponseInspector.pageType
        return headers
    }

    /// The time on the client's clock, in seconds since 1970: cookies end by it.
    var time: Double { birth + Double(state.now) / 1000 }

    /// Judges the backend's answers.
    var judge: ResponseInspector {
        ResponseInspector(
            dialect: dialect,
            clients: inspector?.clients,
            client: chosen,
            base: baseURL,
            app: app,
            limits: configuration.limits,
            words: inspector?.words ?? .standard
        )
    }
}

extension Router {
    /// What judges the pages of the app that is mounted at a path; nil where none is.
    package func applinInspector(at basePath: String) -> ApplinInspector? {
        pages.lazy.compactMap { page in
            page.basePath == basePath ? page.inspector as? ApplinInspector : nil
        }
        .first
    }
}

/// How a client in a test behaves. The defaults suit most tests.
public struct ApplinClientConfiguration: Sendable {
    /// Which clients the app is for, and so by which rules its pages are judged. nil: as the router says, or else the first
    /// page with an action.
    public var dialect: Dialect?
    /// The request field that tells the backend the client's version, where a test has chosen one. nil: as the router says.
    public var clientField: ClientField?
    /// The page that the app shows when it is started for the first time, and after a log-out.
    public var firstPage = "/"
    /// From which severity on a finding makes the step fail in which it was made; nil for never.
    ///
    /// Findings are mistakes of the backend: what clients reject, answers of 400 and 404 and 500, a body that ends early. 403
    /// and 422 are none: they tell the user something.
    public var failingSeverity: Finding.Severity? = .error
    /// The names of rules that don't count in this test, such as `server-error` where a page shows errors on purpose.
    public var ignoredRules: Set<String> = []
    /// How much is taken of the backend, and how long it is waited for.
    public var limits = ClientLimits()
    /// Where in its range the wait before a refresh lies, from -1 to 1, asked for each. Real clients draw it by chance; here
    /// it is the middle, so that a test runs the same every time.
    public var jitter: @Sendable () -> Double = { 0 }

    /// The default behaviour.
    public init() {}
}
