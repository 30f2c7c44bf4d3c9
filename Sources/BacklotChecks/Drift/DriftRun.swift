internal import Backlot
import BacklotClients
internal import BacklotJSON
import BacklotMocks
import BacklotRecording
internal import HTTPTypes

/// A comparison while it runs: goes through the answers of the mocks, first those that GET shows to everybody, then the flows.
struct DriftRun {
    /// An answer of the mocks that was asked for, once in each pass.
    struct Asked {
        let title: String
        let source: (file: String?, line: Int)
        let drift: AnswerDrift
        /// Nil for an answer of an app.
        let probe: MockProbe?
        /// Whether the files say too little of what was sent to know whether the backend would take it.
        var isGuess = false
        var exchanges: [DriftExchange] = []
    }

    /// After so many failed connections in a row the backend is taken to have gone.
    static let mostFailures = 3
    private static let passes = 2

    let mocks: MockBackend
    let options: DriftOptions
    let start = ContinuousClock.now
    let first: DriftSession
    let routes: RouteKeys
    let probes: [MockProbe]
    private(set) var asked: [String: Asked] = [:]
    private(set) var order: [String] = []
    /// The same answers in other states.
    private(set) var alternatives: [StubID: [String: Asked]] = [:]
    private(set) var unreachable: ClientFailure?
    var reasons: [StubID: String] = [:]
    /// The steps that the backend has refused when they were asked for first.
    var failedSteps: [FailedStep] = []
    var failuresInRow = 0
    /// What clients of the apps have asked the mocks.
    var captured: [CapturedExchange]?
    var isOver = false
    var hasAnswered = false

    init(_ mocks: MockBackend, _ session: DriftSession, _ options: DriftOptions) {
        self.mocks = mocks
        self.options = options
        first = session
        routes = session.routes
        probes = mocks.probes
    }

    /// Whether it goes on.
    var isOpen: Bool { unreachable == nil && !isOver && failuresInRow < Self.mostFailures }

    mutating func ask(_ progress: (CrawlProgress) -> Void) async {
        for pass in 0..<Self.passes where isOpen {
            var session = first
            if options.tellsUser { await session.logInToMocks() }
            await askAtRest(&session, pass, progress)
            await askApps(pass, progress)
            if options.callsRPCs { await runFlows(session, pass, progress) }
        }
    }

    // MARK: One answer

    /// The purpose of an exchange.
    enum Purpose: Equatable {
        /// To be compared.
        case comparison
        /// To be compared in another state, since the backend's answer differs where it was asked for first.
        case alternative(String)
        /// To get to the next state once more.
        case way
    }

    /// Asks for an answer if it can be asked for now.
    ///
    /// - Returns: whether it was asked for, or never can be.
    mutating func ask(
        _ probe: MockProbe,
        _ session: inout DriftSession,
        _ pass: Int,
        for purpose: Purpose = .comparison,
        _ progress: (CrawlProgress) -> Void
    ) async -> Bool {
        guard isOpen else { return true }
        let key = "\(probe.id)"
        if purpose == .comparison, let known = asked[key], known.exchanges.count > pass { return true }
        if start.duration(to: .now) > options.maximumTime {
            isOver = true
            return true
        }
        if let failed = session.failedStep, !probe.logsIn {
            reasons[probe.id] = failed.reason
            return false
        }
        var others: String?
        // A value that nothing else has, for the answer to all others.
        let made = probe.path(
            Dictionary(uniqueKeysWithValues: probe.pattern.segments.compactMap(\.name).map { ($0, "999999999") })
        )
        let isRest = probes.contains { $0.id != probe.id && $0.pattern == probe.pattern && !$0.parameters.isEmpty }
        var paths = session.paths(for: probe)
        if isRest, let made { paths.append((made, made)) }
        let asTheyAre = paths.map { ($0, false) }
        let filledIn = probe.method == .get ? [] : paths.map { ($0, true) }
        let ways = probe.logsIn ? filledIn + asTheyAre : asTheyAre + filledIn
        for (path, filled) in ways {
            let (isOwn, other) = session.isAnswered(probe, path, filled: filled)
            guard isOwn else {
                others = other ?? others
                continue
            }
            progress(CrawlProgress(pages: order.count, waiting: probes.count - order.count, path: path.mock))
            guard let exchange = try? await session.ask(probe, path, filled: filled) else { return false }
            var new = asked(probe, path.mock)
            new.isGuess = session.isGuess(probe, path.mock)
            switch purpose {
            case .comparison where isUsedUp(probe, key, exchange): note(failure: exchange)
            case .comparison: note(exchange, key, new)
            case .alternative(let state):
                alternatives[probe.id, default: [:]][state, default: new].exchanges.append(exchange)
            case .way: note(failure: exchange)
            }
            reasons[probe.id] = nil
            if probe.logsIn || probe.nextState != nil { session.failedStep = exchange.failedStep(new.title) }
            if pass == 0, let failed = session.failedStep { failedSteps.append(failed) }
            return true
        }
        reasons[probe.id] =
            others.map { "\($0) answers every request that the tool can make for it" }
            ?? (paths.isEmpty
                ? "nothing that is known leads to it: name one of its paths by --path"
                : "no request is known that it answers")
        return false
    }

    /// Whether the backend has accepted a request and refuses the same again, as a sign-up with a name that is taken: the first answer
    /// counts.
    private func isUsedUp(_ probe: MockProbe, _ key: String, _ exchange: DriftExchange) -> Bool {
        guard probe.method != .get, let first = asked[key]?.exchanges.first else { return false }
        return first.failedStep("") == nil && exchange.failedStep("") != nil
    }

    private func asked(_ probe: MockProbe, _ path: String) -> Asked {
        let drift = AnswerDrift(
            isPage: probe.takesVariables,
            logsIn: probe.logsIn,
            statedHeaders: probe.statedHeaders,
            comparesValues: options.comparesValues,
            route: { [routes] in routes.route($0) }
        )
        let title = "\(probe.method.rawValue) \(path)"
        return Asked(title: title, source: (probe.file, probe.line), drift: drift, probe: probe)
    }

    mutating func note(_ exchange: DriftExchange, _ key: String, _ new: Asked) {
        if asked[key] == nil {
            asked[key] = new
            order.append(key)
        }
        asked[key]?.exchanges.append(exchange)
        note(failure: exchange)
    }

    private mutating func note(failure exchange: DriftExchange) {
        switch exchange.backend {
        case .success: (hasAnswered, failuresInRow) = (true, 0)
        case .failure(let failure):
            if failure.isOfBackend { failuresInRow += 1 }
            if !hasAnswered, failure.isOfConnection { unreachable = failure }
        }
    }

    /// Whether an answer differs that the mocks give in several states.
    func differs(_ probe: MockProbe) -> Bool {
        asked["\(probe.id)"].map { !$0.drift.changes($0.exchanges).isEmpty } ?? false
    }

    // MARK: At rest

    /// Asks for what GET shows in a new session; again as long as answers lead to further paths.
    mutating func askAtRest(
        _ session: inout DriftSession,
        _ pass: Int,
        _ progress: (CrawlProgress) -> Void
    ) async {
        var waiting: [MockProbe] = []
        for probe in probes {
            if let reason = obstacle(to: probe) {
                reasons[probe.id] = reason
            } else if probe.method == .get, !probe.logsIn, !probe.logsOut, probe.nextState == nil,
                probe.laterState == nil,
                !probe.requiresLogin || options.tellsUser
            {
                waiting.append(probe)
            }
        }
        // Literal paths first: their pages lead to the others.
        waiting.sort { !$0.pattern.hasParameters && $1.pattern.hasParameters }
        await askAll(waiting, &session, pass, progress)
    }

    mutating func askAll(
        _ probes: [MockProbe],
        _ session: inout DriftSession,
        _ pass: Int,
        _ progress: (CrawlProgress) -> Void
    ) async {
        var waiting = probes
        while !waiting.isEmpty, isOpen {
            var left: [MockProbe] = []
            for probe in waiting where !(await ask(probe, &session, pass, progress)) { left.append(probe) }
            if left.count == waiting.count { return }
            waiting = left
        }
    }

    /// Why an answer is never asked for.
    func obstacle(to probe: MockProbe) -> String? {
        if let obstacle = probe.obstacle { return obstacle }
        guard !options.callsRPCs else { return nil }
        if probe.requiresLogin, !options.tellsUser {
            return
                "it asks for a log-in: --rpc logs in as the mocks do, and --header tells the backend whose session it is"
        }
        if probe.method == .get, probe.nextState != nil {
            return "it leads to another state: --rpc goes through the states"
        }
        if let state = probe.laterState { return "it needs the state '\(state)'; --rpc gets there" }
        if probe.method != .get {
            return "it may change the backend's data: --rpc sends POST, PUT, PATCH and DELETE, too"
        }
        return nil
    }
}

extension ClientFailure {
    /// Whether the next request may fail as well.
    fileprivate var isOfBackend: Bool {
        switch self {
        case .bodyTooLarge, .headTooLarge, .undecodable, .cutShort: false
        default: true
        }
    }

    /// Whether there was no connection, or nothing that speaks HTTP.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .unknownHost, .notConnected, .notSecured, .invalidURL, .outsideOfProcess, .cancelled, .malformed: true
        default: false
        }
    }
}
