internal import Backlot
internal import BacklotClients
internal import BacklotMocks

/// Finds the shortest flow to a discovery: it leaves out steps and checks that the discovery occurs again with new devices.
///
/// Each attempt types other markers, so that names aren't taken already.
struct FlowShrinker {
    struct Result {
        let discovery: Discovery
        let flow: [ExploreStep]
        /// Whether the discovery occurs each time.
        let repeats: Bool
        /// Whether every step is necessary; false if the time or the attempts were used up.
        let isShortest: Bool
    }

    /// A flow that led to the discovery.
    private struct Way {
        let flow: [ExploreStep]
        /// The page of each step.
        let places: [String]
        let discovery: Discovery
    }

    private static let mostTries = 300
    private static let mostSteps = 6000
    private static let longest = Duration.seconds(60)
    /// Rules that a client may break simply because it begins at another page.
    private static let needsWholeWay: Set<String> = ["dead-end", "broken-action"]

    private let stage: ExploreSettings
    private let discovery: Discovery
    private let seed: UInt64
    private var random: SplitMix64
    /// The number of attempts, for the ids of devices.
    private var replays = 0
    /// The number of attempts that count towards the maximum.
    private var tries = 0
    private var steps = 0
    private let start = ContinuousClock.now

    init(_ stage: ExploreSettings, _ discovery: Discovery, seed: UInt64) {
        self.stage = stage
        self.discovery = discovery
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    private var isExhausted: Bool {
        tries >= Self.mostTries || steps >= Self.mostSteps || start.duration(to: .now) > Self.longest
            || stage.clock.isOver
    }

    mutating func shortest(_ flow: [ExploreStep]) async -> Result {
        var best: Way?
        for _ in 0..<3 where best == nil { best = await replay(flow) }
        guard var best else {
            // Without time for an attempt, the discovery counts as repeatable.
            let repeats = stage.clock.isOver && !discovery.mustRepeat
            return Result(discovery: discovery, flow: flow, repeats: repeats, isShortest: false)
        }
        if !Self.needsWholeWay.contains(discovery.finding.rule) { await beginLater(&best) }
        await leaveOutDevices(&best)
        await leaveOutSteps(&best)
        if !Self.needsWholeWay.contains(discovery.finding.rule) { await beginLater(&best) }
        await leaveOutFaults(&best)
        await shortenTexts(&best)
        let isShortest = !isExhausted
        // Repeat it once more, even if the attempts are used up.
        tries = 0
        steps = 0
        var again = await replay(best.flow)
        if again == nil { again = await replay(best.flow) }
        return Result(
            discovery: again?.discovery ?? best.discovery,
            flow: again?.flow ?? best.flow,
            repeats: again != nil || stage.clock.isOver,
            isShortest: isShortest
        )
    }

    /// Takes the steps with new devices and other markers, and skips impossible ones.
    ///
    /// - Returns: the steps up to the discovery; nil if it didn't occur again.
    private mutating func replay(_ flow: [ExploreStep]) async -> Way? {
        guard !isExhausted else { return nil }
        tries += 1
        replays += 1
        var markers: [String: String] = [:]
        let scene = ExploreState(stage, id: "\(seed).\(replays)")
        var places: [String] = []
        for original in flow {
            guard !stage.clock.isOver else { return nil }
            var step = original.mapTexts { text in
                Marker.replacing(in: text) { marker in
                    if let known = markers[marker] { return known }
                    let new = Marker.make(&random)
                    markers[marker] = new
                    return new
                }
            }
            steps += 1
            let place = scene.client(step.device)?.place ?? ""
            var found = await scene.perform(step)
            if found == nil, let other = similar(to: step, scene) {
                step = other
                found = await scene.perform(step)
            }
            guard let found else { continue }
            places.append(place)
            if let same = found.first(where: { $0.key == discovery.key }) {
                return Way(flow: scene.flow, places: places, discovery: same)
            }
        }
        return nil
    }

    /// The step on an element with a similar label: labels contain numbers and times.
    private func similar(to step: ExploreStep, _ scene: ExploreState) -> ExploreStep? {
        guard case .tap(let label, let number) = step.step else { return nil }
        let wanted = ExploreClass.label("\(label) \(number ?? 1)")
        let offer = scene.client(step.device)?.steps().first {
            ExploreClass.label($0.label) == wanted && $0.step != step.step
        }
        return offer.map { ExploreStep($0.step, on: step.device, fault: step.fault) }
    }

    // MARK: Ways to be shorter

    private mutating func take(_ flow: [ExploreStep], _ best: inout Way) async -> Bool {
        guard let way = await replay(flow), way.flow.count <= best.flow.count else { return false }
        best = way
        return true
    }

    private mutating func leaveOutDevices(_ best: inout Way) async {
        for device in Set(best.flow.map(\.device)).sorted().reversed() where Set(best.flow.map(\.device)).count > 1 {
            let rest = best.flow.filter { $0.device != device }
            _ = await take(rest, &best)
        }
    }

    /// Delta debugging: leaves out halves, quarters, and so on, down to single steps.
    private mutating func leaveOutSteps(_ best: inout Way) async {
        var size = max(1, best.flow.count / 2)
        while !isExhausted {
            var start = 0
            var isShorter = false
            while start < best.flow.count, !isExhausted {
                var rest = best.flow
                rest.removeSubrange(start..<min(start + size, rest.count))
                if !rest.isEmpty, await take(rest, &best) { isShorter = true } else { start += size }
            }
            if size > 1 { size /= 2 } else if !isShorter { return }
        }
    }

    /// Lets a device begin with a page that it opens later.
    private mutating func beginLater(_ best: inout Way) async {
        guard stage.clientType.startsAnywhere else { return }
        for device in Set(best.flow.map(\.device)).sorted() {
            let own = best.flow.indices.filter { best.flow[$0].device == device }
            var seen: Set<String> = []
            for place in own.dropFirst(2).reversed() {
                let path = best.places[place]
                guard path.hasPrefix("/"), !stage.clientType.isOwnPage(path),
                    ExploreClass.path(path) == path.prefix(while: { $0 != "?" }),
                    seen.insert(path).inserted
                else { continue }
                // Texts typed on the page itself belong to it.
                let first = own.first { $0 > own[0] && best.places[$0] == path } ?? place
                guard first > own[1] || best.flow[own[1]].step != .forgetCookies else { continue }
                let dropped = Set(own.filter { $0 < first })
                guard dropped.count > 1 else { continue }
                var flow: [ExploreStep] = []
                for (index, step) in best.flow.enumerated() {
                    if index == own[0] { flow.append(ExploreStep(.launch(path), on: device)) }
                    if !dropped.contains(index) { flow.append(step) }
                }
                if await take(flow, &best) { break }
            }
        }
    }

    private mutating func leaveOutFaults(_ best: inout Way) async {
        for index in best.flow.indices where index < best.flow.count && best.flow[index].fault != nil {
            var flow = best.flow
            flow[index].fault = nil
            _ = await take(flow, &best)
        }
    }

    /// Shortens the typed texts.
    private mutating func shortenTexts(_ best: inout Way) async {
        for index in best.flow.indices {
            var tries = 0
            while tries < 12, index < best.flow.count,
                case .enter(let text, let field, let variable) = best.flow[index].step,
                text.count > 30
            {
                tries += 1
                var flow = best.flow
                flow[index].step = .enter(String(text.prefix(text.count * 3 / 4)), into: field, variable: variable)
                guard await take(flow, &best) else { break }
            }
        }
    }
}
