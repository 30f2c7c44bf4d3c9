internal import Backlot
internal import BacklotClients

/// A comparison of deployments in progress. A's crawl leads, or a file with A's responses. The other sessions follow each step:
/// B's at the same time, and then a second session on each side.
actor ComparisonRun: CrawlCompanion {
    private static let mostFailures = 3
    private static let mostDoubts = 50
    /// The number of repeated requests for such a page.
    private static let confirmations = 3
    private static let mostAdditions = 100
    /// The maximum number of a page's links to look at.
    private static let mostLinks = 1000
    /// The maximum size of A's responses for a baseline, in bytes.
    private static let mostBytes = 256 * 1024 * 1024

    private let options: ComparisonOptions
    private let language: AppProtocol
    private let leader: ServerBase
    private let volatile: VolatileText
    private let again: ComparisonFollower?
    private let b: ComparisonFollower?
    private let bAgain: ComparisonFollower?
    private let start = ContinuousClock.now

    private var pending: ComparedResponse?
    private var found: FoundDifferences
    private var failures = (a: 0, b: 0)
    private var hasResponded = false
    private var report: ComparisonReport
    private var additions: [(target: String, place: FindingPath)] = []
    private var asked: Set<String> = []
    /// The pages to request again at the end, since they may have changed by themselves.
    private var doubts: [StepComparison] = []
    private var lastDoubt = ContinuousClock.now
    private var steps: [ComparisonBaseline.Step] = []
    private var keptBytes = 0
    /// The released clients that can use A.
    private var users: Set<ClientVersion>?
    private var knowsDialect = false

    init(_ comparison: Comparison) {
        options = comparison.options
        language = comparison.appProtocol
        found = FoundDifferences(from: options.least)
        let limits = options.limits
        switch comparison.a {
        case .server(let server):
            let base = ServerBase(server.url)
            (leader, volatile) = (base, VolatileText(ignoresTimes: false))
            again = ComparisonFollower(server, leader: base, limits: limits)
        case .baseline(let baseline):
            (leader, volatile, again) = (ServerBase(baseline.url), VolatileText(ignoresTimes: true), nil)
        }
        let leader = leader
        report = ComparisonReport(appProtocol: comparison.appProtocol, a: leader.url, b: comparison.b?.url)
        report.readsBaseline = again == nil
        b = comparison.b.map { ComparisonFollower($0, leader: leader, limits: limits) }
        bAgain = comparison.b.map { ComparisonFollower($0, leader: leader, limits: limits) }
    }

    private var rest: Duration { options.maximumTime - start.duration(to: .now) }

    // MARK: Steps

    func follow(_ request: ClientRequest) async { pending = await b?.ask(request, within: rest) }

    func take(
        _ exchange: Result<ClientExchange, ClientError>,
        of request: ClientRequest,
        _ path: String
    ) async -> CrawlReport.End? {
        let a = ComparedResponse(exchange, from: leader, as: leader, nesting: options.limits.nesting)
        guard !Task.isCancelled else { return nil }
        if let failure = a.failure, !hasResponded, rest > .zero {
            (report.unreachableSide, report.unreachable) = (.a, failure)
            return .backend
        }
        return await compare(ComparisonBaseline.Step(path: path, request: request, response: a))
    }

    /// Sends B a request that A has already responded to.
    ///
    /// - Returns: whether to continue.
    func replay(_ step: ComparisonBaseline.Step) async -> Bool {
        if Task.isCancelled { report.end = .interrupted }
        if rest <= .zero { report.end = .time }
        guard report.end == nil else { return false }
        await follow(step.request)
        var step = step
        step.again = step.again ?? step.response
        return await compare(step) == nil
    }

    private func compare(_ step: ComparisonBaseline.Step) async -> CrawlReport.End? {
        if !hasResponded, let other = step.response.otherThanApp {
            (report.unreachableSide, report.unreachable) = (.a, .noApp(other))
            return .backend
        }
        if let failure = pending?.failure, !hasResponded, !Task.isCancelled, rest > .zero {
            (report.unreachableSide, report.unreachable) = (.b, failure)
            return .backend
        }
        var step = step
        let (rest, request, known, a) = (rest, step.request, step.again, step.response)
        // If neither side responds, there is nothing to learn.
        let isSilent = a.response == nil && pending?.response == nil
        async let own = known == nil && !isSilent ? again?.ask(request, within: rest) : known
        async let other = isSilent ? nil : bAgain?.ask(request, within: rest)
        let bSecond: ComparedResponse?
        (step.again, bSecond) = (await own, await other)
        // A response that this run cut off doesn't reveal a fault of the server.
        guard !Task.isCancelled, self.rest > .zero else {
            report.end = Task.isCancelled ? .interrupted : .time
            return Task.isCancelled ? nil : .time
        }
        hasResponded = true
        asked.insert(step.path)
        if options.keepsBaseline { keep(step) }
        guard let b = pending else { return report.end == nil ? nil : .backend }
        pending = nil
        noteUsers(of: a.document)
        let comparison = StepComparison(
            language: language,
            others: AppProtocol.known,
            step: step,
            b: b,
            bAgain: bSecond,
            volatile: volatile,
            baseURL: leader.baseURL,
            users: users
        )
        let result = comparison.result()
        found.add(result.differences + comparison.brokenFiles, on: step.path, dropped: result.notListed)
        if result.isUnstable { report.unstable.append(step.path) }
        await learn(result, comparison)
        if request.method == .get {
            if doubts.count < Self.mostDoubts, result.differences.contains(where: { $0.pointer != "" }) {
                doubts.append(comparison)
                lastDoubt = .now
            }
            noteAdditions(comparison)
        }
        return count(a, b)
    }

    /// Finds the released clients that can use A, until its pages reveal their dialect.
    private func noteUsers(of document: JSONValue?) {
        guard !knowsDialect, let releases = ComparedReleases(language), let document, language.mayBeResponse(document)
        else {
            return
        }
        users = releases.users(of: document, among: users, baseURL: leader.baseURL)
        knowsDialect = language.pages?.dialect(document) != nil
    }

    private func learn(_ result: StepComparison.Result, _ all: StepComparison) async {
        let pairs = result.pairs
        let followers = [(again, all.again, pairs.again), (b, all.b, pairs.b), (bAgain, all.bAgain, pairs.bAgain)]
        func token(_ response: ComparedResponse?) -> String? {
            language.comparison.packets.flatMap { response?.document?[$0.token]?.string }
        }
        let leading = token(all.a).flatMap { $0.isEmpty ? nil : $0 }
        for (follower, response, pairs) in followers {
            let tokens = leading.flatMap { leading in token(response).map { (leading, $0) } }
            await follower?.learn(pairs, volatile: result.volatileTexts, tokens: tokens)
        }
    }

    /// Counts missing responses.
    private func count(_ a: ComparedResponse, _ b: ComparedResponse) -> CrawlReport.End? {
        // A request that takes long on both sides doesn't reveal a fault of one side.
        if a.response != nil || b.response != nil {
            failures = (a.response == nil ? failures.a + 1 : 0, b.response == nil ? failures.b + 1 : 0)
            if failures.a >= Self.mostFailures { report.end = .a }
            if failures.b >= Self.mostFailures { report.end = .b }
        }
        return report.end == nil ? nil : .backend
    }

    private func keep(_ step: ComparisonBaseline.Step) {
        keptBytes += step.json.bytes.count
        if keptBytes <= Self.mostBytes { steps.append(step) } else { report.end = .size }
    }

    // MARK: Pages that only B links to

    /// Records the links that B has each time, and A never.
    private func noteAdditions(_ all: StepComparison) {
        let path = all.path
        guard let links = language.pages?.links, let one = all.a.document, let two = all.b.document, one != two else {
            return
        }
        func routes(_ document: JSONValue) -> Set<String> { Set(links(document, path).map(\.target.withoutIDs)) }
        let known = routes(one).union(all.again?.document.map(routes) ?? [])
        let lasting = all.bAgain?.document.map(routes)
        for (target, place) in links(two, path).prefix(Self.mostLinks) where additions.count < Self.mostAdditions {
            let route = target.withoutIDs
            guard !known.contains(route), lasting?.contains(route) ?? true,
                !additions.contains(where: { $0.target == target })
            else { continue }
            additions.append((target, place))
        }
    }

    /// Requests the pages that only B links to.
    private func visitAdditions() async {
        guard let b, let pages = language.pages, report.unreachable == nil else { return }
        for (target, place) in additions where !asked.contains(target) {
            if rest <= .zero, report.end == nil { report.end = .time }
            guard report.end == nil, !Task.isCancelled else { return }
            guard let url = try? HTTPURL(leader.baseURL + target.dropFirst()) else { continue }
            let request = ClientRequest(.get, url, headers: [.accept: pages.contentType])
            let own = await b.ask(request, within: rest)
            guard !Task.isCancelled else { return }
            let source = "\(place)".cut(to: 200)
            guard let response = own.response, response.status.kind == .successful else {
                let reason = own.response.map { "which answers \($0.status)" } ?? "which doesn't respond"
                let isForUsers = [403, 422].contains(own.response?.status.code)
                let message = "Only B leads here, \(reason): from \(source)."
                let (rule, kind): (_, Difference.Kind) =
                    isForUsers ? ("page-added", .neutral) : ("dead-link", .breaking)
                found.add([Difference(rule, kind, message)], on: target)
                continue
            }
            let findings = pages.judge(response, target, leader.url, options.limits)
            let broken = findings.map { finding in
                let message = "B's new page breaks a rule: \(finding.message) \(finding.fix)"
                let kind: Difference.Kind = finding.severity == .error ? .breaking : .visible
                return Difference(finding.rule, kind, at: finding.path, message)
            }
            let added = Difference("page-added", .neutral, "Only B leads here: from \(source).")
            found.add([added] + broken, on: target)
        }
    }

    // MARK: The end

    /// Requests pages with differences again: changes that a server makes by itself don't count.
    private func confirm() async {
        guard !doubts.isEmpty, report.end == nil, report.unreachable == nil else { return }
        try? await Task.sleep(until: lastDoubt + options.pause, clock: .continuous)
        for doubt in doubts {
            for _ in 0..<Self.confirmations {
                guard !Task.isCancelled, rest > .zero, found.hasDifferences(on: doubt.path) else { break }
                let (rest, request) = (rest, doubt.step.request)
                async let own = again?.ask(request, within: rest)
                async let other = b?.ask(request, within: rest)
                // After calls, the page may be in another state.
                let isCalled = options.callsRPCs
                let a = doubt.passing(doubt.a, await own, onlyValues: isCalled)
                let b = doubt.passing(doubt.b, await other, onlyValues: isCalled)
                found.remove(on: doubt.path) { a.hold($0, isNow: false) || b.hold($0, isNow: true) }
            }
        }
    }

    /// Completes the comparison after the last step, and returns the report.
    ///
    /// - Parameter isCutOff: whether the leading baseline ends early.
    func finish(_ crawled: CrawlReport?, isCutOff: Bool = false) async -> ComparisonReport {
        if isCutOff, report.end == nil { report.end = .pages }
        await visitAdditions()
        await confirm()
        if let failure = crawled?.unreachable, report.unreachable == nil {
            (report.unreachableSide, report.unreachable) = (.a, failure)
        }
        let isReached = report.unreachable == nil
        if report.end == nil, isReached { report.end = crawled?.end.map(ComparisonReport.End.init) }
        if Task.isCancelled { report.end = .interrupted }
        report.requests = crawled?.requests ?? 0
        for follower in [again, b, bAgain] { report.requests += await follower?.requests ?? 0 }
        report.differences = isReached ? found.all : []
        report.pages = b == nil ? asked.sorted() : found.pages
        report.notListedCount = found.notListed
        report.notVisitedCount = (crawled?.notVisited.count ?? 0) + (crawled?.forgotten ?? 0)
        report.rpcsNotCalled = crawled?.rpcsNotCalled ?? []
        if options.keepsBaseline, isReached {
            let isCutOff = report.end != nil
            let (spoken, url) = (report.appProtocol, leader.url)
            report.baseline = ComparisonBaseline(appProtocol: spoken, url: url, steps: steps, isCutOff: isCutOff)
        }
        report.duration = start.duration(to: .now)
        return report
    }
}
