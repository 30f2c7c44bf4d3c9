internal import Backlot
internal import BacklotClients
internal import BacklotMocks

/// The choice of an explorer's next steps.
extension Explorer {
    private typealias Fault = FaultyTransport.Fault

    /// The next steps. If one is impossible, the steps after it are left out.
    mutating func nextMoves(_ scene: ExploreState, _ plan: inout SessionPlan) -> [ExploreStep] {
        if plan.hasSecondDevice, random.happens(0.4) { plan.device = 1 - plan.device }
        let device = plan.device
        guard let client = scene.client(device) else { return [ExploreStep(.launch(nil), on: device)] }
        let page = ExploreClass.path(client.place)
        let offers = client.steps().filter { !$0.paths.contains { stage.forbidden.cover($0) } }
        if client.shownError != nil {
            if random.happens(0.9), offers.contains(where: \.isBack) { return [ExploreStep(.back, on: device)] }
            return [ExploreStep(.relaunch(keepsStack: random.happens(0.5)), on: device)]
        }
        if client.canRefresh, tried["refresh \(page)"] == nil, random.happens(0.2) {
            noteTry("refresh \(page)")
            return refreshes(device)
        }
        if client.cookieCount > 0, random.happens(0.05),
            let offer = pick(offers.filter { $0.isRequest && client.takesInput($0.step) }, page)
        {
            // The session ends just before the app needs it.
            return [ExploreStep(.forgetCookies, on: device), ExploreStep(offer.step, on: device)]
        }
        if random.happens(0.1), let moves = rareMoves(client, page, scene, &plan) { return moves }
        let fields = client.fields
        if !fields.isEmpty, random.happens(0.65) {
            let entries = fill(fields, page, client, plan)
            // Pages may read the input after a delay, at a refresh, or, most often, when the user taps something.
            if let delay = fields.compactMap(\.pollDelay).max(), random.happens(0.5) {
                return entries + [ExploreStep(.wait(delay + .seconds(1)), on: device)]
            }
            if client.canRefresh, random.happens(0.15) { return entries + [ExploreStep(.pullToRefresh, on: device)] }
            let ways = offers.filter { !$0.isBack && $0.isRequest }
            let submits = ways.filter { client.takesInput($0.step) }
            let isSent = !submits.isEmpty || random.happens(0.5)
            guard isSent, let offer = pick(submits.isEmpty || random.happens(0.2) ? ways : submits, page) else {
                return client.canRefresh ? entries + [ExploreStep(.pullToRefresh, on: device)] : entries
            }
            return entries + tap(offer, page, device)
        }
        guard let offer = pick(offers, page) else {
            return [ExploreStep(.relaunch(keepsStack: false), on: device)]
        }
        return tap(offer, page, device)
    }

    // MARK: Taps

    /// Picks a step at random. Prefers steps that were tapped less often, and steps to pages with more untried steps.
    private mutating func pick(_ offers: [OfferedStep], _ page: String) -> OfferedStep? {
        let weights = offers.map { offer -> Double in
            if offer.isBack { return offers.count == 1 ? 1 : 0.1 }
            let key = Self.key(page, offer)
            let count = Double(tried[key] ?? 0)
            let left = leadsTo[key].map { untyped[$0] ?? 0 } ?? 5
            return (1 + Double(min(left, 30)) / 5) / (1 + count)
        }
        return random.place(among: weights).map { offers[$0] }
    }

    private mutating func tap(_ offer: OfferedStep, _ page: String, _ device: Int) -> [ExploreStep] {
        let key = Self.key(page, offer)
        noteTry(key)
        let count = tried[key] ?? 0
        let step = ExploreStep(offer.step, on: device)
        if stage.options.hasFaults, offer.isRequest, random.happens(0.14) {
            let fault = random.pick([Fault.lost, .lost, .cut, .unsent, .twice, .twice, .twice])
            var faulty = step
            faulty.fault = random.happens(0.02) ? .late : fault
            // A user without a response tries again.
            return fault == .twice ? [faulty] : [faulty, ExploreStep(.back, on: device), step]
        }
        if leadsTo[key] == page, tried["again \(key)"] ?? 0 < 3, random.happens(0.4) {
            noteTry("again \(key)")
            return Array(repeating: step, count: GrowthWatch.mostAlike + 1)
        }
        if random.happens(0.15) { return [step, step] }
        if count < 40, random.happens(0.04) { return Array(repeating: step, count: 9) }
        return [step]
    }

    // MARK: Inputs

    /// Fills in a page: plausibly, with one odd value, or with odd values only.
    private mutating func fill(
        _ fields: [InputField],
        _ page: String,
        _ client: any HeadlessClient,
        _ plan: SessionPlan
    ) -> [ExploreStep] {
        let words = InputValues.words(in: client.shownTexts)
        let fields = fields.count > 12 ? Array(shuffled(fields).prefix(12)) : fields
        let mode = random.below(10)
        let odd = mode < 2 ? nil : fields.indices.max { wish(fields[$0], page) < wish(fields[$1], page) }
        let other = random.happens(0.4) ? random.below(fields.count) : odd
        var left = 0
        var steps: [ExploreStep] = []
        for (index, field) in fields.enumerated() {
            let isOdd = mode >= 7 || mode >= 2 && index == other
            let (step, untyped) = entry(field, isOdd: isOdd, page, words, plan)
            left += untyped
            if let step { steps.append(ExploreStep(step, on: plan.device)) }
        }
        if untyped.count < Self.mostTried || untyped[page] != nil { untyped[page] = left }
        return steps
    }

    private mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for index in elements.indices.reversed().dropLast() { elements.swapAt(index, random.below(index + 1)) }
        return elements
    }

    /// The number of untried texts for a field.
    private func wish(_ field: InputField, _ page: String) -> Int {
        guard case .text = field.kind else { return 0 }
        return 100 - (tried["\(page) \(field.variable)"] ?? 0)
    }

    private mutating func entry(
        _ field: InputField,
        isOdd: Bool,
        _ page: String,
        _ words: [String],
        _ plan: SessionPlan
    ) -> (step: ClientStep?, untyped: Int) {
        switch field.kind {
        case .box(let isOn):
            let wanted = random.happens(isOdd ? 0.5 : 0.7)
            return (wanted == isOn ? nil : wanted ? .check(field.name) : .uncheck(field.name), 0)
        case .choice(let options):
            // Each option in turn, then random ones.
            let key = "\(page) \(field.variable)"
            let next = tried[key] ?? 0
            noteTry(key)
            let option = next < options.count ? options[options.count - 1 - next] : random.pick(options)
            return (
                isOdd || random.happens(0.3) ? .choose(option, from: field.name) : nil, max(0, options.count - next)
            )
        case .text(let allow, let minimum, let maximum):
            let key = "\(page) \(ExploreClass.label(field.variable))"
            let candidates = InputValues.candidates(
                field,
                plan.marker,
                minimum: minimum,
                maximum: maximum,
                words: words
            )
            // Other formats than JSON can't carry NUL to a backend.
            .filter { stage.clientType.sendsAnyText || $0.name != "nul" }
            let left = candidates.filter { tried["\(key) \($0.name)"] == nil }
            guard isOdd else {
                let text = InputValues.plausible(field, plan.marker, minimum: minimum, maximum: maximum, allow: allow)
                return (.enter(text, into: field.name, variable: field.variable), left.count)
            }
            noteTry("\(page) \(field.variable)")
            let candidate = random.happens(0.75) ? left.first ?? random.pick(candidates) : random.pick(candidates)
            noteTry("\(key) \(candidate.name)")
            return (.enter(candidate.text, into: field.name, variable: field.variable), left.count)
        }
    }

    private func refreshes(_ device: Int) -> [ExploreStep] {
        Array(repeating: ExploreStep(.pullToRefresh, on: device), count: GrowthWatch.mostGrowths + 1)
    }

    // MARK: Rare steps

    /// Restarts the app, ends the session, adds a second device, or refreshes the page; nil if none of these makes sense here.
    private mutating func rareMoves(
        _ client: any HeadlessClient,
        _ page: String,
        _ scene: ExploreState,
        _ plan: inout SessionPlan
    ) -> [ExploreStep]? {
        let device = plan.device
        let soak = "refresh \(page)"
        let weights: [Double] = [
            client.canRefresh ? 3 / Double(1 + (tried[soak] ?? 0)) : 0,
            1,
            0.6,
            client.cookieCount > 0 ? 2 : 0.5,
            client.timeToRefresh == nil ? 0 : 1,
            plan.hasSecondDevice || scene.flow.count < 4 ? 0 : 1.5,
        ]
        switch random.place(among: weights) {
        case 0:
            noteTry(soak)
            return refreshes(device)
        case 1: return [ExploreStep(.relaunch(keepsStack: true), on: device)]
        case 2: return [ExploreStep(.relaunch(keepsStack: false), on: device)]
        case 3: return [ExploreStep(.forgetCookies, on: device)]
        case 4:
            let time = min(client.timeToRefresh ?? .zero, .seconds(3600)) + .seconds(1)
            return [ExploreStep(.wait(time), on: device)]
        case 5:
            // The same person with a second device, which repeats the steps of the first.
            plan.hasSecondDevice = true
            plan.device = 1
            return scene.flow.filter { $0.device == 0 && $0.fault == nil }.prefix(25).map { step in
                ExploreStep(step.step, on: 1)
            }
        default: return nil
        }
    }
}
