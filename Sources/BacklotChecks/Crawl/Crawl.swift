public import Backlot
public import BacklotClients

/// Goes through a backend as its clients could, whatever it is written in, and says what they would reject.
///
/// * Applin: from `/` it follows push and replace_all, and asks for no page twice: by GET, and by POST too where the page has
///   inputs. It never uploads photos.
/// * Xpedite: it connects, calls each method that can be tapped, once with the same parameters, and asks for the rows of each table,
///   of which it taps the first.
/// * Floki: from the version indicator it goes through the app data, the feeds of all tabs and languages, and what entries lead to.
/// * Dynamic Views: from the index it loads each view in both dialects, and the views that navigation leads to.
///
/// It keeps cookies. Only with ``CrawlOptions/callsRPCs`` it calls rpcs, and methods that take the user's input.
///
/// ```swift
/// let report = try await Crawl("http://127.0.0.1:8080/").report()
/// #expect(report.isClean, "\(report)")
/// ```
public struct Crawl: Sendable {
    /// How far it goes.
    public let options: CrawlOptions
    private let target: AppTarget

    /// A crawl of any backend.
    ///
    /// - Parameters:
    ///   - url: for Applin and Dynamic Views the base URL, such as `http://127.0.0.1:8080/`, which ends in a slash; the one address of
    ///     an Xpedite app; the version indicator of a Floki app.
    ///   - appProtocol: the protocol that the backend speaks.
    ///   - transport: the way to the backend. A `SocketTransport` may trust other certificates than the system does.
    /// - Throws: `ClientError.invalidURL`.
    public init(
        _ url: String,
        as appProtocol: AppProtocol = .usual,
        transport: any ClientTransport = SocketTransport(),
        options: CrawlOptions = CrawlOptions()
    ) throws(ClientError) {
        self.init(try AppTarget(url, appProtocol, transport), options)
    }

    /// A crawl of an app in this process, without a socket.
    ///
    /// - Parameters:
    ///   - router: has the app's routes.
    ///   - path: the path of the app's URL, such as `/` or `/travel/`.
    ///   - appProtocol: the protocol that the app speaks.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered; `ClientError.invalidURL`.
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

    /// Goes through the backend, one request after the other.
    ///
    /// - Parameter progress: is called before each page.
    public func report(progress: (CrawlProgress) -> Void = { _ in }) async -> CrawlReport {
        await report(with: nil, progress)
    }

    /// The same with company.
    func report(with company: (any CrawlCompanion)?, _ progress: (CrawlProgress) -> Void) async -> CrawlReport {
        var channel = CrawlTransport(target, options: options)
        channel.company = company
        var run = CrawlRun(channel, target)
        return await run.report(progress)
    }
}

/// An app that is gone through: the protocol that it speaks, its URL, and the way there.
struct AppTarget: Sendable {
    let url: HTTPURL
    let appProtocol: AppProtocol
    let transport: any ClientTransport

    init(_ url: String, _ appProtocol: AppProtocol, _ transport: any ClientTransport) throws(ClientError) {
        (self.url, self.appProtocol, self.transport) = (try HTTPURL(url), appProtocol, transport)
        if appProtocol.client.hasBaseURL { _ = try BaseURL(self.url) }
    }

    /// An app in this process.
    init(_ router: Router, at path: String, _ appProtocol: AppProtocol) throws {
        let url = try HTTPURL(InProcessTransport.root).resolving(path)
        try self.init("\(url)", appProtocol, InProcessTransport(router.handler()))
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
    /// Whether rpcs and methods that take input are called, each once, with the values of a page that nobody has touched.
    public var callsRPCs = false
    /// Whether an rpc that refuses the values of a page which nobody has touched is called again, with something in each input.
    var fillsInputs = false
    /// The dialect of the backend's clients, by its name; nil takes it from the first page that tells it.
    public var dialect: String?
    /// The client versions that pages are judged for; nil for the newest alone. See ``CrawlReport/matrix``.
    public var clients: ClientSelection?
    /// The request field that names the client's version, such as `X-Client-Version`. With it, each page is asked for once for each
    /// group of ``clients``; nil asks for each page once.
    public var clientField: ClientField?
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
