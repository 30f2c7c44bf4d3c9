internal import Applin
internal import Backlot
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
