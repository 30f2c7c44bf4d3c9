public import Applin
public import Backlot
public import BacklotClients
internal import BacklotHTTP

/// Goes through an Applin backend as its clients could, whatever it is written in, and says what they would reject.
///
/// From `/` it follows push and replace_all, and asks for no page twice: by GET, and by POST too where the page has inputs. It
/// keeps cookies. It never uploads photos, and calls rpcs only with ``CrawlOptions/callsRPCs``.
///
/// ```swift
/// let report = try await Crawl("http://127.0.0.1:8080/").report()
/// #expect(report.isClean, "\(report)")
/// ```
public struct Crawl: Sendable {
    /// How far it goes.
    public let options: CrawlOptions
    let base: BaseURL
    private let transport: any ClientTransport

    /// A crawl of any backend.
    ///
    /// - Parameters:
    ///   - url: the app's base URL, such as `http://127.0.0.1:8080/`; it ends in a slash.
    ///   - transport: the way to the backend. For `https://` it is an `HTTPSTransport`, from BacklotTestingHTTPS.
    /// - Throws: `ClientFailure.invalidURL`.
    public init(
        _ url: String,
        transport: any ClientTransport = SocketTransport(),
        options: CrawlOptions = CrawlOptions()
    ) throws(ClientFailure) {
        base = try BaseURL(HTTPURL(url))
        self.transport = transport
        self.options = options
    }

    /// A crawl of an app in this process, without a socket.
    ///
    /// - Parameters:
    ///   - router: has the app's routes.
    ///   - basePath: the path of the app's base URL, such as `/` or `/travel/`.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered; `ClientFailure.invalidURL`.
    public init(_ router: Router, at basePath: String = "/", options: CrawlOptions = CrawlOptions()) throws {
        base = try BaseURL(HTTPURL(InProcessTransport.root).resolving(basePath))
        transport = try InProcessTransport(router.handler())
        self.options = options
    }

    /// Goes through the backend, one request after the other.
    ///
    /// - Parameter progress: is called before each page.
    public func report(progress: (CrawlProgress) -> Void = { _ in }) async -> CrawlReport {
        var run = CrawlRun(base: base, transport: transport, options: options)
        return await run.report(progress)
    }
}

/// How far a crawl goes, and what it complains about.
public struct CrawlOptions: Sendable {
    /// How many pages are asked for at most.
    public var maximumPages = 1000
    /// The longest time for all of it.
    public var maximumTime = Duration.seconds(300)
    /// The time from which on an answer is slow.
    public var slow = Duration.seconds(1)
    /// Whether rpcs are called, each once, with the variables of a page that nobody has touched.
    public var callsRPCs = false
    /// The dialect of the backend's clients; nil takes it from the first page with an action.
    public var dialect: Dialect?
    /// The limits of size and time for each answer.
    public var limits = ClientLimits()

    /// The default options; a request may take 10 seconds.
    public init() {
        limits.total = .seconds(10)
    }
}

/// How far a crawl has come.
public struct CrawlProgress: Sendable, Equatable {
    /// How many pages were asked for.
    public let pages: Int
    /// How many pages are known that were not asked for yet.
    public let waiting: Int
    /// The page that is asked for now.
    public let path: String
}
