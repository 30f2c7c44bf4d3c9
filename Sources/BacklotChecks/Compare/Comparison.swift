public import Backlot
public import BacklotClients

/// Crawls two deployments of a backend in step, and reports the differences: the same taps and inputs, each in a separate
/// session. The command is `diff`.
///
/// It compares trees, actions, inputs, statuses, broken rules of pages, and the released clients that reject a page. Each
/// difference has a ``Difference/Kind``. Each side gets every request twice, and differences between a side's own responses never
/// count.
///
/// ```swift
/// let report = try await Comparison(released, new).report()  // routers, or URLs
/// #expect(!report.isBreaking, "\(report)")
/// ```
public struct Comparison: Sendable {
    /// The options of the comparison.
    public let options: ComparisonOptions
    let appProtocol: AppProtocol
    let a: A
    let b: AppTarget?

    /// The source of A's responses.
    enum A {
        case server(AppTarget)
        case baseline(ComparisonBaseline)
    }

    /// Creates a comparison of two servers.
    ///
    /// - Parameters:
    ///   - a: the first server's URL, in the form that ``Crawl`` takes.
    ///   - b: the URL of the same app on the second server.
    ///   - appProtocol: the protocol of both servers.
    ///   - transport: the transport to both.
    /// - Throws: `ClientError.invalidURL`.
    public init(
        _ a: String,
        _ b: String,
        as appProtocol: AppProtocol = .usual,
        transport: any ClientTransport = SocketTransport(),
        options: ComparisonOptions = ComparisonOptions()
    ) throws(ClientError) {
        let a = try AppTarget(a, appProtocol, transport)
        self.init(.server(a), try AppTarget(b, appProtocol, transport), appProtocol, options)
    }

    /// Creates a comparison of two apps in this process, without sockets.
    ///
    /// - Parameters:
    ///   - a: the router with the first app's routes.
    ///   - b: the router with the second app's routes.
    ///   - path: the path of the URL of both apps, such as `/` or `/travel/`.
    ///   - appProtocol: the protocol of both apps.
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes; `ClientError.invalidURL`.
    public init(
        _ a: Router,
        _ b: Router,
        at path: String = "/",
        as appProtocol: AppProtocol = .usual,
        options: ComparisonOptions = ComparisonOptions()
    ) throws {
        let leading = try AppTarget(a, at: path, appProtocol)
        self.init(.server(leading), try AppTarget(b, at: path, appProtocol), appProtocol, options)
    }

    /// Creates a comparison with the recorded responses of another server.
    ///
    /// With a recording, dates and times of day don't count.
    ///
    /// - Parameters:
    ///   - baseline: the first side.
    ///   - b: the URL of the same app on the second server.
    ///   - transport: the transport to the second server.
    /// - Throws: `ClientError.invalidURL`.
    public init(
        _ baseline: ComparisonBaseline,
        _ b: String,
        transport: any ClientTransport = SocketTransport(),
        options: ComparisonOptions = ComparisonOptions()
    ) throws(ClientError) {
        self.init(.baseline(baseline), try AppTarget(b, baseline.appProtocol, transport), baseline.appProtocol, options)
    }

    private init(_ a: A, _ b: AppTarget?, _ appProtocol: AppProtocol, _ options: ComparisonOptions) {
        (self.a, self.b, self.appProtocol, self.options) = (a, b, appProtocol, options)
    }

    /// Records the responses of one server, for later comparisons.
    ///
    /// - Parameters:
    ///   - url: the server's URL, in the form that ``Crawl`` takes.
    ///   - appProtocol: the protocol of the server.
    ///   - transport: the transport to the server.
    /// - Throws: `ClientError.invalidURL`.
    public static func recording(
        _ url: String,
        as appProtocol: AppProtocol = .usual,
        transport: any ClientTransport = SocketTransport(),
        options: ComparisonOptions = ComparisonOptions()
    ) throws(ClientError) -> Comparison {
        var options = options
        options.keepsBaseline = true
        return Comparison(.server(try AppTarget(url, appProtocol, transport)), nil, appProtocol, options)
    }

    /// Sends the requests to both servers, and compares the responses.
    ///
    /// Cancelling the task ends the comparison soon; the report has the differences so far.
    ///
    /// - Parameter progress: a closure that is called before each page.
    public func report(progress: (CrawlProgress) -> Void = { _ in }) async -> ComparisonReport {
        let run = ComparisonRun(self)
        switch a {
        case .server(let server):
            return await run.finish(await Crawl(server, options.crawl).report(with: run, progress))
        case .baseline(let baseline):
            for (index, step) in baseline.steps.enumerated() {
                progress(CrawlProgress(pages: index, waiting: baseline.steps.count - index, path: step.path))
                guard await run.replay(step) else { break }
            }
            return await run.finish(nil, isCutOff: baseline.isCutOff)
        }
    }
}

/// The options of a comparison.
public struct ComparisonOptions: Sendable {
    /// Whether to call rpcs, methods that take input, and in mocks all of POST, PUT, PATCH and DELETE. This changes the backends'
    /// data: there are up to four calls, two on each side, first with the values of an untouched page, and with filled-in inputs
    /// if the backend rejects those.
    public var callsRPCs = false
    /// The limits of size and time for each response. A response may take 10 seconds.
    public var limits = ClientLimits()
    /// The maximum time for the whole comparison.
    public var maximumTime = Duration.seconds(300)

    // Options for deployments.

    /// The maximum number of requested pages.
    public var maximumPages = 1000
    /// The least kind of difference to report.
    public var least = Difference.Kind.neutral
    /// Whether to record A's side for ``ComparisonReport/baseline``.
    public var keepsBaseline = false
    /// The delay before a page that differs is requested again. Clocks with seconds change in that time.
    package var pause = Duration.milliseconds(1100)

    // Options for mocks and their backend.

    /// Whether to compare texts, numbers and booleans, if the backend's own responses agree on them.
    public var comparesValues = false
    /// The header fields of every request to the backend, such as a session's cookie.
    public var headers: HTTPFields = [:]
    /// The values of variables in requests to the backend that replace the mocks' values, such as a password.
    public var variables = JSONObject()
    /// Paths of the backend for routes with parameters that no page links to.
    public var paths: [String] = []
    /// The names of further secret keys, fields, parameters and header fields, for responses that are written into files.
    public var redactedKeys: [String] = []

    /// Creates the default options, which don't call anything that changes data.
    public init() {
        limits.total = .seconds(10)
    }

    /// Whether the header fields identify the user to the backend.
    var tellsUser: Bool { headers[.cookie] != nil || headers[.authorization] != nil }

    var crawl: CrawlOptions {
        var crawl = CrawlOptions()
        crawl.maximumPages = maximumPages
        crawl.maximumTime = maximumTime
        crawl.callsRPCs = callsRPCs
        crawl.fillsInputs = true
        crawl.limits = limits
        return crawl
    }
}
