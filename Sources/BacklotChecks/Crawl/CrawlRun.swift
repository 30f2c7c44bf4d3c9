internal import Backlot
import BacklotClients

/// A crawl in progress. It sends the requests of its guide and stores the guide's results. It visits each page once, in the order
/// of discovery.
struct CrawlRun {
    private let target: AppTarget
    private let options: CrawlOptions
    private var guide: any CrawlGuide
    private var channel: CrawlTransport
    private var frontier: CrawlFrontier
    /// The stops that are only called on request: rpcs, and methods that take input.
    private var calls: CrawlFrontier
    private var uploads = CrawlFrontier(maximum: 0)
    private var refused: [CrawlReport.Refused] = []
    /// The paths of pages that responded as missing.
    private var missing: Set<String> = []
    /// The stops that clients can't use. They are reported at the end, when all links to them are known.
    private var dead: [(stop: CrawlStop, finding: (PageLink?) -> Finding)] = []

    init(_ channel: CrawlTransport, _ target: AppTarget) {
        (self.channel, self.target, options) = (channel, target, channel.options)
        var guiding = GuideOptions()
        (guiding.limits, guiding.dialect) = (options.limits, options.dialect)
        (guiding.maximumPages, guiding.fillsInputs) = (options.maximumPages, options.fillsInputs)
        if let clients = channel.askedMatrix?.clients {
            guiding.version = { clients.judged(speaking: $0) }
            if let field = options.clientField, let newest = clients.versions.last {
                guiding.fields = field.fields(telling: newest)
            }
        }
        guide = target.appProtocol.client.guide(at: target.url, guiding)
        frontier = CrawlFrontier(from: guide.start, maximum: options.maximumPages)
        calls = CrawlFrontier(maximum: options.callsRPCs ? options.maximumPages : 0)
    }

    mutating func report(_ progress: (CrawlProgress) -> Void) async -> CrawlReport {
        while channel.isOpen {
            if let stop = frontier.next() {
                progress(CrawlProgress(pages: frontier.taken - 1, waiting: frontier.waiting, path: stop.path))
                if !(await visit(stop)) { frontier.giveBack() }
                if guide.callsAtOnce { await call() }
            } else if calls.waiting > 0, options.callsRPCs, !guide.callsAtOnce, let stop = calls.next() {
                if !(await visit(stop)) { calls.giveBack() }
            } else {
                break
            }
        }
        for (stop, finding) in dead {
            let links = stop.link.map { [$0] } ?? frontier.links(to: stop) + calls.links(to: stop)
            channel.findings.add(links.isEmpty ? [finding(nil)] : links.map(finding))
        }
        return finished
    }

    private mutating func call() async {
        while channel.isOpen, let stop = calls.next() {
            if !(await visit(stop)) { calls.giveBack() }
        }
    }

    /// Requests a stop and its follow-ups.
    ///
    /// - Returns: false if the crawl ended before the stop could be requested.
    private mutating func visit(_ stop: CrawlStop) async -> Bool {
        guard let response = await channel.send(guide.request(for: stop), stop.path) else { return !channel.isCutOff }
        let result = guide.take(response, of: stop)
        if result.isPage { channel.findings.begin(stop.path) }
        if let rule = result.slowRule { channel.noteSlowness(of: response, rule, stop.path) }
        channel.findings.add(result.findings)
        if let broken = response.brokenFile { channel.findings.add([CrawlRule.brokenFile(broken.sentence, stop.path)]) }
        if let status = result.refusal { refused.append(CrawlReport.Refused(path: stop.path, status: status)) }
        if let finding = result.deadLink { dead.append((stop, finding)) }
        if result.isForVersions {
            if result.deadLink != nil { missing.insert(stop.path) }
            addVerdicts(on: response, stop.path, of: requestingVersions)
            if stop.link == nil { await visitAsOthers(stop) }
        }
        for (link, stop) in result.links {
            switch link.kind {
            case .page: frontier.add(link, to: stop)
            case .rpc: calls.add(link, to: stop)
            case .upload: uploads.add(link, to: stop)
            }
        }
        if result.endsCrawl { channel.end = channel.end ?? .backend }
        for stop in result.followUps where channel.end == nil { _ = await visit(stop) }
        return true
    }

    private var finished: CrawlReport {
        mutating get {
            if channel.unreachable == nil { finishMatrix() }
            let isReached = channel.unreachable == nil
            return CrawlReport(
                appProtocol: target.appProtocol,
                url: target.url,
                dialect: guide.dialect,
                dialectTitle: guide.dialectTitle,
                unreachable: channel.unreachable,
                pages: isReached ? channel.findings.pages : [],
                visited: isReached ? frontier.taken : 0,
                requests: channel.watch.requests,
                duration: channel.start.duration(to: .now),
                end: channel.end ?? (isReached && frontier.isOverBound ? .pages : nil),
                notVisited: frontier.left,
                forgotten: frontier.forgotten,
                refused: refused,
                rpcsCalled: calls.taken,
                rpcsNotCalled: calls.left,
                uploads: uploads.left,
                readers: isReached ? channel.matrix?.readers : nil,
                matrix: isReached ? channel.askedMatrix : nil
            )
        }
    }

    // MARK: Client versions

    /// The versions that the crawl's own requests stand for; nil for all selected versions.
    private var requestingVersions: [ClientVersion]? {
        guard options.clientField != nil, let versions = channel.askedMatrix?.clients.versions else { return nil }
        return target.appProtocol.releases?.groups(versions).last
    }

    /// Adds the verdicts of client versions on a response that should be a page.
    ///
    /// - Parameter versions: the versions; nil for all selected ones.
    private mutating func addVerdicts(on response: ClientResponse, _ path: String, of versions: [ClientVersion]?) {
        guard let matrix = channel.matrix, let releases = target.appProtocol.releases, guide.isForVersions(response)
        else {
            return
        }
        if let refusal = guide.refusal(of: response, path) {
            channel.matrix?.add(refusal: refusal, of: path, by: versions)
        } else if response.status.kind == .successful {
            let asked = versions ?? matrix.clients.versions
            let verdicts = releases.verdicts(response.body, path, asked, "\(target.url)")
            channel.matrix?.add(verdicts, of: path)
        }
    }

    /// Requests a page once for each group of versions, with the version in the request.
    private mutating func visitAsOthers(_ stop: CrawlStop) async {
        guard let field = options.clientField, let versions = channel.askedMatrix?.clients.versions else { return }
        for group in target.appProtocol.releases?.groups(versions) ?? [] {
            guard channel.end == nil, let version = group.last, version != versions.last else { continue }
            var request = guide.request(for: stop)
            for told in field.fields(telling: version) { request.headers[told.name] = told.value }
            guard let response = await channel.send(request, stop.path) else { continue }
            addVerdicts(on: response, stop.path, of: group)
        }
    }

    /// Completes the matrix, and adds its reasons to the findings.
    private mutating func finishMatrix() {
        channel.matrix?.leaveOut(missing: missing)
        guard let matrix = channel.askedMatrix else { return }
        if target.appProtocol.releases != nil {
            for page in matrix.pages {
                channel.findings.add(matrix.findings(of: page, besides: channel.findings.findings(of: page.path)))
            }
        } else {
            for page in channel.findings.pages {
                let reader = guide.reader(of: page.path) ?? (target.appProtocol.clients.first?.name ?? "", page.path)
                let refusal = page.findings.first { $0.severity == .error }
                channel.matrix?.add(refusal, of: reader.page, by: reader.client)
            }
        }
    }
}
