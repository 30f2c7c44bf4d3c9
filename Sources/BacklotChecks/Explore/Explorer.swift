internal import Backlot
internal import BacklotClients
internal import BacklotMocks

/// One of the explorers. It goes through the backend session by session, each with new devices, and prefers untried steps.
///
/// All of its decisions depend on its seed; its findings go to ``discoveries``.
struct Explorer: Sendable {
    /// An earlier session with markers that may appear in others.
    struct Past: Sendable {
        let flow: [ExploreStep]
        let markers: Set<String>
        let identities: Set<String>
    }

    /// A kind of page, and the shortest known flow to it.
    struct KnownPage: Sendable {
        let path: String
        var way: [ExploreStep]
        var visits = 1
        /// The number of sessions that began there.
        var begun = 0

        /// The expected yield of a session that begins there: it is higher for pages with fewer steps so far.
        func worth(_ untyped: Int) -> Double {
            (1 + Double(min(untyped, 60)) / 5) / Double(1 + begun) / Double(10 + visits)
        }
    }

    static let stepsOfSession = 80
    /// The maximum number of stored sessions.
    static let mostPasts = 50
    /// The maximum number of findings, and of findings of one rule.
    static let mostFindings = 100
    static let mostOfOneRule = 25
    /// The maximum number of new attempts to repeat a discovery that didn't occur again.
    static let mostDoubts = 3
    /// The maximum number of stored attempts.
    static let mostTried = 50_000
    /// The maximum number of stored kinds of pages.
    static let mostPages = 5000

    let stage: ExploreSettings
    let number: Int
    var random: SplitMix64
    private(set) var discoveries: [(key: String, report: ExploreReport.Discovery)] = []
    /// The number of further findings, which weren't shortened.
    private(set) var more = 0
    private(set) var sessions = 0
    /// The number of attempts of each kind.
    private(set) var tried: [String: Int] = [:]
    /// The page that each tap led to.
    private(set) var leadsTo: [String: String] = [:]
    /// The number of odd texts that weren't typed yet, by page.
    var untyped: [String: Int] = [:]
    /// The kinds of pages seen, in the order of discovery.
    private(set) var pages: [KnownPage] = []
    private var pageNumbers: [String: Int] = [:]
    private var keys: Set<String> = []
    /// The number of times that each discovery failed to repeat.
    private var doubts: [String: Int] = [:]
    /// The steps of the last session.
    private(set) var lastFlow: [ExploreStep] = []
    private var pasts: [Past] = []
    private var steps = 0

    init(_ stage: ExploreSettings, number: Int) {
        self.stage = stage
        self.number = number
        random = SplitMix64(seed: stage.options.seed, part: number)
    }

    /// Whether the steps or the time are used up.
    private var isDone: Bool {
        if let most = stage.options.maximumSteps, steps >= most { return true }
        if let most = stage.options.maximumFindings, discoveries.count >= most { return true }
        return stage.clock.isOver
    }

    mutating func explore(_ progress: @Sendable (ExploreProgress) -> Void) async {
        while !isDone {
            sessions += 1
            let before = stage.clock.requests
            await runSession(progress)
            // If not even the launch sends a request, there is nothing to explore.
            if stage.clock.requests == before { break }
        }
    }

    private mutating func runSession(_ progress: @Sendable (ExploreProgress) -> Void) async {
        let memory = pasts
        let scene = ExploreState(stage, id: "\(number).\(sessions)") { marker in
            memory.last { $0.markers.contains(marker) }?.identities
        }
        var plan = SessionPlan(marker: Marker.make(&random))
        await begin(scene, plan)
        var idle = 0
        while !isDone, scene.flow.count < Self.stepsOfSession, idle < 20 {
            let moves = nextMoves(scene, &plan)
            var hasMoved = false
            for move in moves where !isDone {
                guard await perform(move, scene) else { break }
                hasMoved = true
            }
            idle = hasMoved ? 0 : idle + 1
            let place = scene.client(plan.device)?.place ?? ""
            if steps % 16 == 0 {
                progress(
                    ExploreProgress(
                        steps: stage.clock.steps,
                        pages: pages.count,
                        findings: discoveries.count,
                        path: place.escapingControls
                    )
                )
            }
        }
        let past = Past(
            flow: scene.flow,
            markers: Set(scene.markers.keys),
            identities: scene.identities[0] ?? []
        )
        lastFlow = scene.flow
        pasts.append(past)
        if pasts.count > Self.mostPasts { pasts.removeFirst() }
    }

    /// Does a step, and shortens the flows to its discoveries.
    ///
    /// - Returns: whether the step was possible.
    @discardableResult
    private mutating func perform(_ step: ExploreStep, _ scene: ExploreState) async -> Bool {
        if !step.step.isEntry {
            steps += 1
            stage.clock.countStep()
        }
        let before = scene.client(step.device)?.place ?? ""
        let offer = scene.client(step.device)?.steps().first { $0.step == step.step }
        guard let found = await scene.perform(step) else { return false }
        let place = ExploreClass.path(scene.client(step.device)?.place ?? "")
        visit(place, scene)
        if let offer {
            let key = Self.key(ExploreClass.path(before), offer)
            if leadsTo.count < Self.mostTried { leadsTo[key] = place }
        }
        for discovery in found { await take(discovery, scene) }
        return true
    }

    /// Begins a session at the first page, or by the shortest known flow at a page with few attempts so far.
    private mutating func begin(_ scene: ExploreState, _ plan: SessionPlan) async {
        var way = [ExploreStep(.launch(nil))]
        if random.happens(0.7), let page = random.place(among: pages.map { $0.worth(untyped[$0.path] ?? 3) }) {
            pages[page].begun += 1
            way = pages[page].way
        }
        for step in way where !isDone {
            await perform(step.mapTexts { Marker.replacing(in: $0) { _ in plan.marker } }, scene)
        }
        if scene.flow.isEmpty { await perform(ExploreStep(.launch(nil)), scene) }
    }

    private mutating func visit(_ place: String, _ scene: ExploreState) {
        let isPlain =
            scene.flow.count < 30
            && !scene.flow.contains { $0.device != 0 || $0.fault != nil || $0.step == .forgetCookies }
        if let number = pageNumbers[place] {
            pages[number].visits += 1
            if isPlain, scene.flow.count < pages[number].way.count { pages[number].way = scene.flow }
        } else if pages.count < Self.mostPages {
            pageNumbers[place] = pages.count
            pages.append(KnownPage(path: place, way: isPlain ? scene.flow : [ExploreStep(.launch(nil))]))
        }
    }

    mutating func noteTry(_ key: String) {
        if tried.count < Self.mostTried || tried[key] != nil { tried[key, default: 0] += 1 }
    }

    static func key(_ page: String, _ offer: OfferedStep) -> String { "\(page) \(ExploreClass.label(offer.label))" }

    // MARK: Discoveries

    private mutating func take(_ discovery: Discovery, _ scene: ExploreState) async {
        guard keys.count < 10_000, keys.insert(discovery.key).inserted else { return }
        let ofRule = discoveries.count { $0.report.finding.rule == discovery.finding.rule }
        guard discoveries.count < Self.mostFindings, ofRule < Self.mostOfOneRule else {
            more += 1
            return
        }
        var flow = scene.flow
        if let marker = discovery.foreignMarker, scene.markers[marker] == nil,
            let past = pasts.last(where: { $0.markers.contains(marker) })
        {
            flow =
                past.flow
                + flow.map { step in
                    var step = step
                    step.device += 2
                    return step
                }
        }
        var shrinker = FlowShrinker(stage, discovery, seed: random.next())
        let result = await shrinker.shortest(flow)
        // A single occurrence may be due to a busy machine.
        if discovery.mustRepeat, !result.repeats {
            // Later it may occur each time.
            doubts[discovery.key, default: 0] += 1
            if doubts[discovery.key] ?? 0 <= Self.mostDoubts, doubts.count < 10_000 { keys.remove(discovery.key) }
            return
        }
        let report = ExploreReport.Discovery(
            result.discovery,
            flow: result.flow,
            isFlaky: !result.repeats,
            isShortest: result.isShortest,
            explorer: number,
            stage
        )
        discoveries.append((discovery.key, report))
    }
}

/// The state of an explorer in its current session.
struct SessionPlan {
    /// The marker that the session types.
    let marker: String
    /// The current device.
    var device = 0
    var hasSecondDevice = false
}
