internal import Applin
internal import Backlot
import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

/// A crawl of an Applin backend while it runs: sends the requests that the frontier asks for, and has the answers judged.
struct CrawlRun {
    let base: BaseURL
    let options: CrawlOptions
    var channel: CrawlChannel
    var frontier: CrawlFrontier<HTTPURL>
    var rpcs: CrawlFrontier<HTTPURL>
    var uploads: CrawlFrontier<HTTPURL>
    var dialect: Dialect?
    var deaths: [(url: HTTPURL, status: HTTPResponse.Status)] = []
    var refused: [CrawlReport.Refused] = []
    var variables = VariableTypes()
    var pictures: Set<HTTPURL> = []

    /// - Parameter url: ends in a slash.
    init(_ channel: CrawlChannel, url: HTTPURL) {
        base = BaseURL(known: url)
        self.channel = channel
        options = channel.options
        frontier = CrawlFrontier(from: .init(path: "/", key: url), maximum: options.maximumPages)
        rpcs = CrawlFrontier(maximum: options.callsRPCs ? options.maximumPages : 0)
        uploads = CrawlFrontier(maximum: 0)
        dialect = options.dialect
    }

    mutating func report(_ progress: (CrawlProgress) -> Void) async -> CrawlReport {
        while channel.isOpen, let target = frontier.next() {
            progress(CrawlProgress(pages: frontier.taken - 1, waiting: frontier.waiting, path: target.path))
            await visit(target)
        }
        for (url, status) in deaths {
            channel.findings.add((frontier.links(to: url) + rpcs.links(to: url)).map { CrawlRule.dead($0, status) })
        }
        return channel.report(
            .applin,
            of: base.url,
            frontier,
            refused: refused,
            calls: rpcs,
            dialect: dialect,
            uploads: uploads.left
        )
    }
}

/// Asking for pages and rpcs, and following their links.
extension CrawlRun {
    mutating func visit(_ target: CrawlFrontier<HTTPURL>.Target) async {
        var headers = field()
        headers[.accept] = AnswerJudge.pageType
        let request = ClientRequest(.get, target.key, headers: headers)
        guard let response = await channel.send(request, target.path) else {
            if channel.isCutOff { frontier.giveBack() }
            return
        }
        channel.findings.begin(target.path)
        channel.noteSlowness(of: response, "slow-page", target.path)
        let taken = take(response, target)
        await visitAsOthers(target)
        guard let page = taken else { return }
        channel.findings.add(variables.add(page.contents.inputs, of: target.path))
        await load(page.pictures)
        await refresh(page, target)
        if options.callsRPCs { await callRPCs(of: page, target) }
    }

    /// Sends the POST by which clients refresh a page with inputs.
    private mutating func refresh(_ page: CrawledPage, _ target: CrawlFrontier<HTTPURL>.Target) async {
        guard channel.end == nil, let variables = page.variables, let input = page.contents.inputs.first else { return }
        guard let response = await channel.send(.post(variables, to: target.key, field()), target.path)
        else { return }
        channel.noteSlowness(of: response, "slow-page", target.path)
        if [404, 405, 501].contains(response.status.code) {
            channel.findings.add([CrawlRule.inputsWithoutPost(input.name, response.status, target.path)])
        } else {
            if response.status == .unprocessableContent {
                channel.findings.add([AnswerRule.refusedRefresh(target.path)])
            }
            _ = take(response, target, isRefresh: true)
        }
    }

    /// Asks for the pictures of a page that come from the same server, each once.
    private mutating func load(_ pictures: [PagePicture]) async {
        for picture in pictures {
            guard channel.end == nil, self.pictures.count < options.maximumPages,
                let url = try? base.url.resolving(picture.url), url.hasSameOrigin(as: base.url),
                self.pictures.insert(url).inserted,
                let response = await channel.send(
                    ClientRequest(.get, url, headers: [.accept: "*/*"]),
                    picture.place.page
                )
            else { continue }
            let isPicture = response.mediaType?.hasPrefix("image/") ?? true
            guard response.status.kind != .successful || !isPicture else { continue }
            channel.findings.add([
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
        _ target: CrawlFrontier<HTTPURL>.Target,
        isRefresh: Bool = false
    ) -> CrawledPage? {
        if let error = takeError(response, target.path) {
            if error == .refusal, !isRefresh {
                refused.append(CrawlReport.Refused(path: target.path, status: Int(response.status.code)))
            } else if error == .death, !isRefresh, !frontier.links(to: target.key).isEmpty {
                deaths.append((target.key, response.status))
            } else if error == .death {
                channel.findings.add([AnswerRule.status(response, target.path)])
            }
            if !isRefresh { addVerdicts(on: response, target.path, of: askingVersions) }
            return nil
        }
        let page = CrawledPage(response, path: target.path, dialect: dialect, client: client, limits: options.limits)
        dialect = dialect ?? page?.contents.dialect
        channel.findings.add(judge.page(response, path: target.path).findings)
        addVerdicts(on: response, target.path, of: askingVersions)
        if response.mediaType != AnswerJudge.pageType, page != nil {
            // Further findings in it are reported at once.
            var corrected = response
            corrected.headers[.contentType] = AnswerJudge.pageType
            channel.findings.add(judge.page(corrected, path: target.path).findings)
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
            if link.kind == .page, !error.isReported { channel.findings.add([CrawlRule.bad(link, error)]) }
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
    private mutating func callRPCs(of page: CrawledPage, _ target: CrawlFrontier<HTTPURL>.Target) async {
        while channel.end == nil, let rpc = rpcs.next() {
            guard let response = await channel.send(.post(page.variables ?? [:], to: rpc.key, field()), rpc.path)
            else {
                if channel.isCutOff { rpcs.giveBack() }
                continue
            }
            channel.noteSlowness(of: response, "slow-rpc", rpc.path)
            switch takeError(response, rpc.path) {
            case nil: channel.findings.add(judge.rpc(response, path: rpc.path).findings)
            case .death: deaths.append((rpc.key, response.status))
            case .refusal where options.fillsInputs:
                guard let variables = page.variables, variables.filledIn != variables else { break }
                _ = await channel.send(.post(variables.filledIn, to: rpc.key, field()), rpc.path)
            case .refusal, .failure: break
            }
        }
    }
}

extension ClientRequest {
    /// The POST by which clients refresh pages and call rpcs.
    fileprivate static func post(_ variables: JSONObject, to url: HTTPURL, _ fields: HTTPFields) -> ClientRequest {
        var headers = fields
        headers[.accept] = AnswerJudge.pageType
        headers[.contentType] = "application/json"
        return ClientRequest(.post, url, headers: headers, body: variables.requestBody)
    }
}
