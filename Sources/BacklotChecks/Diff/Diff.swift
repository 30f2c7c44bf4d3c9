internal import Applin
public import Backlot
public import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

/// Crawls two deployments of a backend in step, and says what is different: the same taps and inputs, each in a session of its own.
///
/// Trees, actions, inputs, statuses, the rules that clients hold pages to, and the versions of released clients that refuse a page
/// are compared; each difference has a ``DiffClass``. Each side is asked twice, and what differs between a side's own answers never
/// counts.
///
/// ```swift
/// let report = await Diff(old, new).report()
/// #expect(!report.isBreaking, "\(report)")
/// ```
public struct Diff: Sendable {
    /// How far it goes.
    public let options: DiffOptions
    let wire: CrawlWire
    let a: A
    let b: Server?

    /// A server that is asked.
    struct Server {
        let url: HTTPURL
        let transport: any ClientTransport
    }

    /// Where A's answers come from.
    enum A {
        case server(Server, Crawl)
        case baseline(DiffBaseline)
    }

    /// A comparison of two servers.
    ///
    /// - Parameters:
    ///   - a: the first server's URL, as ``Crawl`` takes it.
    ///   - b: the URL of the same app on the second server.
    ///   - wire: the protocol that they speak.
    ///   - transport: the way to both.
    /// - Throws: `ClientFailure.invalidURL`.
    public init(
        _ a: String,
        _ b: String,
        as wire: CrawlWire = .applin,
        transport: any ClientTransport = SocketTransport(),
        options: DiffOptions = DiffOptions()
    ) throws(ClientFailure) {
        let server = Server(url: try HTTPURL(a), transport: transport)
        let crawl = try Crawl(a, as: wire, transport: transport, options: options.crawl)
        // Both are checked alike.
        _ = try Crawl(b, as: wire, transport: transport, options: options.crawl)
        self.init(.server(server, crawl), Server(url: try HTTPURL(b), transport: transport), wire, options)
    }

    /// A comparison of two apps in this process, without sockets.
    ///
    /// - Parameters:
    ///   - a: has the first app's routes.
    ///   - b: has the second app's routes.
    ///   - path: the path of the URL of both apps, such as `/` or `/travel/`.
    ///   - wire: the protocol that they speak.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered; `ClientFailure.invalidURL`.
    public init(
        _ a: Router,
        _ b: Router,
        at path: String = "/",
        as wire: CrawlWire = .applin,
        options: DiffOptions = DiffOptions()
    ) throws {
        let url = try HTTPURL(InProcessTransport.root).resolving(path)
        let transport = try InProcessTransport(a.handler())
        let crawl = try Crawl("\(url)", as: wire, transport: transport, options: options.crawl)
        let other = try InProcessTransport(b.handler())
        self.init(
            .server(Server(url: url, transport: transport), crawl),
            Server(url: url, transport: other),
            wire,
            options
        )
    }

    /// A comparison with what another server has answered once.
    ///
    /// Dates and times of day don't count then.
    ///
    /// - Parameters:
    ///   - baseline: the first side.
    ///   - b: the URL of the same app on the second server.
    ///   - transport: the way there.
    /// - Throws: `ClientFailure.invalidURL`.
    public init(
        _ baseline: DiffBaseline,
        _ b: String,
        transport: any ClientTransport = SocketTransport(),
        options: DiffOptions = DiffOptions()
    ) throws(ClientFailure) {
        _ = try Crawl(b, as: baseline.wire, transport: transport, options: options.crawl)
        self.init(.baseline(baseline), Server(url: try HTTPURL(b), transport: transport), baseline.wire, options)
    }

    private init(_ a: A, _ b: Server?, _ wire: CrawlWire, _ options: DiffOptions) {
        self.a = a
        self.b = b
        self.wire = wire
        self.options = options
    }

    /// Keeps what one server answers, for later comparisons.
    ///
    /// - Parameters:
    ///   - url: the server's URL, as ``Crawl`` takes it.
    ///   - wire: the protocol that it speaks.
    ///   - transport: the way there.
    /// - Throws: `ClientFailure.invalidURL`.
    public static func recording(
        _ url: String,
        as wire: CrawlWire = .applin,
        transport: any ClientTransport = SocketTransport(),
        options: DiffOptions = DiffOptions()
    ) throws(ClientFailure) -> Diff {
        var options = options
        options.keepsBaseline = true
        let server = Server(url: try HTTPURL(url), transport: transport)
        let crawl = try Crawl(url, as: wire, transport: transport, options: options.crawl)
        return Diff(.server(server, crawl), nil, wire, options)
    }

    /// Asks both servers, and compares.
    ///
    /// Ends soon when its task is cancelled, with what was found so far.
    ///
    /// - Parameter progress: is called before each page.
    public func report(progress: (CrawlProgress) -> Void = { _ in }) async -> DiffReport {
        let start = ContinuousClock.now
        let run = DiffRun(self)
        var crawled: CrawlReport?
        switch a {
        case .server(_, let crawl): crawled = await crawl.report(with: run, progress)
        case .baseline(let baseline):
            for (index, step) in baseline.steps.enumerated() {
                progress(CrawlProgress(pages: index, waiting: baseline.steps.count - index, path: step.path))
                guard await run.replay(step) else { break }
            }
            await run.end(baseline)
        }
        await run.visitAdditions()
        await run.confirm()
        var report = await run.report(crawled)
        report.duration = start.duration(to: .now)
        return report
    }
}

/// How far a comparison goes.
public struct DiffOptions: Sendable {
    /// How many pages are asked for at most.
    public var maximumPages = 1000
    /// The longest time for all of it.
    public var maximumTime = Duration.seconds(300)
    /// Whether rpcs and methods that take input are called too: with the values of a page that nobody has touched, and with filled
    /// in ones where those are refused. Four times in all, twice on each side.
    public var callsRPCs = false
    /// The least class of differences that is reported.
    public var least = DiffClass.neutral
    /// Whether A's side is kept for ``DiffReport/baseline``.
    public var keepsBaseline = false
    /// The limits of size and time for each answer.
    public var limits = ClientLimits()
    /// After which time a page that differs is asked for again: clocks that show seconds have gone on by then.
    package var pause = Duration.milliseconds(1100)

    /// The default options; a request may take 10 seconds.
    public init() {
        limits.total = .seconds(10)
    }

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

/// What a difference means for the clients that are there.
public enum DiffClass: String, Sendable, CaseIterable, Comparable {
    /// Users don't see it.
    case neutral
    /// Users see it.
    case visible
    /// Clients, or pages that they have kept, stop working: a page or a variable is gone, an rpc requires more, a version of the
    /// client refuses a page that it loaded.
    case breaking

    /// Whether one is worse than the other.
    public static func < (left: DiffClass, right: DiffClass) -> Bool {
        let order: [DiffClass] = [.neutral, .visible, .breaking]
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }

    /// How bad it is as a finding.
    var severity: Finding.Severity {
        switch self {
        case .breaking: .error
        case .visible: .warning
        case .neutral: .note
        }
    }
}
