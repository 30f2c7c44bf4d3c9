public import Backlot
public import BacklotClients

/// Crawls two deployments of a backend in step, and says what is different: the same taps and inputs, each in a session of its own. The
/// command is `diff`.
///
/// Trees, actions, inputs, statuses, the rules that clients hold pages to, and the versions of released clients that refuse a page
/// are compared; each difference has a ``Difference/Kind``. Each side is asked twice, and what differs between a side's own responses
/// never counts.
///
/// ```swift
/// let report = await Comparison(old, new).report()
/// #expect(!report.isBreaking, "\(report)")
/// ```
public struct Comparison: Sendable {
    /// How far it goes.
    public let options: ComparisonOptions
    let appProtocol: AppProtocol
    let a: A
    let b: AppTarget?

    /// Where A's responses come from.
    enum A {
        case server(AppTarget)
        case baseline(ComparisonBaseline)
    }

    /// A comparison of two servers.
    ///
    /// - Parameters:
    ///   - a: the first server's URL, as ``Crawl`` takes it.
    ///   - b: the URL of the same app on the second server.
    ///   - wire: the protocol that they speak.
    ///   - transport: the way to both.
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

    /// A comparison of two apps in this process, without sockets.
    ///
    /// - Parameters:
    ///   - a: has the first app's routes.
    ///   - b: has the second app's routes.
    ///   - path: the path of the URL of both apps, such as `/` or `/travel/`.
    ///   - wire: the protocol that they speak.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered; `ClientError.invalidURL`.
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

    /// A comparison with what another server has answered once.
    ///
    /// Dates and times of day don't count then.
    ///
    /// - Parameters:
    ///   - baseline: the first side.
    ///   - b: the URL of the same app on the second server.
    ///   - transport: the way there.
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

    /// Keeps what one server answers, for later comparisons.
    ///
    /// - Parameters:
    ///   - url: the server's URL, as ``Crawl`` takes it.
    ///   - wire: the protocol that it speaks.
    ///   - transport: the way there.
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

    /// Asks both servers, and compares.
    ///
    /// Ends soon when its task is cancelled, with what was found so far.
    ///
    /// - Parameter progress: is called before each page.
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

/// How far a comparison goes.
public struct ComparisonOptions: Sendable {
    /// Whether rpcs, methods that take input, and of mocks all of POST, PUT, PATCH and DELETE are called too, which changes the data
    /// of the backends: four times in all, twice on each side, with the values of a page that nobody has touched, and with filled in
    /// ones where those are refused.
    public var callsRPCs = false
    /// How much is taken of each response, and how long it may take: 10 seconds.
    public var limits = ClientLimits()
    /// The longest time for all of it.
    public var maximumTime = Duration.seconds(300)

    // Between deployments.

    /// How many pages are requested at most.
    public var maximumPages = 1000
    /// The least kind of differences that is reported.
    public var least = Difference.Kind.neutral
    /// Whether A's side is kept for ``ComparisonReport/baseline``.
    public var keepsBaseline = false
    /// After which time a page that differs is requested again: clocks that show seconds have gone on by then.
    package var pause = Duration.milliseconds(1100)

    // Between mocks and their backend.

    /// Whether texts, numbers and booleans count that the backend answers alike each time.
    public var comparesValues = false
    /// The header fields that every request to the backend has, such as a cookie of a session.
    public var headers: HTTPFields = [:]
    /// The values of variables that are sent to the backend instead of the mocks', such as a password.
    public var variables = JSONObject()
    /// Paths of the backend that fit routes with parameters to which no page leads.
    public var paths: [String] = []
    /// The names of keys, fields, parameters and header fields that are secret, too, where responses are written into files.
    public var redactedKeys: [String] = []

    /// The usual options: nothing is called that changes data.
    public init() {
        limits.total = .seconds(10)
    }

    /// Whether the header fields tell the backend whose session it is.
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
