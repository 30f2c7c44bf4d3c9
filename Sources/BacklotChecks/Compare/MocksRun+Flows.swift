internal import BacklotMocks
internal import HTTPTypes

extension MocksRun {
    /// Runs each scenario from its first state, in a separate session. Requests outside of scenarios share another session.
    mutating func runFlows(_ known: MockSession) async {
        let usable = probes.filter { $0.obstacle == nil }
        let logIns = usable.filter { self.logIns.contains($0.id) && $0.scenario == nil }
        let plain = usable.filter {
            $0.scenario?.requiredState == nil && $0.nextState == nil && $0.moves.isEmpty && !self.logIns.contains($0.id)
        }
        var session = known.another
        if options.tellsUser { await session.logInToMocks() } else { await askAll(logIns, &session) }
        await askAll(plain.filter { $0.method == .get }, &session)
        await askAgain(plain, &session, in: "")
        let rest = plain.filter { $0.method != .get }
        for probe in rest where hasStates(probe) {
            reasons[probe.id] = "no known flow reaches a state with this response"
        }
        let free = rest.filter { !hasStates($0) }
        await askAll(free.filter { !$0.logsOut }, &session)
        await askAll(free.filter(\.logsOut), &session)
        var names: [String] = []
        for name in usable.flatMap({ [$0.scenario?.name].compactMap(\.self) + $0.moves.map(\.scenario) })
        where !names.contains(name) {
            names.append(name)
        }
        for name in names where isOpen {
            let own = usable.filter { probe in
                probe.scenario?.name == name && (probe.scenario?.requiredState != nil || probe.nextState != nil)
                    || probe.moves.contains { $0.scenario == name }
            }
            var flow = Flow(own, of: name)
            var failed: FailedStep?
            for _ in 0..<Flow.mostRounds where isOpen {
                var session = session.another
                if options.tellsUser {
                    await session.logInToMocks()
                } else if !own.contains(where: \.logsIn) {
                    let needed = own.flatMap(\.credentials)
                    let logIn = logIns.first { needed.contains(where: $0.gives) } ?? logIns.last
                    if let logIn { _ = await ask(logIn, &session, for: isAsked(logIn) ? .way : .comparison) }
                }
                let isNew = await run(&flow, &session, usual: plain)
                failed = session.failedStep ?? failed
                guard isNew else { break }
            }
            for probe in own where reasons[probe.id] == nil { reasons[probe.id] = failed?.reason }
        }
    }

    /// Whether another response of the same route is for a state.
    private func hasStates(_ probe: MockProbe) -> Bool {
        probes.contains { other in
            other.id != probe.id && other.scenario != nil && other.pattern == probe.pattern
                && other.method == probe.method
        }
    }

    /// Sends the remaining requests, and in another state repeats those with differences: a recording doesn't name the states of
    /// its usual responses.
    private mutating func askAgain(_ probes: [MockProbe], _ session: inout MockSession, in state: String) async {
        for probe in probes where probe.method == .get {
            let isKnown = isAsked(probe)
            guard !isKnown || asked["\(probe.id)"]?.differences.isEmpty == false else { continue }
            _ = await ask(probe, &session, for: isKnown ? .alternative(state) : .comparison)
        }
    }

    /// Runs a flow through states until it reaches nothing new.
    ///
    /// - Parameter usual: the responses that aren't for a state.
    /// - Returns: whether it reached a new response.
    private mutating func run(
        _ flow: inout Flow,
        _ session: inout MockSession,
        usual: [MockProbe]
    ) async -> Bool {
        var state = ScenarioStates.started
        var isNew = false
        // A step that the backend rejects doesn't change the state.
        if session.failedStep != nil { return false }
        // Each round takes a new step, or leads to one.
        for _ in 0..<(flow.probes.count * flow.probes.count + 1) where isOpen {
            for probe in flow.resting(in: state) where await ask(probe, &session) {
                flow.taken.insert(probe.id)
                isNew = true
                if session.failedStep != nil { return true }
            }
            await askAgain(usual, &session, in: state)
            if let next = flow.next(in: state) {
                // A step that fails counts as taken, so that the others get their turn.
                let isTaken = await ask(next.probe, &session, for: isAsked(next.probe) ? .way : .comparison)
                flow.steps.insert(next.key)
                flow.taken.insert(next.probe.id)
                guard isTaken else { continue }
                isNew = true
                if session.failedStep != nil {
                    flow.blocked.insert(next.key)
                    return true
                }
                state = next.new
            } else if let way = flow.way(from: state), await ask(way.probe, &session, for: .way),
                session.failedStep == nil
            {
                // The step is known; the session repeats it without comparing it again.
                state = way.new
            } else {
                return isNew
            }
        }
        return isNew
    }
}

/// The steps through the states of a scenario. A value without I/O.
private struct Flow {
    /// The maximum number of runs from the first state.
    static let mostRounds = 100

    /// A step from one state to another.
    struct Step {
        let probe: MockProbe
        /// The state that the step requires; nil for any.
        let required: String?
        let new: String

        var key: String { "\(probe.id) \(required ?? "")" }
    }

    let probes: [MockProbe]
    private let scenario: String
    private let all: [Step]
    var taken: Set<StubID> = []
    /// The steps taken so far.
    var steps: Set<String> = []
    /// The steps that the backend rejects.
    var blocked: Set<String> = []

    init(_ probes: [MockProbe], of scenario: String) {
        (self.probes, self.scenario) = (probes, scenario)
        all = probes.flatMap { probe -> [Step] in
            let moved = probe.moves.first { $0.scenario == scenario }?.states ?? [:]
            let moves = moved.filter { $0.key != $0.value }.map { Step(probe: probe, required: $0.key, new: $0.value) }
            guard probe.scenario?.name == scenario, let next = probe.nextState else { return moves }
            return moves + [Step(probe: probe, required: probe.scenario?.requiredState, new: next)]
        }
    }

    private func steps(from state: String) -> [Step] { all.filter { ($0.required ?? state) == state } }

    private func probes(in state: String) -> [MockProbe] {
        probes.filter { $0.scenario?.name == scenario && ($0.scenario?.requiredState ?? state) == state }
    }

    /// The remaining requests that don't change the state, log-ins first.
    func resting(in state: String) -> [MockProbe] {
        let resting = probes(in: state).filter { $0.nextState == nil && $0.moves.isEmpty && !taken.contains($0.id) }
        return resting.filter(\.logsIn) + resting.filter { !$0.logsIn }
    }

    /// The first untaken step from a state. The flow repeats the recorded order, since recordings begin a state's name with a number.
    func next(in state: String) -> Step? {
        func order(_ step: Step) -> (Int, String, Int) {
            let number = Int(step.new.prefix { $0.isNumber }) ?? Int.max
            return (number, step.probe.source.file ?? "", step.probe.source.line)
        }
        return steps(from: state).filter { !steps.contains($0.key) }.min { order($0) < order($1) }
    }

    /// The first step towards a state with remaining requests; nil without one.
    func way(from state: String) -> Step? {
        var ways: [(state: String, first: Step?)] = [(state, nil)]
        var seen: Set<String> = [state]
        var index = 0
        while index < ways.count {
            let (state, first) = ways[index]
            index += 1
            let isNew = probes.contains {
                $0.scenario?.name == scenario && $0.scenario?.requiredState == state && !taken.contains($0.id)
            }
            if let first, isNew || steps(from: state).contains(where: { !steps.contains($0.key) }) { return first }
            for step in steps(from: state) where !blocked.contains(step.key) && steps.contains(step.key) {
                guard seen.insert(step.new).inserted else { continue }
                ways.append((step.new, first ?? step))
            }
        }
        return nil
    }
}
