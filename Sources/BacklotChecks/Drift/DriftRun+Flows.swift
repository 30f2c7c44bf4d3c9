internal import Backlot
import BacklotMocks
internal import HTTPTypes

extension DriftRun {
    /// Runs each scenario from its first state, in a session of its own. Requests that belong to no scenario share another session.
    mutating func runFlows(_ known: DriftSession, _ pass: Int, _ progress: (CrawlProgress) -> Void) async {
        let usable = probes.filter { $0.obstacle == nil }
        let logIns = usable.filter { $0.logsIn && $0.scenario == nil }
        let plain = usable.filter { $0.scenario?.requiredState == nil && $0.nextState == nil && !$0.logsIn }
        var session = known.another
        if options.tellsUser { await session.logInToMocks() } else { await askAll(logIns, &session, pass, progress) }
        await askAll(plain.filter { $0.method == .get }, &session, pass, progress)
        await askAgain(plain, &session, pass, in: "", progress)
        var rest = plain.filter { $0.method != .get }
        for probe in rest where hasStates(probe) {
            reasons[probe.id] = "no known flow leads to a state in which it answers"
        }
        rest.removeAll(where: hasStates)
        await askAll(rest.filter { !$0.logsOut }, &session, pass, progress)
        await askAll(rest.filter(\.logsOut), &session, pass, progress)
        var names: [String] = []
        for probe in usable {
            if let name = probe.scenario?.name, !names.contains(name) { names.append(name) }
        }
        for name in names where isOpen {
            let own = usable.filter {
                $0.scenario?.name == name && ($0.scenario?.requiredState != nil || $0.nextState != nil)
            }
            var taken: Set<StubID> = []
            var blocked: Set<StubID> = []
            var round = 0
            var failed: FailedStep?
            while isOpen, round < 100 {
                var session = session.another
                if options.tellsUser {
                    await session.logInToMocks()
                } else if !own.contains(where: \.logsIn), let logIn = logIns.last {
                    _ = await ask(logIn, &session, pass, for: .way, progress)
                }
                let isNew = await runFlow(own, &taken, &blocked, &session, pass, usual: plain, progress)
                failed = session.failedStep ?? failed
                guard isNew else { break }
                round += 1
            }
            for probe in own where reasons[probe.id] == nil { reasons[probe.id] = failed?.reason }
        }
    }

    /// Whether another answer of the same route is for some state.
    private func hasStates(_ probe: MockProbe) -> Bool {
        probes.contains { other in
            other.id != probe.id && other.scenario != nil && other.pattern == probe.pattern
                && other.method == probe.method
        }
    }

    /// Asks for what was not reached yet, and again for what differs, in another state: a recording doesn't say in which states its usual answers were given.
    private mutating func askAgain(
        _ probes: [MockProbe],
        _ session: inout DriftSession,
        _ pass: Int,
        in state: String,
        _ progress: (CrawlProgress) -> Void
    ) async {
        for probe in probes where probe.method == .get {
            let isKnown = (asked["\(probe.id)"]?.exchanges.count ?? 0) > pass
            guard !isKnown || differs(probe) else { continue }
            _ = await ask(probe, &session, pass, for: isKnown ? .alternative(state) : .comparison, progress)
        }
    }

    /// Runs a machine through states until nothing new is reached.
    ///
    /// - Parameter usual: the answers that are for no state.
    /// - Returns: whether it has reached something that was not reached before.
    mutating func runFlow(
        _ probes: [MockProbe],
        _ taken: inout Set<StubID>,
        _ blocked: inout Set<StubID>,
        _ session: inout DriftSession,
        _ pass: Int,
        usual: [MockProbe],
        _ progress: (CrawlProgress) -> Void
    ) async -> Bool {
        var state = ScenarioStates.started
        var isNew = false
        // Steps that the backend refuses lead nowhere.
        if session.failedStep != nil { return false }
        // Each step takes a way that was not taken, or leads to one.
        for _ in 0..<(probes.count * probes.count + 1) where isOpen {
            let here = probes.filter { ($0.scenario?.requiredState ?? state) == state }
            let resting = here.filter { $0.nextState == nil && !taken.contains($0.id) }
            for probe in resting.filter(\.logsIn) + resting.filter({ !$0.logsIn }) {
                guard await ask(probe, &session, pass, progress) else { continue }
                taken.insert(probe.id)
                isNew = true
                if session.failedStep != nil { return true }
            }
            await askAgain(usual, &session, pass, in: state, progress)
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
                if session.failedStep != nil {
                    blocked.insert(next.id)
                    return true
                }
                state = next.nextState ?? state
            } else if let way = Self.way(from: state, probes, taken, blocked) {
                // The way is known; it is gone again in this session, without being compared again.
                guard await ask(way, &session, pass, for: .way, progress), session.failedStep == nil else {
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
    static func way(
        from state: String,
        _ probes: [MockProbe],
        _ taken: Set<StubID>,
        _ blocked: Set<StubID>
    )
        -> MockProbe?
    {
        var steps: [(state: String, first: MockProbe?)] = [(state, nil)]
        var seen: Set<String> = [state]
        var index = 0
        while index < steps.count {
            let (state, first) = steps[index]
            index += 1
            if let first, probes.contains(where: { $0.scenario?.requiredState == state && !taken.contains($0.id) }) {
                return first
            }
            for probe in probes
            where !blocked.contains(probe.id) && (probe.scenario?.requiredState ?? state) == state {
                guard let next = probe.nextState, taken.contains(probe.id), seen.insert(next).inserted else { continue }
                steps.append((next, first ?? probe))
            }
        }
        return nil
    }
}

extension MockProbe {
    /// The number that recordings begin a state's name with, so that the flow runs as it was recorded.
    fileprivate var order: (Int, String, Int) {
        let number = nextState.flatMap { Int($0.prefix { $0.isNumber }) } ?? Int.max
        return (number, file ?? "", line)
    }
}
