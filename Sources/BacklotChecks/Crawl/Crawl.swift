public import Backlot
public import BacklotClients

/// Goes through a backend, in any language, the way its clients could, and reports what they would reject.
///
/// * Applin: it starts at `/` and follows push and replace_all, with one GET per page, and a POST if the page has inputs. It
///   never uploads photos.
/// * Xpedite: it connects, makes each tappable call with the same parameters once, requests the rows of each table, and taps the
///   first row.
/// * Floki: it starts at the version indicator, and follows the app data, the feeds of all tabs and languages, and the targets of
///   entries.
/// * Dynamic Views: it starts at the index, and loads each view in both dialects, and the views that navigation opens.
///
/// It keeps cookies. It calls rpcs, and methods that take input, only with ``CrawlOptions/callsRPCs``.
///
/// ```swift
/// let report = try await Crawl("http://127.0.0.1:8080/").report()
/// #expect(report.isClean, "\(report)")
/// ```
public struct Crawl: Sendable {
    /// The options of the crawl.
    public let options: CrawlOptions
    private let target: AppTarget

    /// Creates a crawl of any backend.
    ///
    /// - Parameters:
    ///   - url: the URL of the app. For Applin, Dynamic Views and A2UI, the base URL, such as `http://127.0.0.1:8080/`, which ends
    ///     in a slash; for Xpedite, the app's address; for Floki, the version indicator.
    ///   - appProtocol: the protocol that the backend speaks.
    ///   - transport: the transport to the backend. A `SocketTransport` may trust other certificates than the system does.
    /// - Throws: `ClientError.invalidURL`.
    public init(
        _ url: String,
        as appProtocol: AppProtocol = .usual,
        transport: any ClientTransport = SocketTransport(),
        options: CrawlOptions = CrawlOptions()
    ) throws(ClientError) {
        self.init(try AppTarget(url, appProtocol, transport), options)
    }

    /// Creates a crawl of an app in this process, without a socket.
    ///
    /// - Parameters:
    ///   - router: the router with the app's routes.
    ///   - path: the path of the app's URL, such as `/` or `/travel/`.
    ///   - appProtocol: the protocol that the app speaks.
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes; `ClientError.invalidURL`.
    public init(
        _ router: Router,
        at path: String = "/",
        as appProtocol: AppProtocol = .usual,
        options: CrawlOptions = CrawlOptions()
    ) throws {
        self.init(try AppTarget(router, at: path, appProtocol), options)
    }

    init(_ target: AppTarget, _ options: CrawlOptions) { (self.target, self.options) = (target, options) }

    /// The protocol that the backend speaks.
    public var appProtocol: AppProtocol { target.appProtocol }

    /// Goes through the backend, one request at a time.
    ///
    /// - Parameter progress: a closure that is called before each page.
    public func report(progress: (CrawlProgress) -> Void = { _ in }) async -> CrawlReport {
        await report(with: nil, progress)
    }

    /// Goes through the backend with a companion.
    func report(with company: (any CrawlCompanion)?, _ progress: (CrawlProgress) -> Void) async -> CrawlReport {
        var channel = CrawlTransport(target, options: options)
        channel.company = company
        var run = CrawlRun(channel, target)
        return await run.report(progress)
    }
}

/// The app to go through: its protocol, its URL, and a transport to it.
struct AppTarget: Sendable {
    let url: HTTPURL
    let appProtocol: AppProtocol
    let transport: any ClientTransport

    init(_ url: String, _ appProtocol: AppProtocol, _ transport: any ClientTransport) throws(ClientError) {
        (self.url, self.appProtocol, self.transport) = (try HTTPURL(url), appProtocol, transport)
        if appProtocol.client.hasBaseURL { _ = try BaseURL(self.url) }
    }

    /// Creates an app in this process.
    init(_ router: Router, at path: String, _ appProtocol: AppProtocol) throws {
        let url = try HTTPURL(InProcessTransport.root).resolving(path)
        try self.init("\(url)", appProtocol, InProcessTransport(router.handler()))
    }
}

/// The bounds of a crawl, and the options of its rules.
///
/// ```swift
/// var options = CrawlOptions()
/// options.callsRPCs = true
/// let report = try await Crawl("http://127.0.0.1:8080/", options: options).report()
/// ```
public struct CrawlOptions: Sendable {
    /// The maximum number of requested pages.
    public var maximumPages = 1000
    /// The maximum time for the whole crawl.
    public var maximumTime = Duration.seconds(300)
    /// A response that takes this long counts as slow.
    public var slow = Duration.seconds(1)
    /// Whether the crawl calls rpcs and methods that take input, each once, with the values of an untouched page.
    public var callsRPCs = false
    /// Whether to repeat an rpc with filled-in inputs, if the backend rejects the values of the untouched page.
    var fillsInputs = false
    /// The name of the dialect of the backend's clients; nil to take it from the first page that tells it.
    public var dialect: String?
    /// The client versions to check pages for; nil for the newest only. See ``CrawlReport/matrix``.
    public var clients: ClientSelection?
    /// The request field for the client's version, such as `X-Client-Version`. With a field, the crawl requests each page once
    /// for each group of ``clients``; nil to request each page once.
    public var clientField: ClientField?
    /// The least severe findings to report.
    package var least = Finding.Severity.note
    /// The findings to leave out of the report.
    package var expected: ExpectedFindings?
    /// The limits of size and time for each response.
    public var limits = ClientLimits()

    /// Creates the default options: a request may take 10 seconds.
    public init() {
        limits.total = .seconds(10)
    }
}

/// The progress of a crawl.
public struct CrawlProgress: Sendable, Equatable {
    /// The number of requested pages.
    public let pages: Int
    /// The number of known pages that are still to be requested.
    public let waiting: Int
    /// The page that is requested now.
    public let path: String
}
