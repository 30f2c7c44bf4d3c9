public import Backlot
public import BacklotClients

/// Goes through a backend as its users might, where a crawl doesn't: headless clients type odd texts, tap everything, twice
/// and back and forth, start the app again, lose their session, share an account with another device, and lose answers on
/// the way. It says what came to light, each with the shortest way there, as a Swift test.
///
/// It calls rpcs, creates accounts and writes data: run it against a backend that is yours and whose data you can lose.
///
/// ```swift
/// var options = ExploreOptions(seed: 7)
/// options.maximumSteps = 2000
/// let report = try await Explore(router, at: "/travel/", options: options).report()
/// #expect(report.isClean, "\(report)")
/// ```
/// What is done is drawn from ``ExploreOptions/seed`` and depends on nothing else but the backend's answers: with the same
/// seed and ``ExploreOptions/maximumSteps``, a backend in the same state gets the same requests. Each of several explorers
/// has its own sequence.
public struct Explore: Sendable {
    /// How far it goes.
    public let options: ExploreOptions
    let target: AppTarget
    let forbidden: ForbiddenPaths
    let expected: ExpectedFindings

    /// An exploration of any backend.
    ///
    /// - Parameters:
    ///   - url: as for ``Crawl``: for Applin and Dynamic Views the base URL, which ends in a slash; the one address of an
    ///     Xpedite app; the version indicator of a Floki app.
    ///   - appProtocol: the protocol that the backend speaks.
    ///   - transport: the way to the backend.
    /// - Throws: `ClientError.invalidURL`, `ExploreOptionError`.
    public init(
        _ url: String,
        as appProtocol: AppProtocol = .usual,
        transport: any ClientTransport = SocketTransport(),
        options: ExploreOptions = ExploreOptions()
    ) throws {
        try self.init(AppTarget(url, appProtocol, transport), options)
    }

    /// An exploration of an app in this process, without a socket.
    ///
    /// - Parameters:
    ///   - router: has the app's routes.
    ///   - path: the path of the app's URL, such as `/` or `/travel/`.
    ///   - appProtocol: the protocol that the app speaks.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered; `ClientError.invalidURL`, `ExploreOptionError`.
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

    /// Explores the backend until its steps or its time are used up. A cancelled task ends it early; what was found until then is
    /// reported.
    ///
    /// - Parameter progress: is called now and then, from any task.
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

/// How far an exploration goes, and what it leaves alone.
public struct ExploreOptions: Sendable {
    /// What all decisions are drawn from.
    public var seed: UInt64
    /// The longest time for all of it.
    public var maximumTime = Duration.seconds(60)
    /// How many steps each explorer does at most, those aside that fill in forms and those by which findings are shortened;
    /// nil for as many as there is time for.
    public var maximumSteps: Int?
    /// After how many findings each explorer stops; nil for never.
    public var maximumFindings: Int?
    /// How many explorers there are, 1 to 64, at the same time.
    public var parallel = 1
    /// Paths below the app's URL that are never asked for, as pages, rpcs, uploads or by redirects: `/pay` with all that is
    /// below it. `{id}` stands for any segment, and `*` for the rest of one. Of Xpedite apps, methods: `/deleteAll`. No other
    /// server is asked in any case.
    public var forbidden: [String] = []
    /// Findings that are as they should be, by their rules, and where that is given by their paths: `server-error:/status`.
    public var expected: [String] = []
    /// Whether requests and answers are lost, cut and sent twice.
    public var hasFaults = true
    /// The time from which on an answer is slow. Answers that are slow once and not again are not reported.
    public var slow = Duration.seconds(1)
    /// The dialect of the backend's clients, by its name; nil takes it from the first page that tells it.
    public var dialect: String?
    /// The limits of size and time for each answer.
    public var limits = ClientLimits()

    /// The default options: a request may take 10 seconds, and an answer have 4 MB.
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

/// An option that can't be used.
public enum ExploreOptionError: Error, Equatable, CustomStringConvertible {
    /// A path that can't be forbidden.
    case forbidden(String, problem: String)
    /// A finding that can't be expected.
    case expected(String, problem: String)
    /// A number that is too small or too large, and what it may be.
    case outOfRange(String, String)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .forbidden(let path, let problem): "The path \(path.cut(to: 60).inQuotes) can't be forbidden: \(problem)."
        case .expected(let text, let problem): "The finding \(text.cut(to: 60).inQuotes) can't be expected: \(problem)."
        case .outOfRange(let name, let range): "\(name) must be \(range)."
        }
    }
}

/// How far an exploration has come.
public struct ExploreProgress: Sendable, Equatable {
    /// How many steps all explorers have done.
    public let steps: Int
    /// How many kinds of pages the explorer that reports has seen.
    public let pages: Int
    /// How many findings that explorer has.
    public let findings: Int
    /// Where that explorer is.
    public let path: String
}

/// Findings that are as they should be.
struct ExpectedFindings: Sendable {
    private let entries: [(rule: String, paths: ForbiddenPaths?)]

    /// - Parameter texts: `rule`, or `rule:/path`, which is the path with all that is below it.
    init(_ texts: [String]) throws(ExploreOptionError) {
        var entries: [(rule: String, paths: ForbiddenPaths?)] = []
        for text in texts {
            let colon = text.firstIndex(of: ":")
            let rule = String(text[..<(colon ?? text.endIndex)])
            guard !rule.isEmpty, rule.allSatisfy({ $0.isLowercase || $0.isNumber || $0 == "-" }) else {
                throw .expected(text, problem: "write the rule, and perhaps a path, as in server-error:/status")
            }
            var paths: ForbiddenPaths?
            if let colon {
                do throws(ExploreOptionError) {
                    paths = try ForbiddenPaths([String(text[text.index(after: colon)...])])
                } catch {
                    throw .expected(text, problem: "its path begins with no slash, or has a query")
                }
            }
            entries.append((rule, paths))
        }
        self.entries = entries
    }

    func contain(_ finding: Finding) -> Bool {
        entries.contains { $0.rule == finding.rule && $0.paths?.cover(finding.path.page) ?? true }
    }
}
