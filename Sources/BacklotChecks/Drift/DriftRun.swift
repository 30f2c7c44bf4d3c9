internal import Backlot
import BacklotClients
internal import BacklotJSON
import BacklotMocks
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
        var exchanges: [DriftExchange] = []
    }

    /// After so many failed connections in a row the backend is taken to have gone.
    private static let mostFailures = 3
    private static let passes = 2

    let mocks: MockBackend
    let options: DriftOptions
    let start = ContinuousClock.now
    let first: DriftSession
    private let probes: [MockProbe]
    private(set) var asked: [String: Asked] = [:]
    private(set) var order: [String] = []
    private(set) var unreachable: ClientFailure?
    private var reasons: [StubID: String] = [:]
    private var failuresInRow = 0
    /// What clients of the apps have asked the mocks.
    var captured: [CapturedExchange]?
    private var isOver = false
    private var hasAnswered = false

    init(_ mocks: MockBackend, _ session: DriftSession, _ options: DriftOptions) {
        self.mocks = mocks
        self.options = options
        first = session
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

    /// Asks for an answer if it can be asked for now.
    ///
    /// - Returns: whether it was asked for, or never can be.
    private mutating func ask(
        _ probe: MockProbe,
        _ session: inout DriftSession,
        _ pass: Int,
        flow: String = "",
        _ progress: (CrawlProgress) -> Void
    ) async -> Bool {
        guard isOpen else { return true }
        let key = "\(probe.id)\n\(flow)"
        if let known = asked[key], known.exchanges.count > pass { return true }
        if start.duration(to: .now) > options.maximumTime {
            isOver = true
            return true
        }
        var others: String?
        // A value that nothing else has, for the answer to all others.
        let made = probe.path(
            Dictionary(uniqueKeysWithValues: probe.pattern.segments.compactMap(\.name).map { ($0, "999999999") })
        )
        let isRest = probes.contains { $0.id != probe.id && $0.pattern == probe.pattern && !$0.parameters.isEmpty }
        var paths = session.paths(for: probe)
        if isRest, let made { paths.append((made, made)) }
        let ways = paths.map { ($0, false) } + (probe.method == .get ? [] : paths.map { ($0, true) })
        for (path, filled) in ways {
            let (isOwn, other) = session.isAnswered(probe, path, filled: filled)
            guard isOwn else {
                others = other ?? others
                continue
            }
            progress(CrawlProgress(pages: order.count, waiting: probes.count - order.count, path: path.mock))
            guard let exchange = try? await session.ask(probe, path, filled: filled) else { return false }
            note(exchange, key, probe, path.mock)
            reasons[probe.id] = nil
            return true
        }
        reasons[probe.id] =
            others.map { "no request is known that it answers: to those that are known, \($0) does" }
            ?? (paths.isEmpty
                ? "nothing is known that leads to it; name a value of its parameters under pathParameters"
                : "no request is known that it answers")
        return false
    }

    private mutating func note(_ exchange: DriftExchange, _ key: String, _ probe: MockProbe, _ path: String) {
        let drift = AnswerDrift(
            isPage: probe.takesVariables,
            logsIn: probe.logsIn,
            statedHeaders: probe.statedHeaders,
            comparesValues: options.comparesValues,
            route: { [mocks] in mocks.routeKey($0) }
        )
        note(
            exchange,
            key,
            Asked(
                title: "\(probe.method.rawValue) \(path)",
                source: (probe.file, probe.line),
                drift: drift,
                probe: probe
            )
        )
    }

    mutating func note(_ exchange: DriftExchange, _ key: String, _ new: Asked) {
        if asked[key] == nil {
            asked[key] = new
            order.append(key)
        }
        asked[key]?.exchanges.append(exchange)
        switch exchange.backend {
        case .success: (hasAnswered, failuresInRow) = (true, 0)
        case .failure(let failure):
            failuresInRow += 1
            if !hasAnswered, failure.isOfConnection { unreachable = failure }
        }
    }

    // MARK: At rest

    /// Asks for what GET shows in a new session; again as long as answers lead to further paths.
    private mutating func askAtRest(
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

    private mutating func askAll(
        _ probes: [MockProbe],
        _ session: inout DriftSession,
        _ pass: Int,
        flow: String = "",
        _ progress: (CrawlProgress) -> Void
    ) async {
        var waiting = probes
        while !waiting.isEmpty, isOpen {
            var left: [MockProbe] = []
            for probe in waiting where !(await ask(probe, &session, pass, flow: flow, progress)) { left.append(probe) }
            if left.count == waiting.count { return }
            waiting = left
        }
    }

    /// Why an answer is never asked for.
    private func obstacle(to probe: MockProbe) -> String? {
        if let obstacle = probe.obstacle { return obstacle }
        guard !options.callsRPCs else { return nil }
        if probe.requiresLogin, !options.tellsUser {
            return
                "it asks for a log-in: --rpc logs in as the mocks do, and --header tells the backend whose session it is"
        }
        if let state = probe.laterState { return "it answers in the state '\(state)' only, to which --rpc leads" }
        if probe.method != .get { return "\(probe.method.rawValue) may change the backend's data: --rpc sends it, too" }
        return nil
    }

    // MARK: Flows

    /// Runs the machine of each scenario from its first state, in a session of its own, and what no scenario is about in another.
    private mutating func runFlows(_ known: DriftSession, _ pass: Int, _ progress: (CrawlProgress) -> Void) async {
        let usable = probes.filter { $0.obstacle == nil }
        let logIns = usable.filter { $0.logsIn && $0.scenario == nil }
        let plain = usable.filter { $0.scenario?.requiredState == nil && $0.nextState == nil && !$0.logsIn }
        var session = known.another
        if options.tellsUser { await session.logInToMocks() } else { await askAll(logIns, &session, pass, progress) }
        await askAll(plain.filter { $0.method == .get }, &session, pass, progress)
        await askAll(plain.filter { $0.method != .get && !$0.logsOut }, &session, pass, progress)
        await askAll(plain.filter(\.logsOut), &session, pass, progress)
        var names: [String] = []
        for probe in usable {
            if let name = probe.scenario?.name, !names.contains(name) { names.append(name) }
        }
        for name in names where isOpen {
            let own = usable.filter {
                $0.scenario?.name == name && ($0.scenario?.requiredState != nil || $0.nextState != nil)
            }
            var taken: Set<StubID> = []
            var round = 0
            while isOpen, round < 100 {
                var session = session.another
                if options.tellsUser {
                    await session.logInToMocks()
                } else if !own.contains(where: \.logsIn), let logIn = logIns.last {
                    _ = await ask(logIn, &session, pass, flow: "\(name) \(round)", progress)
                }
                guard await runFlow(own, &taken, &session, pass, progress) else { break }
                round += 1
            }
        }
    }

    /// Runs a machine through states until nothing new is reached.
    ///
    /// - Returns: whether it has reached something that was not reached before.
    private mutating func runFlow(
        _ probes: [MockProbe],
        _ taken: inout Set<StubID>,
        _ session: inout DriftSession,
        _ pass: Int,
        _ progress: (CrawlProgress) -> Void
    ) async -> Bool {
        var state = ScenarioStates.started
        var isNew = false
        // Each step takes a way that was not taken, or leads to one.
        for step in 0..<(probes.count * probes.count + 1) where isOpen {
            let here = probes.filter { ($0.scenario?.requiredState ?? state) == state }
            let resting = here.filter { $0.nextState == nil && !taken.contains($0.id) }
            for probe in resting.filter(\.logsIn) + resting.filter({ !$0.logsIn }) {
                guard await ask(probe, &session, pass, progress) else { continue }
                taken.insert(probe.id)
                isNew = true
            }
            let ways = here.filter { $0.nextState != nil }
            let next = ways.filter { !taken.contains($0.id) }.min { $0.order < $1.order }
            if let next {
                guard await ask(next, &session, pass, progress) else {
                    // It can't be taken: it counts as taken, so that the others are.
                    taken.insert(next.id)
                    continue
                }
                taken.insert(next.id)
                isNew = true
                state = next.nextState ?? state
            } else if let way = Self.way(from: state, probes, taken) {
                // The way is known; it is gone again in this session, without being compared again.
                guard await ask(way, &session, pass, flow: "again \(step) \(taken.count)", progress) else {
                    return isNew
                }
                state = way.nextState ?? state
            } else {
                return isNew
            }
        }
        return isNew
    }

    /// The first step from a state to one with something that was not asked for; nil without such a way.
    private static func way(from state: String, _ probes: [MockProbe], _ taken: Set<StubID>) -> MockProbe? {
        var steps: [(state: String, first: MockProbe?)] = [(state, nil)]
        var seen: Set<String> = [state]
        var index = 0
        while index < steps.count {
            let (state, first) = steps[index]
            index += 1
            if let first, probes.contains(where: { $0.scenario?.requiredState == state && !taken.contains($0.id) }) {
                return first
            }
            for probe in probes where (probe.scenario?.requiredState ?? state) == state {
                guard let next = probe.nextState, taken.contains(probe.id), seen.insert(next).inserted else { continue }
                steps.append((next, first ?? probe))
            }
        }
        return nil
    }

    // MARK: The report

    /// Compares what was answered.
    func fill(_ report: inout DriftReport) {
        var refused = 0
        for key in order {
            guard let asked = asked[key] else { continue }
            let source = asked.source.file.map { " (\($0):\(asked.source.line))" } ?? ""
            let changes = asked.drift.changes(asked.exchanges)
            if case .success(let answer)? = asked.exchanges.first?.backend, [401, 403].contains(answer.status.code),
                changes.contains(where: { $0.rule == "status-changed" })
            {
                refused += 1
            }
            let findings = changes.map { change in
                Finding(
                    change.severity,
                    rule: change.rule,
                    path: FindingPath(
                        page: asked.title,
                        steps: change.steps,
                        pointer: change.pointer,
                        line: asked.source.file == nil ? nil : asked.source.line
                    ),
                    message: change.message,
                    fix: "Correct the backend, or take its answer over: --update writes it into the file."
                )
            }
            report.pages.append((asked.title + source, findings))
            report.drifts += zip(findings, changes).map { finding, change in
                DriftReport.Drift(
                    finding: finding,
                    request: asked.title,
                    file: asked.source.file,
                    was: change.was,
                    now: change.now
                )
            }
        }
        report.compared = report.pages.count
        let compared = Set(asked.values.compactMap { $0.probe?.id })
        report.unverified = probes.filter { !compared.contains($0.id) || $0.obstacle != nil }.map { probe in
            let source = probe.file.map { "\($0):\(probe.line)" } ?? "added at run time"
            let reason =
                probe.obstacle ?? (isOver ? "the time was over" : reasons[probe.id]) ?? "no session leads to its state"
            return DriftReport.Unverified(request: probe.title, source: source, reason: reason)
        }
        if refused > 0 {
            report.notes.append(
                "The backend refuses \(refused) \(refused == 1 ? "request" : "requests") with 401 or 403: --header 'Cookie=session=…' or --header 'Authorization=Bearer …' tells it who asks."
            )
        }
        if isOver { report.notes.append("Stopped: the time was over.") }
        if failuresInRow >= Self.mostFailures { report.notes.append("Stopped: the backend gives no answers any more.") }
        if report.compared == 0, report.unverified.isEmpty { report.notes.append("There are no mocks to compare.") }
    }
}

extension MockProbe {
    /// The number that recordings begin a state's name with, so that the flow runs as it was recorded.
    fileprivate var order: (Int, String, Int) {
        let number = nextState.flatMap { Int($0.prefix { $0.isNumber }) } ?? Int.max
        return (number, file ?? "", line)
    }
}

extension ClientFailure {
    /// Whether there was no connection, or nothing that speaks HTTP.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .unknownHost, .notConnected, .notSecured, .invalidURL, .outsideOfProcess, .cancelled, .malformed: true
        default: false
        }
    }
}
