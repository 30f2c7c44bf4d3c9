public import Applin
public import Backlot
internal import Logging

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An Applin app without a device. It behaves like the real client, and a test uses it the way a person would.
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
/// An impossible step throws a ``StepError`` that shows the screen. A mistake of the backend during a step throws a
/// ``BackendError``: the rules of the Applin module check each page on arrival. A message to the user (403 and 422) doesn't
/// throw: the client shows it, and ``errorText`` has it.
///
/// Time stands still between steps. It passes only in ``wait(_:file:line:)``, which also runs everything that the client does in
/// that time.
public final class ApplinClient {
    /// The client's configuration.
    public let configuration: ApplinClientConfiguration
    let base: BaseURL
    package internal(set) var state = ApplinClientState()
    var session: ClientSession
    /// The dialect of the app's clients; nil until it is known.
    var dialect: Dialect? {
        didSet { state.client = version }
    }
    /// The client version that the test has chosen; nil without one.
    private let chosen: ClientVersion?
    private let inspector: ApplinInspector?
    private let app: RouteLookup?
    /// The time at which the client was created, in seconds since 1970.
    private let birth = Date().timeIntervalSince1970
    /// The verdicts on recent responses, so that equal bytes are read and inspected once.
    var verdicts = VerdictMemory()
    /// The findings about the backend in the last step.
    package internal(set) var findingsOfStep: [Finding] = []
    /// The possible steps on the screen, cached until the next step.
    var offered: [OfferedStep]?
    /// The photo that an upload sends.
    var photo = ApplinClient.samplePhoto
    /// The time until which the current step advances the clock; nil if it doesn't.
    var stepEnd: Int64?
    var log = ExchangeLog()
    /// All findings about the backend, without repetition, and at most 1,000.
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

    /// Creates a client of an app in this process, without a socket. The client also checks that links lead to existing routes.
    ///
    /// - Parameters:
    ///   - router: the router with the app's routes.
    ///   - basePath: the path of the app's base URL, such as `/` or `/travel/`.
    ///   - client: the version to behave as, such as `"0.31"`; nil for the newest that speaks the app's dialect.
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes.
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

    /// Creates a client of a handler in this process, without a socket.
    ///
    /// - Parameter client: the version to behave as; nil for the newest that speaks the dialect of the first page.
    /// - Throws: the errors of the handler's preparation, such as `StartupError`.
    public convenience init(
        _ handler: any Handler,
        at basePath: String = "/",
        client: ClientVersion? = nil,
        configuration: ApplinClientConfiguration = ApplinClientConfiguration()
    ) throws {
        let url = try HTTPURL(InProcessTransport.root).resolving(basePath)
        try self.init(InProcessTransport(handler), url, nil, nil, client, configuration)
    }

    /// Creates a client of any backend.
    ///
    /// - Parameters:
    ///   - url: the app's base URL, such as `http://127.0.0.1:8080/`; it ends in a slash.
    ///   - transport: the transport for requests. A `SocketTransport` may trust other certificates than the system does.
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

    /// Returns a client of the same app on another device. It has no cookies and no variables, and isn't launched.
    public func otherDevice() -> ApplinClient {
        ApplinClient(sharing: self)
    }

    /// Returns a client in the same state that continues independently, with another server.
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

    /// A copy of the client's cookies and transport, for requests that no real client would send. Changes to the copy don't
    /// affect the client.
    public var httpSession: ClientSession { session }

    /// The app's base URL.
    public var baseURL: HTTPURL { base.url }

    /// The client's requests, the latest last. It keeps 1,000 requests and 64 MB of bodies, and drops the oldest first.
    public var requests: [RequestRecord] { log.records }

    /// The header fields of a request for a page. They include the version if the test chose one and the app has a field for it.
    var pageHeaders: HTTPFields {
        let field = configuration.clientField ?? inspector?.clientField
        var headers = chosen.flatMap { field?.fields(telling: $0) } ?? [:]
        headers[.accept] = ResponseInspector.pageType
        return headers
    }

    /// The time on the client's clock, in seconds since 1970. Cookies expire by it.
    var time: Double { birth + Double(state.now) / 1000 }

    /// The inspector of the backend's responses.
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
    /// The inspector of the app mounted at a path; nil without such an app.
    package func applinInspector(at basePath: String) -> ApplinInspector? {
        pages.lazy.compactMap { page in
            page.basePath == basePath ? page.inspector as? ApplinInspector : nil
        }
        .first
    }
}

/// The configuration of a client in a test. The defaults suit most tests.
public struct ApplinClientConfiguration: Sendable {
    /// The dialect of the app's clients, for the rules about its pages; nil for the router's dialect, or without one for the
    /// dialect of the first page with an action.
    public var dialect: Dialect?
    /// The request field for the client's version, if a test chose one; nil for the router's field.
    public var clientField: ClientField?
    /// The page that the app shows at its first start and after a log-out.
    public var firstPage = "/"
    /// The lowest severity at which a finding fails the step that caused it; nil to never fail.
    ///
    /// Findings are mistakes of the backend: pages that clients reject, the statuses 400, 404 and 500, a body that ends early.
    /// 403 and 422 are messages to the user, and don't count.
    public var failingSeverity: Finding.Severity? = .error
    /// The names of rules to ignore in this test, such as `server-error` if a page shows errors on purpose.
    public var ignoredRules: Set<String> = []
    /// The limits of size and time for the backend's responses.
    public var limits = ClientLimits()
    /// The position of the wait before a refresh within its range, from -1 to 1, called for each refresh. Real clients choose it
    /// at random. Here it is the middle, so that a test runs the same way every time.
    public var jitter: @Sendable () -> Double = { 0 }

    /// Creates the default configuration.
    public init() {}
}
