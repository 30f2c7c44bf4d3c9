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
    struct Doubt {
        let request: ClientRequest
        let path: String
        let a: DiffAnswer
        let b: DiffAnswer
        let time: ContinuousClock.Instant
    }

    private static let mostFailures = 3
    private static let mostDoubts = 50
    /// How often such a page is asked for.
    static let confirmations = 3
    static let mostAdditions = 100
    /// How many bytes of A's answers are kept for a baseline.
    private static let mostBytes = 256 * 1024 * 1024

    let options: DiffOptions
    let wire: CrawlWire
    let leader: DiffBase
    let volatile: VolatileText
    let again: DiffFollower?
    let b: DiffFollower?
    let bAgain: DiffFollower?
    private let start = ContinuousClock.now

    private var pending: DiffAnswer?
    var found: DiffFindings
    private var failures = (a: 0, b: 0)
    private var hasAnswered = false
    var unreachable: (side: DiffReport.Side, failure: ClientFailure)?
    var stop: DiffReport.Stop?
    var unstable: [String] = []
    var additions: [(target: String, place: FindingPath)] = []
    var asked: Set<String> = []
    var doubts: [Doubt] = []
    var steps: [DiffBaseline.Step] = []
    /// The released clients that can use A.
    var clients: Set<ClientVersion>?
    private var knowsDialect = false
    private var keptBytes = 0

    init(_ diff: Diff) {
        options = diff.options
        wire = diff.wire
        found = DiffFindings(from: diff.options.least)
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

    var rest: Duration { options.maximumTime - start.duration(to: .now) }

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
        if let failure = a.failure, !hasAnswered, rest > .zero {
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
        if let failure = pending?.failure, !hasAnswered, !Task.isCancelled, rest > .zero {
            unreachable = (.b, failure)
            return .backend
        }
        let rest = rest
        // Where neither answers, there is nothing to learn.
        let isSilent = a.response == nil && pending?.response == nil
        async let own = known == nil && !isSilent ? again?.ask(request, within: rest) : known
        async let other = isSilent ? nil : bAgain?.ask(request, within: rest)
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
        let all = AnswerDiff.Answers(a: a, again: answers.again, b: b, bAgain: answers.bAgain)
        let result = step.result(all)
        if result.isUnstable { unstable.append(path) }
        await learn(result, a, answers.again, b, answers.bAgain)
        found.add(result.differences)
        found.drop(result.notListed)
        if request.method == .get, result.differences.contains(where: { $0.finding.path.pointer != "" }),
            doubts.count < Self.mostDoubts
        {
            doubts.append(Doubt(request: request, path: path, a: a, b: b, time: .now))
        }
        if wire == .applin, request.method == .get { noteAdditions(all, path) }
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
        // What takes long on both sides says nothing of either.
        guard a.response != nil || b.response != nil else { return stop == nil ? nil : .backend }
        failures.a = a.response == nil ? failures.a + 1 : 0
        failures.b = b.response == nil ? failures.b + 1 : 0
        if failures.a >= Self.mostFailures { stop = .a }
        if failures.b >= Self.mostFailures { stop = .b }
        return stop == nil ? nil : .backend
    }

    private func keep(_ request: ClientRequest, _ path: String, _ answer: DiffAnswer, _ again: DiffAnswer?) {
        guard options.keepsBaseline else { return }
        let again = again.flatMap { $0.isSame(as: answer) ? nil : $0 }
        keptBytes += request.bytes + answer.bytes + (again?.bytes ?? 0) + 1000
        guard keptBytes <= Self.mostBytes else {
            stop = .size
            return
        }
        steps.append(DiffBaseline.Step(path: path, request: request, answer: answer, again: again))
    }

    /// Notes where B leads each time, and A never.
    private func noteAdditions(_ answers: AnswerDiff.Answers, _ path: String) {
        guard additions.count < Self.mostAdditions, let one = answers.a.document, let two = answers.b.document,
            one != two
        else { return }
        func links(_ document: JSONValue) -> [PageLink] {
            ApplinRules.links(inPage: document, path: path, dialect: .objects)
                .filter { $0.kind == .page && StaticPages.page($0.target) == nil }
        }
        func routes(_ document: JSONValue) -> Set<String> {
            Set(links(document).map { VolatileText.route($0.target) })
        }
        let known = routes(one).union(answers.again?.document.map(routes) ?? [])
        let lasting = answers.bAgain?.document.map(routes)
        for link in links(two).prefix(1000) {
            let route = VolatileText.route(link.target)
            guard !known.contains(route), lasting?.contains(route) ?? true else { continue }
            guard additions.count < Self.mostAdditions, !additions.contains(where: { $0.target == link.target }) else {
                continue
            }
            additions.append((link.target, link.place))
        }
    }

    func step(_ request: ClientRequest, _ path: String) -> AnswerDiff {
        AnswerDiff(
            wire: wire,
            request: request,
            path: path,
            volatile: volatile,
            baseURL: leader.origin + leader.folder,
            clients: clients
        )
    }
}
