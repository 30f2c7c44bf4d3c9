public import Backlot
internal import BacklotHTTP

/// Goes through an Applin backend as its clients could, whatever it is written in, and says what they would reject.
///
/// From `/` it follows push and replace_all, and asks for no page twice: by GET, and by POST too where the page has inputs. It
/// keeps cookies. It never uploads photos, and calls rpcs only when it is told to.
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
    ///   - transport: what brings requests there. For `https://` it is an `HTTPSTransport`, from BacklotTestingHTTPS.
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
