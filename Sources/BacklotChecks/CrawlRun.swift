internal import Applin
internal import Backlot
import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

/// A crawl while it runs: sends the requests that the frontier asks for, and has the answers judged.
struct CrawlRun {
    let base: BaseURL
    let options: CrawlOptions
    let watch: CookieWatch
    let cookieRule: CookieRule
    let start = ContinuousClock.now
    var session: ClientSession
    var frontier: CrawlFrontier
    var rpcs: CrawlFrontier
    var uploads: CrawlFrontier
    var findings = CrawlFindings()
    var dialect: Dialect?
    var deaths: [(url: HTTPURL, status: HTTPResponse.Status)] = []
    var refused: [CrawlReport.Refused] = []
    var seenCookies: Set<String> = []
    var variables = VariableTypes()
    var pictures: Set<HTTPURL> = []
    var failuresInRow = 0
    var end: CrawlReport.Bound?
    var unreachable: ClientFailure?

    init(base: BaseURL, transport: any ClientTransport, options: CrawlOptions) {
        self.base = base
        self.options = options
        watch = CookieWatch(transport)
        cookieRule = CookieRule(base: base.url)
        session = ClientSession(watch, limits: options.limits)
        frontier = CrawlFrontier(from: .init(path: "/", url: base.url), maximum: options.maximumPages)
        rpcs = CrawlFrontier(maximum: options.callsRPCs ? options.maximumPages : 0)
        uploads = CrawlFrontier(maximum: 0)
        dialect = options.dialect
    }

    mutating func report(_ progress: (CrawlProgress) -> Void) async -> CrawlReport {
        while end == nil, unreachable == nil, let target = frontier.next() {
            progress(CrawlProgress(pages: frontier.taken - 1, waiting: frontier.waiting, path: target.path))
            await visit(target)
        }
        if end == nil, frontier.isOverBound { end = .pages }
        for (url, status) in deaths {
            findings.add((frontier.links(to: url) + rpcs.links(to: url)).map { CrawlRule.dead($0, status) })
        }
        return CrawlReport(
            url: base.url,
            dialect: dialect,
            unreachable: unreachable,
            pages: unreachable == nil ? findings.pages : [],
            visited: unreachable == nil ? frontier.taken : 0,
            requests: watch.requests,
            duration: start.duration(to: .now),
            bound: end,
            notVisited: frontier.left,
            forgotten: frontier.forgotten,
            refused: refused,
            rpcsCalled: rpcs.taken,
            rpcsNotCalled: rpcs.left,
            uploads: uploads.left
        )
    }
}

/// Asking for pages and rpcs, and following their links.
extension CrawlRun {
    mutating func visit(_ target: CrawlFrontier.Target) async {
        let request = ClientRequest(.get, target.url, headers: [.accept: AnswerJudge.pageType])
        guard let response = await send(request, target.path) else {
            if end == .time { frontier.giveBack() }
            return
        }
        findings.begin(target.path)
        noteSlowness(of: response, "slow-page", target.path)
        guard let page = take(response, target) else { return }
        findings.add(variables.add(page.contents.inputs, of: target.path))
        await load(page.pictures)
        await refresh(page, target)
        if options.callsRPCs { await callRPCs(of: page, target) }
    }

    /// Sends the POST by which clients refresh a page with inputs.
    private mutating func refresh(_ page: CrawledPage, _ target: CrawlFrontier.Target) async {
        guard end == nil, let variables = page.variables, let input = page.contents.inputs.first else { return }
        guard let response = await send(.post(variables, to: target.url), target.path) else { return }
        noteSlowness(of: response, "slow-page", target.path)
        if [404, 405, 501].contains(response.status.code) {
            findings.add([CrawlRule.inputsWithoutPost(input.name, response.status, target.path)])
        } else {
            if response.status == .unprocessableContent { findings.add([AnswerRule.refusedRefresh(target.path)]) }
            _ = take(response, target, isRefresh: true)
        }
    }

    /// Asks for the pictures of a page that come from the same server, each once.
    private mutating func load(_ pictures: [PagePicture]) async {
        for picture in pictures {
            guard end == nil, self.pictures.count < options.maximumPages,
                let url = try? base.url.resolving(picture.url), url.hasSameOrigin(as: base.url),
                self.pictures.insert(url).inserted,
                let response = await send(ClientRequest(.get, url, headers: [.accept: "*/*"]), picture.place.page)
            else { continue }
            let isPicture = response.mediaType?.hasPrefix("image/") ?? true
            guard response.status.kind != .successful || !isPicture else { continue }
            findings.add([
                picture.isDead(
                    response.status.kind == .successful
                        ? "which is \(response.mediaType ?? "") and no picture" : "which answers \(response.status)"
                )
            ])
        }
    }

    /// Judges an answer that should be a page, and follows its links.
    private mutating func take(
        _ response: ClientResponse,
        _ target: CrawlFrontier.Target,
        isRefresh: Bool = false
    ) -> CrawledPage? {
        if let error = takeError(response, target.path) {
            if error == .refusal, !isRefresh {
                refused.append(CrawlReport.Refused(path: target.path, status: Int(response.status.code)))
            } else if error == .death, !isRefresh, !frontier.links(to: target.url).isEmpty {
                deaths.append((target.url, response.status))
            } else if error == .death {
                findings.add([AnswerRule.status(response, target.path)])
            }
            return nil
        }
        let page = CrawledPage(response, path: target.path, dialect: dialect, limits: options.limits)
        dialect = dialect ?? page?.contents.dialect
        findings.add(judge.page(response, path: target.path).findings)
        if response.mediaType != AnswerJudge.pageType, page != nil {
            // Further findings in it are reported at once.
            var corrected = response
            corrected.headers[.contentType] = AnswerJudge.pageType
            findings.add(judge.page(corrected, path: target.path).findings)
        }
        for link in page?.links ?? [] { follow(link) }
        return page
    }

    private mutating func follow(_ link: PageLink) {
        if link.kind == .page, StaticPages.page(link.target) != nil { return }
        let url: HTTPURL
        do throws(BaseURL.Problem) {
            url = try base.resolve(link.target)
        } catch {
            // The rules of the page have reported rpcs and uploads that leave the base URL.
            if link.kind == .page, !error.isReported { findings.add([CrawlRule.bad(link, error)]) }
            return
        }
        switch link.kind {
        case .page: frontier.add(link, to: url)
        case .rpc: rpcs.add(link, to: url)
        case .upload: uploads.add(link, to: url)
        }
    }

    // MARK: Rpcs

    /// Calls the rpcs that were not called yet.
    private mutating func callRPCs(of page: CrawledPage, _ target: CrawlFrontier.Target) async {
        while end == nil, let rpc = rpcs.next() {
            guard let response = await send(.post(page.variables ?? [:], to: rpc.url), rpc.path) else {
                if end == .time { rpcs.giveBack() }
                continue
            }
            noteSlowness(of: response, "slow-rpc", rpc.path)
            switch takeError(response, rpc.path) {
            case nil: findings.add(judge.rpc(response, path: rpc.path).findings)
            case .death: deaths.append((rpc.url, response.status))
            case .refusal, .failure: break
            }
        }
    }
}

extension ClientRequest {
    /// The POST by which clients refresh pages and call rpcs.
    fileprivate static func post(_ variables: JSONObject, to url: HTTPURL) -> ClientRequest {
        ClientRequest(
            .post,
            url,
            headers: [.accept: AnswerJudge.pageType, .contentType: "application/json"],
            body: variables.requestBody
        )
    }
}
