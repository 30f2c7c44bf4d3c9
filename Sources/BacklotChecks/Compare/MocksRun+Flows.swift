internal import BacklotMocks
internal import HTTPTypes

extension MocksRun {
    /// Runs each scenario from its first state, in a session of its own. Requests that belong to no scenario share another session.
    mutating func runFlows(_ known: MockSession) async {
        let usable = probes.filter { $0.obstacle == nil }
        let logIns = usable.filter { $0.logsIn && $0.scenario == nil }
        let plain = usable.filter { $0.scenario?.requiredState == nil && $0.nextState == nil && !$0.logsIn }
        var session = known.another
        if options.tellsUser { await session.logInToMocks() } else { await askAll(logIns, &session) }
        await askAll(plain.filter { $0.method == .get }, &session)
        await askAgain(plain, &session, in: "")
        let rest = plain.filter { $0.method != .get }
        for probe in rest where hasStates(probe) {
            reasons[probe.id] = "no known flow leads to a state in which it answers"
        }
        let free = rest.filter { !hasStates($0) }
        await askAll(free.filter { !$0.logsOut }, &session)
        await askAll(free.filter(\.logsOut), &session)
        var names: [String] = []
        for name in usable.compactMap(\.scenario?.name) where !names.contains(name) { names.append(name) }
        for name in names where isOpen {
            let own = usable.filter {
                $0.scenario?.name == name && ($0.scenario?.requiredState != nil || $0.nextState != nil)
            }
            var flow = Flow(probes: own)
            var failed: FailedStep?
            for _ in 0..<Flow.mostRounds where isOpen {
                var session = session.another
                if options.tellsUser {
                    await session.logInToMocks()
                } else if !own.contains(where: \.logsIn), let logIn = logIns.last {
                    _ = await ask(logIn, &session, for: .way)
                }
                let isNew = await run(&flow, &session, usual: plain)
                failed = session.failedStep ?? failed
                guard isNew else { break }
            }
            for probe in own where reasons[probe.id] == nil { reasons[probe.id] = failed?.reason }
        }
    }

    /// Whether another response of the same route is for some state.
    private func hasStates(_ probe: MockProbe) -> Bool {
        probes.contains { other in
            other.id != probe.id && other.scenario != nil && other.pattern == probe.pattern
                && other.method == probe.method
        }
    }

    /// Requests what was not reached yet, and again what differs, in another state: a recording doesn't say in which states its usual
    /// responses were given.
    private mutating func askAgain(_ probes: [MockProbe], _ session: inout MockSession, in state: String) async {
        for probe in probes where probe.method == .get {
            let isKnown = isAsked(probe)
            guard !isKnown || asked["\(probe.id)"]?.differences.isEmpty == false else { continue }
            _ = await ask(probe, &session, for: isKnown ? .alternative(state) : .comparison)
        }
    }

    /// Runs a flow through states until nothing new is reached.
    ///
    /// - Parameter usual: the responses that are for no state.
    /// - Returns: whether it has reached something that was not reached before.
    private mutating func run(
        _ flow: inout Flow,
        _ session: inout MockSession,
        usual: [MockProbe]
    ) async -> Bool {
        var state = ScenarioStates.started
        var isNew = false
        // Steps that the backend refuses lead nowhere.
        if session.failedStep != nil { return false }
        // Each step takes a way that was not taken, or leads to one.
        for _ in 0..<(flow.probes.count * flow.probes.count + 1) where isOpen {
            for probe in flow.resting(in: state) where await ask(probe, &session) {
                flow.taken.insert(probe.id)
                isNew = true
                if session.failedStep != nil { return true }
            }
            await askAgain(usual, &session, in: state)
            if let next = flow.next(in: state) {
                // One that can't be taken counts as taken, so that the others are.
                let isTaken = await ask(next, &session)
                flow.taken.insert(next.id)
                guard isTaken else { continue }
                isNew = true
                if session.failedStep != nil {
                    flow.blocked.insert(next.id)
                    return true
                }
                state = next.nextState ?? state
            } else if let way = flow.way(from: state), await ask(way, &session, for: .way), session.failedStep == nil {
                // The way is known; it is gone again in this session, without being compared again.
                state = way.nextState ?? state
            } else {
                return isNew
            }
        }
        return isNew
    }
}

/// The ways through the states of a scenario. A value without I/O.
private struct Flow {
    /// How often it is run from its first state at most.
    static let mostRounds = 100

    let probes: [MockProbe]
    var taken: Set<StubID> = []
    /// The steps that the backend refuses.
    var blocked: Set<StubID> = []

    private func probes(in state: String) -> [MockProbe] {
        probes.filter { ($0.scenario?.requiredState ?? state) == state }
    }

    /// What was not requested yet and leaves a state as it is; log-ins first.
    func resting(in state: String) -> [MockProbe] {
        let resting = probes(in: state).filter { $0.nextState == nil && !taken.contains($0.id) }
        return resting.filter(\.logsIn) + resting.filter { !$0.logsIn }
    }

    /// The first step from a state that was not taken, so that the flow runs as it was recorded: recordings begin a state's name with
    /// a number.
    func next(in state: String) -> MockProbe? {
        func order(_ probe: MockProbe) -> (Int, String, Int) {
            let number = probe.nextState.flatMap { Int($0.prefix { $0.isNumber }) } ?? Int.max
            return (number, probe.source.file ?? "", probe.source.line)
        }
        return probes(in: state).filter { $0.nextState != nil && !taken.contains($0.id) }
            .min { order($0) < order($1) }
    }

    /// The first step from a state to one with something that was not requested; nil without such a way.
    func way(from state: String) -> MockProbe? {
        var steps: [(state: String, first: MockProbe?)] = [(state, nil)]
        var seen: Set<String> = [state]
        var index = 0
        while index < steps.count {
            let (state, first) = steps[index]
            index += 1
            if let first, probes.contains(where: { $0.scenario?.requiredState == state && !taken.contains($0.id) }) {
                return first
            }
            for probe in probes(in: state) where !blocked.contains(probe.id) && taken.contains(probe.id) {
                guard let next = probe.nextState, seen.insert(next).inserted else { continue }
                steps.append((next, first ?? probe))
            }
        }
        return nil
    }
}
