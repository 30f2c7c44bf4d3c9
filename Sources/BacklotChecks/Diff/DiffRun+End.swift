internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import BacklotMocks
internal import HTTPTypes

/// What is done when all steps are.
extension DiffRun {
    /// Looks at the pages that only B leads to.
    func visitAdditions() async {
        guard let b, unreachable == nil else { return }
        for (target, place) in additions where !asked.contains(target) {
            if rest <= .zero, stop == nil { stop = .time }
            guard stop == nil, !Task.isCancelled else { return }
            let url = leader.origin + leader.folder + target.dropFirst()
            guard let url = try? HTTPURL(url) else { continue }
            let request = ClientRequest(.get, url, headers: [.accept: AnswerJudge.pageType])
            let answer = await b.ask(request, within: rest)
            guard !Task.isCancelled else { return }
            let step = AnswerDiff(wire: wire, request: request, path: target, volatile: volatile, baseURL: "\(url)")
            found.begin(target)
            let source = "\(place)".cut(to: 200)
            guard let response = answer.response, response.status.kind == .successful else {
                let reason = answer.response.map { "which answers \($0.status)" } ?? "which gives no answer"
                let isForUsers = [403, 422].contains(answer.response?.status.code ?? 0)
                found.add([
                    step.difference(
                        isForUsers ? .neutral : .breaking,
                        isForUsers ? "page-added" : "dead-link",
                        "Only B leads here, \(reason): from \(source)."
                    )
                ])
                continue
            }
            found.add([step.difference(.neutral, "page-added", "Only B leads here: from \(source).")])
            let judge = AnswerJudge(dialect: nil, base: leader.url, app: nil, limits: options.limits)
            found.add(
                judge.page(response, path: target).findings.map { finding in
                    step.difference(
                        finding.severity == .error ? .breaking : .visible,
                        finding.rule,
                        "B's new page breaks a rule: \(finding.message) \(finding.fix)",
                        steps: finding.path.steps,
                        at: finding.path.pointer
                    )
                }
            )
        }
    }

    /// Asks again for pages that differ: what a server changes by itself is no difference.
    func confirm() async {
        guard !doubts.isEmpty, stop == nil, unreachable == nil, let last = doubts.map(\.time).max() else { return }
        try? await Task.sleep(until: last + options.pause, clock: .continuous)
        for doubt in doubts {
            for _ in 0..<Self.confirmations {
                guard !Task.isCancelled, rest > .zero, found.hasDifferences(on: doubt.path) else { break }
                let rest = rest
                async let own = again?.ask(doubt.request, within: rest)
                async let other = b?.ask(doubt.request, within: rest)
                let (a, b) = (await own, await other)
                let step = step(doubt.request, doubt.path)
                // After calls the page may be in another state.
                let places = [(doubt.a, a), (doubt.b, b)].map {
                    step.passing($0, $1, onlyValues: options.callsRPCs)
                }
                found.filter(on: doubt.path) { differences in
                    places[1].without(places[0].without(differences, at: \.place)) {
                        $0.now == nil ? $0.place : $0.finding.path.pointer
                    }
                }
            }
        }
    }

    // MARK: The report

    func report(_ crawled: CrawlReport?) async -> DiffReport {
        if let crawled {
            if let failure = crawled.unreachable, unreachable == nil { unreachable = (.a, failure) }
            if stop == nil, unreachable == nil { stop = crawled.bound.map { DiffReport.Stop($0) } }
        }
        if Task.isCancelled { stop = .interrupted }
        var requests = crawled?.requests ?? 0
        for follower in [again, b, bAgain] { requests += await follower?.requests ?? 0 }
        let isComparison = b != nil
        return DiffReport(
            wire: wire,
            a: leader.url,
            b: b?.base.url,
            side: unreachable?.side,
            unreachable: unreachable?.failure,
            differences: unreachable == nil ? found.differences : [],
            pages: isComparison ? found.pages : asked.sorted(),
            notListed: found.notListed,
            unstable: unstable,
            requests: requests,
            stop: stop,
            notVisited: (crawled?.notVisited.count ?? 0) + (crawled?.forgotten ?? 0),
            callsNotCompared: crawled?.rpcsNotCalled ?? [],
            baseline: options.keepsBaseline && unreachable == nil
                ? DiffBaseline(wire: wire, url: leader.url, steps: steps, isCutOff: stop != nil) : nil
        )
    }
}

extension AnswerDiff {
    /// The places of a side's page that have changed by themselves; none where it answers otherwise by now.
    ///
    /// - Parameter onlyValues: whether a page with other parts is another page.
    func passing(_ first: DiffAnswer, _ later: DiffAnswer?, onlyValues: Bool) -> VolatilePlaces {
        guard let later, first.end == later.end, first.response?.status == later.response?.status,
            let one = first.document, let two = later.document, one != two
        else { return VolatilePlaces([]) }
        let drift = DocumentDrift(
            mock: one,
            backend: two,
            words: AnswerWords(of: one, wire, request),
            depth: .all,
            most: VolatilePlaces.mostChanges,
            route: { $0 }
        )
        if onlyValues, !drift.changes.allSatisfy({ DiffReport.Difference.valueRules.contains($0.rule) }) {
            return VolatilePlaces([])
        }
        return VolatilePlaces(drift.changes)
    }
}
