internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import BacklotMocks
internal import HTTPTypes

/// A comparison while it runs. A's crawl leads, or a file with what A has answered; the other sessions follow each step of it: B's
/// at the same time, and then a second one on each side.
actor DiffRun: CrawlCompany {
    /// A page to look at again, since it may have changed by itself.
    private struct Doubt {
        let request: ClientRequest
        let path: String
        let a: DiffAnswer
        let b: DiffAnswer
        let time: ContinuousClock.Instant
    }

    private static let mostFailures = 3
    private static let mostDoubts = 50
    /// How often such a page is asked for.
    private static let confirmations = 3
    private static let mostAdditions = 100
    /// How many bytes of A's answers are kept for a baseline.
    private static let mostBytes = 256 * 1024 * 1024
    /// Clocks that show seconds have gone on after it.
    private static let pause = Duration.milliseconds(1100)

    private let options: DiffOptions
    private let wire: CrawlWire
    private let leader: DiffBase
    private let volatile: VolatileText
    private let again: DiffFollower?
    private let b: DiffFollower?
    private let bAgain: DiffFollower?
    private let start = ContinuousClock.now

    private var pending: DiffAnswer?
    private var found = DiffFindings()
    private var failures = (a: 0, b: 0)
    private var hasAnswered = false
    private var unreachable: (side: DiffReport.Side, failure: ClientFailure)?
    private var stop: DiffReport.Stop?
    private var unstable: [String] = []
    private var additions: [(target: String, place: FindingPath)] = []
    private var asked: Set<String> = []
    private var doubts: [Doubt] = []
    private var steps: [DiffBaseline.Step] = []
    /// The released clients that can use A.
    private var clients: Set<ClientVersion>?
    private var knowsDialect = false
    private var keptBytes = 0

    init(_ diff: Diff) {
        options = diff.options
        wire = diff.wire
        let limits = diff.options.limits
        var again: DiffFollower?
        switch diff.a {
        case .server(let server, _):
            leader = DiffBase(server.url)
            volatile = VolatileText(ignoresTimes: false)
            again = DiffFollower(server, leader: DiffBase(server.url), limits: limits)
        case .baseline(let baseline):
            leader = DiffBase(baseline.url)
            volatile = VolatileText(ignoresTimes: true)
        }
        self.again = again
        let leader = leader
        b = diff.b.map { DiffFollower($0, leader: leader, limits: limits) }
        bAgain = diff.b.map { DiffFollower($0, leader: leader, limits: limits) }
    }

    private var rest: Duration { options.maximumTime - start.duration(to: .now) }

    // MARK: Steps

    func follow(_ request: ClientRequest) async {
        pending = await b?.ask(request, within: rest)
    }

    func take(
        _ exchange: Result<ClientExchange, ClientFailure>,
        of request: ClientRequest,
        _ path: String
    ) async -> CrawlReport.Bound? {
        let a = DiffAnswer(exchange, from: leader, as: leader, nesting: options.limits.nesting)
        guard !Task.isCancelled else { return nil }
        if let failure = a.failure, !hasAnswered {
            unreachable = (.a, failure)
            return .backend
        }
        return await compare(request, path, a, again: nil)
    }

    /// Asks B what A has answered once.
    ///
    /// - Returns: whether to go on.
    func replay(_ step: DiffBaseline.Step) async -> Bool {
        if Task.isCancelled { stop = .interrupted }
        if rest <= .zero { stop = .time }
        guard stop == nil else { return false }
        await follow(step.request)
        return await compare(step.request, step.path, step.answer, again: step.again ?? step.answer) == nil
    }

    /// Ends what was asked by a baseline.
    func end(_ baseline: DiffBaseline) {
        if baseline.isCutOff, stop == nil { stop = .pages }
    }

    private func compare(
        _ request: ClientRequest,
        _ path: String,
        _ a: DiffAnswer,
        again known: DiffAnswer?
    ) async -> CrawlReport.Bound? {
        if let failure = pending?.failure, !hasAnswered, !Task.isCancelled {
            unreachable = (.b, failure)
            return .backend
        }
        let rest = rest
        async let own = known == nil ? again?.ask(request, within: rest) : known
        async let other = bAgain?.ask(request, within: rest)
        let answers = (again: await own, bAgain: await other)
        // What was cut off says nothing of a server.
        guard !Task.isCancelled, self.rest > .zero else {
            stop = Task.isCancelled ? .interrupted : .time
            return Task.isCancelled ? nil : .time
        }
        hasAnswered = true
        asked.insert(path)
        keep(request, path, a, answers.again)
        guard let b = pending else { return stop == nil ? nil : .backend }
        pending = nil
        found.begin(path)
        if wire == .applin, !knowsDialect, let page = a.document, page["page"] != nil {
            clients = VersionDiff.clients(of: page, among: clients, baseURL: leader.origin + leader.folder)
            knowsDialect = PageContents(page["page"] ?? .null).dialect != nil
        }
        let step = step(request, path)
        let result = step.result(.init(a: a, again: answers.again, b: b, bAgain: answers.bAgain))
        if result.isUnstable { unstable.append(path) }
        await learn(result, a, answers.again, b, answers.bAgain)
        found.add(result.differences)
        if request.method == .get, result.differences.contains(where: { $0.finding.path.pointer != "" }),
            doubts.count < Self.mostDoubts
        {
            doubts.append(Doubt(request: request, path: path, a: a, b: b, time: .now))
        }
        if wire == .applin, request.method == .get { noteAdditions(a, b, path) }
        return count(a, b)
    }

    private func learn(
        _ result: AnswerDiff.Result,
        _ a: DiffAnswer,
        _ againAnswer: DiffAnswer?,
        _ bAnswer: DiffAnswer,
        _ bAgainAnswer: DiffAnswer?
    ) async {
        await again?.learn(result.pairs.again, volatile: result.volatileTexts)
        await b?.learn(result.pairs.b, volatile: result.volatileTexts)
        await bAgain?.learn(result.pairs.bAgain, volatile: result.volatileTexts)
        guard wire == .xpedite, let token = a.document?["token"]?.string, !token.isEmpty else { return }
        for (follower, answer) in [(again, againAnswer), (b, bAnswer), (bAgain, bAgainAnswer)] {
            guard let own = answer?.document?["token"]?.string else { continue }
            await follower?.learnToken(token, own)
        }
    }

    /// Counts answers that don't come.
    private func count(_ a: DiffAnswer, _ b: DiffAnswer) -> CrawlReport.Bound? {
        failures.a = a.response == nil ? failures.a + 1 : 0
        failures.b = b.response == nil ? failures.b + 1 : 0
        if failures.a >= Self.mostFailures { stop = .a }
        if failures.b >= Self.mostFailures { stop = .b }
        return stop == nil ? nil : .backend
    }

    private func keep(_ request: ClientRequest, _ path: String, _ answer: DiffAnswer, _ again: DiffAnswer?) {
        guard options.keepsBaseline else { return }
        keptBytes += answer.bytes + (again?.bytes ?? 0) + 1000
        guard keptBytes <= Self.mostBytes else {
            stop = .size
            return
        }
        steps.append(DiffBaseline.Step(path: path, request: request, answer: answer, again: again))
    }

    // MARK: At the end

    /// Looks at the pages that only B leads to.
    func visitAdditions() async {
        guard let b, unreachable == nil else { return }
        for (target, place) in additions where !asked.contains(target) {
            guard stop == nil, !Task.isCancelled, rest > .zero else { return }
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

    private func noteAdditions(_ a: DiffAnswer, _ b: DiffAnswer, _ path: String) {
        guard additions.count < Self.mostAdditions, let one = a.document, let two = b.document, one != two else {
            return
        }
        func links(_ document: JSONValue) -> [PageLink] {
            ApplinRules.links(inPage: document, path: path, dialect: .objects)
                .filter { $0.kind == .page && StaticPages.page($0.target) == nil }
        }
        let known = Set(links(one).map { VolatileText.route($0.target) })
        for link in links(two).prefix(1000) where !known.contains(VolatileText.route(link.target)) {
            guard additions.count < Self.mostAdditions, !additions.contains(where: { $0.target == link.target }) else {
                continue
            }
            additions.append((link.target, link.place))
        }
    }

    /// Asks again for pages that differ: what a server changes by itself is no difference.
    func confirm() async {
        guard !doubts.isEmpty, stop == nil, unreachable == nil, let last = doubts.map(\.time).max() else { return }
        try? await Task.sleep(until: last + Self.pause, clock: .continuous)
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

    private func step(_ request: ClientRequest, _ path: String) -> AnswerDiff {
        AnswerDiff(
            wire: wire,
            request: request,
            path: path,
            volatile: volatile,
            baseURL: leader.origin + leader.folder,
            clients: clients
        )
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
            differences: unreachable == nil ? found.differences(from: options.least) : [],
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
            route: { $0 }
        )
        if onlyValues, !drift.changes.allSatisfy({ DiffReport.Difference.valueRules.contains($0.rule) }) {
            return VolatilePlaces([])
        }
        return VolatilePlaces(drift.changes)
    }
}
