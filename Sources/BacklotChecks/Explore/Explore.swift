public import Backlot
public import BacklotClients

/// Uses a backend the way its users might, beyond a crawl. Headless clients type odd texts, tap everything, twice and back and
/// forth, restart the app, lose their session, share an account with another device, and lose responses. The report has each
/// finding with the shortest flow to it, as a Swift test.
///
/// It calls rpcs, creates accounts and writes data. Run it against your own backend, with data that you can lose.
///
/// ```swift
/// var options = ExploreOptions(seed: 7)
/// options.maximumSteps = 2000
/// let report = try await Explore(router, at: "/travel/", options: options).report()
/// #expect(report.isClean, "\(report)")
/// ```
/// All decisions depend on ``ExploreOptions/seed`` and on the backend's responses. With the same seed and
/// ``ExploreOptions/maximumSteps``, a backend in the same state gets the same requests. With several explorers, each has a
/// separate sequence.
public struct Explore: Sendable {
    /// The options of the exploration.
    public let options: ExploreOptions
    let target: AppTarget
    let forbidden: ForbiddenPaths
    let expected: ExpectedFindings

    /// Creates an exploration of any backend.
    ///
    /// - Parameters:
    ///   - url: the URL of the app, as for ``Crawl``: the base URL of an Applin, Dynamic Views or A2UI app, which ends in a slash;
    ///     the address of an Xpedite app; the version indicator of a Floki app.
    ///   - appProtocol: the protocol that the backend speaks.
    ///   - transport: the transport to the backend.
    /// - Throws: `ClientError.invalidURL`, `ExploreOptionError`.
    public init(
        _ url: String,
        as appProtocol: AppProtocol = .usual,
        transport: any ClientTransport = SocketTransport(),
        options: ExploreOptions = ExploreOptions()
    ) throws {
        try self.init(AppTarget(url, appProtocol, transport), options)
    }

    /// Creates an exploration of an app in this process, without a socket.
    ///
    /// - Parameters:
    ///   - router: the router with the app's routes.
    ///   - path: the path of the app's URL, such as `/` or `/travel/`.
    ///   - appProtocol: the protocol that the app speaks.
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes; `ClientError.invalidURL`, `ExploreOptionError`.
    public init(
        _ router: Router,
        at path: String = "/",
        as appProtocol: AppProtocol = .usual,
        options: ExploreOptions = ExploreOptions()
    ) throws {
        try self.init(AppTarget(router, at: path, appProtocol), options)
    }

    private init(_ target: AppTarget, _ options: ExploreOptions) throws {
        try options.check()
        forbidden = try ForbiddenPaths(options.forbidden)
        expected = try ExpectedFindings(options.expected)
        (self.target, self.options) = (target, options)
    }

    /// The protocol that the backend speaks.
    public var appProtocol: AppProtocol { target.appProtocol }

    /// Explores the backend until the steps or the time are used up. Cancelling the task ends it early; the report then has the
    /// findings so far.
    ///
    /// - Parameter progress: a closure that is called from time to time, from any task.
    public func report(progress: @escaping @Sendable (ExploreProgress) -> Void = { _ in }) async -> ExploreReport {
        let clock = ExploreClock(options.maximumTime)
        let stage = ExploreSettings(self, clock)
        let explorers = await withTaskGroup(of: Explorer.self) { group in
            for number in 0..<options.parallel {
                group.addTask {
                    var explorer = Explorer(stage, number: number)
                    await explorer.explore(progress)
                    return explorer
                }
            }
            var explorers: [Explorer] = []
            for await explorer in group { explorers.append(explorer) }
            return explorers.sorted { $0.number < $1.number }
        }
        return ExploreReport(self, stage, explorers)
    }
}

/// The bounds of an exploration, and its exceptions.
///
/// ```swift
/// var options = ExploreOptions(seed: 7)
/// options.forbidden = ["/pay"]
/// let report = try await Explore(router, options: options).report()
/// ```
public struct ExploreOptions: Sendable {
    /// The seed of all decisions.
    public var seed: UInt64
    /// The maximum time for the whole exploration.
    public var maximumTime = Duration.seconds(60)
    /// The maximum number of steps of each explorer, without steps that fill in forms or shorten flows; nil for no maximum.
    public var maximumSteps: Int?
    /// The maximum number of findings of each explorer, which then stops; nil for no maximum.
    public var maximumFindings: Int?
    /// The number of explorers that run at the same time, 1 to 64.
    public var parallel = 1
    /// Paths below the app's URL that are never requested, as pages, rpcs, uploads or by redirects: `/pay` and everything below
    /// it. `{id}` stands for any segment, and `*` for the rest of one. For Xpedite apps, these are methods: `/deleteAll`. Other
    /// servers never get requests.
    public var forbidden: [String] = []
    /// Intended findings, by rule and optionally by path: `server-error:/status`.
    public var expected: [String] = []
    /// Whether requests and responses get lost, cut and repeated.
    public var hasFaults = true
    /// A response that takes this long counts as slow. A response that is slow only once isn't reported.
    public var slow = Duration.seconds(1)
    /// The name of the dialect of the backend's clients; nil to take it from the first page that tells it.
    public var dialect: String?
    /// The time on the clients' clock, in seconds since 1970: by default a fixed day in 2027, so that runs can be repeated.
    package var now = 1_800_000_000
    /// The limits of size and time for each response.
    public var limits = ClientLimits()

    /// Creates the default options: a request may take 10 seconds, and a response 4 MiB.
    public init(seed: UInt64 = 1) {
        self.seed = seed
        limits.total = .seconds(10)
        limits.body = 4 * 1024 * 1024
    }

    func check() throws(ExploreOptionError) {
        guard (1...64).contains(parallel) else { throw .outOfRange("parallel", "1 to 64") }
        guard maximumSteps ?? 1 > 0 else { throw .outOfRange("maximumSteps", "1 and more") }
        guard maximumFindings ?? 1 > 0 else { throw .outOfRange("maximumFindings", "1 and more") }
    }
}

/// An invalid option.
public enum ExploreOptionError: Error, Equatable, CustomStringConvertible {
    /// A path that can't be forbidden.
    case forbidden(String, problem: String)
    /// A finding that can't be expected.
    case expected(String, problem: String)
    /// A number outside its range. The second text is the range.
    case outOfRange(String, String)

    /// The mistake, and how to correct it.
    public var description: String {
        switch self {
        case .forbidden(let path, let problem): "The path \(path.cut(to: 60).inQuotes) can't be forbidden: \(problem)."
        case .expected(let text, let problem): "The finding \(text.cut(to: 60).inQuotes) can't be expected: \(problem)."
        case .outOfRange(let name, let range): "\(name) must be \(range)."
        }
    }
}

/// The progress of an exploration.
public struct ExploreProgress: Sendable, Equatable {
    /// The number of steps that all explorers have done.
    public let steps: Int
    /// The number of kinds of pages that the reporting explorer has seen.
    public let pages: Int
    /// The number of the reporting explorer's findings.
    public let findings: Int
    /// The current page of the reporting explorer.
    public let path: String
}
