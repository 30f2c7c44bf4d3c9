internal import Applin
internal import Backlot
internal import BacklotJSON
internal import HTTPTypes

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
            _ = take(response, target, isRefresh: true)
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
            // What else is wrong with it is told at once.
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
            // The rules of the page have told of rpcs and uploads that leave the base URL.
            if link.kind == .page { findings.add([CrawlRule.bad(link, error)]) }
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
