internal import Backlot
internal import BacklotClients
import BacklotRecording

/// The search for steps that lead from the current screen to a recorded request.
extension FlowReconstruction {
    /// Takes a step on a copy of the client, after the inputs that the request needs. Returns nil if that is impossible, or if the
    /// client sends an unrecorded request.
    private func attempt(_ step: ClientStep, _ way: Explanation) async -> Explanation? {
        let (plain, play) = await run([step], way)
        if let plain, !play.hasMissed { return plain }
        guard let wanted = play.wanted else { return nil }
        let entries = way.app.entries(for: wanted)
        guard !entries.isEmpty else { return nil }
        let (filled, second) = await run(entries + [step], way)
        return second.hasMissed ? nil : filled
    }

    private func run(
        _ steps: [ClientStep],
        _ way: Explanation
    ) async -> (Explanation?, RecordedTransport.Play) {
        let open = traffic.exchanges.indices.filter { index in
            !isExplained[index] && !way.taken.contains(index)
                && traffic.owners[index].map(way.owners.contains) != false
        }
        let transport = RecordedTransport(traffic, open: open)
        let app = way.app.twin(over: transport)
        var result = way
        result.app = app
        for step in steps {
            let buttons = app.buttons
            do {
                try await app.perform(step)
            } catch {
                return (nil, transport.play)
            }
            result.done.append(Explanation.Done(step: step, screen: RecordedScreen(app), buttons: buttons))
            result.rules.formUnion(app.findingsOfStep.filter { $0.severity == .error }.map(\.rule))
        }
        let play = transport.play
        result.taken += play.taken
        return (result, play)
    }

    private func beginning(_ index: Int, _ player: Int) -> Explanation {
        let owners = players[player].owners.union([traffic.owners[index]].compactMap(\.self))
        return Explanation(app: players[player].app, owners: owners)
    }

    /// The shortest sequence of steps to a request: steps without requests, and then the step that sends it.
    func way(to index: Int, _ player: Int) async -> Explanation? {
        let start = beginning(index, player)
        guard !start.app.stack.isEmpty else { return nil }
        if isRefreshDue(index, player), let way = await refresh(index, start) { return way }
        if let way = await restart(index, start) { return way }
        var seen: Set<String> = [start.app.situation]
        var waiting = [start]
        var tries = 0
        let isReachable =
            reachable.contains(traffic.targets[index]) || start.app.stack.contains(pagePath(index))
            || pagePath(index) == recorded.firstPage
        while isReachable, !waiting.isEmpty, tries < Self.mostTries {
            let from = waiting.removeFirst()
            var best: (way: Explanation, fit: Int)?
            for step in from.app.choices {
                tries += 1
                guard var way = await attempt(step, from) else { continue }
                if way.taken.first == index {
                    way.doubt = from.done.count * 2
                    let fit = fit(way)
                    if fit > best?.fit ?? .min { best = (way, fit) }
                } else if way.taken.isEmpty, from.done.count < Self.mostSilentSteps,
                    seen.insert(way.app.situation).inserted
                {
                    waiting.append(way)
                }
            }
            if let best { return best.way }
        }
        if let way = await typed(index, start) { return way }
        if var way = await refresh(index, start) {
            way.doubt = 6
            return way
        }
        if var way = await attempt(.pullToRefresh, start), way.taken.contains(index) {
            way.doubt = 5
            return way
        }
        return nil
    }

    /// The number of requests that an explanation covers in a row; negative if other requests of the client lie between them.
    private func fit(_ way: Explanation) -> Int {
        guard let first = way.taken.min(), let last = way.taken.max() else { return 0 }
        let between = (first...last).count { index in
            !isExplained[index] && !way.taken.contains(index) && !traffic.isDecoration(index)
                && traffic.owners[index].map(way.owners.contains) == true
        }
        return between == 0 ? way.taken.count : -between
    }

    /// Explains a request by a restart of the app, which loads all pages of the stack, the visible one first.
    private func restart(_ index: Int, _ start: Explanation) async -> Explanation? {
        guard traffic.wantsPage(index), start.app.stack.count > 1, start.app.path == pagePath(index),
            var way = await attempt(.relaunch(keepsStack: true), start), way.taken.first == index, fit(way) > 1
        else { return nil }
        way.remark = "The app was started again."
        return way
    }

    /// Whether the page was loaded so long ago that the client would refresh it by itself.
    private func isRefreshDue(_ index: Int, _ player: Int) -> Bool {
        guard let last = players[player].loads[traffic.targets[index]], let wait = players[player].app.timeToRefresh
        else { return false }
        let gap = traffic.exchanges[index].began - last
        return gap >= .milliseconds(900) && gap * 10 >= wait * 8
    }

    /// Explains a request by a refresh of the page that the client does by itself.
    private func refresh(_ index: Int, _ start: Explanation) async -> Explanation? {
        guard let wait = start.app.timeToRefresh, var way = await attempt(.wait(wait), start),
            way.taken.contains(index)
        else { return nil }
        way.remark = "The client refreshes the page by itself."
        return way
    }

    /// Explains a request by an input that makes the client refresh the page.
    private func typed(_ index: Int, _ start: Explanation) async -> Explanation? {
        guard start.app.touchable?.widgets.contains(where: { $0.pollDelay != nil }) == true,
            let variables = traffic.bodies[index]?.object
        else { return nil }
        let entries = start.app.entries(for: variables)
        guard !entries.isEmpty, let entered = await run(entries, start).0, let wait = entered.app.timeToRefresh
        else { return nil }
        let (result, play) = await run([.wait(wait)], entered)
        guard var way = result, !play.hasMissed, way.taken.contains(index) else { return nil }
        way.remark = "The client refreshes the page after an entry."
        return way
    }

    func launch(_ index: Int, _ player: Int) async -> Explanation? {
        let path = pagePath(index)
        let step = ClientStep.launch(path == recorded.firstPage ? nil : path)
        guard traffic.wantsPage(index), var way = await attempt(step, beginning(index, player)),
            way.taken.first == index
        else { return nil }
        way.doubt = 1
        return way
    }

    /// Explains a request by a restart of the app, or by a link that opened it.
    func leap(to index: Int, _ player: Int) async -> Explanation? {
        guard traffic.wantsPage(index) else { return nil }
        let start = beginning(index, player)
        for keepsStack in [true, false] {
            if var way = await attempt(.relaunch(keepsStack: keepsStack), start), way.taken.first == index {
                way.remark = "The app was started again."
                return way
            }
        }
        guard traffic.isPage(index), var way = await attempt(.open(pagePath(index)), start),
            way.taken.contains(index)
        else { return nil }
        leaps += 1
        way.remark = "Nothing on the screen leads there: the page is opened as by a link into the app."
        return way
    }

    /// The path as pages spell it.
    private func pagePath(_ index: Int) -> String { "/" + traffic.targets[index].dropFirst(recorded.base.count) }
}
