package import Backlot

/// Leads a crawl through an app of one protocol: says what to request, what is wrong with the responses, and where they lead. A value
/// without I/O.
package protocol CrawlGuide {
    /// Where the crawl begins.
    var start: CrawlStop { get }
    /// Whether calls are made as soon as a page has named them; else after all pages.
    var callsAtOnce: Bool { get }
    /// The dialect by which pages are judged; nil without one.
    var dialect: String? { get }
    /// What the report says about the dialect; nil for a protocol without any.
    var dialectTitle: String? { get }

    /// What to request for a stop.
    mutating func request(for stop: CrawlStop) -> ClientRequest

    /// Takes in the response for a stop.
    mutating func take(_ response: ClientResponse, of stop: CrawlStop) -> CrawlResult

    /// Why every version of a client refuses a response; nil where they read it.
    func refusal(of response: ClientResponse, _ path: String) -> Finding?
    /// Whether the response tells versions apart.
    func isForVersions(_ response: ClientResponse) -> Bool
    /// The client that a page was requested for, and the page's path without what says so; nil where all request alike.
    func reader(of path: String) -> (client: String, page: String)?
}

extension CrawlGuide {
    package var callsAtOnce: Bool { false }
    package var dialect: String? { nil }
    package var dialectTitle: String? { nil }
    package func refusal(of response: ClientResponse, _ path: String) -> Finding? { nil }
    package func isForVersions(_ response: ClientResponse) -> Bool { false }
    package func reader(of path: String) -> (client: String, page: String)? { nil }
}

/// What a guide must know of a crawl.
package struct GuideOptions: Sendable {
    package var limits = ClientLimits()
    /// The dialect of the app's clients; nil where its pages tell it.
    package var dialect: String?
    /// The client version that pages are judged for; nil for the newest of the dialect.
    package var version: @Sendable (_ dialect: String) -> ClientVersion? = { _ in nil }
    /// The fields of requests that tell a client's version.
    package var fields: HTTPFields = [:]
    /// How many pages are requested at most.
    package var maximumPages = 1000
    /// Whether a call that refuses the values of a page which nobody has touched is made again, with something in each input.
    package var fillsInputs = false

    package init() {}
}

/// Something that a crawl requests.
package struct CrawlStop: Hashable, Sendable {
    /// The path as the first link to it has it.
    package var path: String
    package var url: HTTPURL
    /// What is expected there, in a word of the protocol.
    package var kind: String
    /// What else tells it from others: a packet, or the language of a feed.
    package var detail: JSONValue
    /// What leads there, where that is no link that the crawl follows.
    package var link: PageLink?

    package init(
        _ path: String,
        _ url: HTTPURL,
        _ kind: String = "page",
        _ detail: JSONValue = .null,
        from link: PageLink? = nil
    ) {
        (self.path, self.url, self.kind, self.detail, self.link) = (path, url, kind, detail, link)
    }

    /// Links may name the same stop by several paths.
    package static func == (left: CrawlStop, right: CrawlStop) -> Bool {
        left.url == right.url && left.kind == right.kind && left.detail == right.detail
    }

    /// Feeds all but the path.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(kind)
        hasher.combine(detail)
    }
}

/// What a crawl has found at a stop.
package struct CrawlResult {
    package var findings: [Finding] = []
    /// Where it leads.
    package var links: [(link: PageLink, stop: CrawlStop)] = []
    /// The status by which the backend refused it: who is logged in may get it.
    package var refusal: Int?
    /// Makes the finding of a link to it, where clients can't use it; nil stands for no link.
    package var deadLink: ((PageLink?) -> Finding)?
    /// Whether it is a page, and counts even without findings.
    package var isPage = true
    /// What belongs to it and is requested next.
    package var followUps: [CrawlStop] = []
    /// Whether nothing more can be asked: clients have dropped the session.
    package var endsCrawl = false
    /// The rule of a response that took long; nil where nobody waits for it.
    package var slowRule: String? = "slow-page"
    /// Whether client versions are asked about it.
    package var isForVersions = false

    package init(_ findings: [Finding] = [], isPage: Bool = true) { (self.findings, self.isPage) = (findings, isPage) }

    /// A response with a status that says that nothing is there.
    package static func dead(_ response: ClientResponse, _ path: String) -> CrawlResult {
        var result = CrawlResult(isPage: false)
        result.deadLink = { link in
            link.map { CrawlRule.dead($0, response.status) } ?? ResponseRules.status(response, path)
        }
        return result
    }
}

extension JSONObject {
    /// The variables with something in each text that is empty.
    package var filledIn: JSONObject {
        members.reduce(into: JSONObject()) { $0[$1.key] = $1.value.string == "" ? "backlot" : $1.value }
    }
}

/// The rules of links.
package enum CrawlRule {
    /// A link to something that answers that it isn't there.
    package static func dead(_ link: PageLink, _ status: HTTPResponse.Status) -> Finding {
        Finding(
            .error,
            rule: link.kind == .rpc ? "dead-rpc" : "dead-link",
            path: link.place,
            message:
                "\(link.action) leads to \(link.target.cut(to: 100).inQuotes), which answers \(status), so clients "
                + "show an error.",
            fix: link.kind == .rpc ? "Correct the path, or add an rpc there." : "Correct the path, or add a page there."
        )
    }

    /// A link that can't be followed.
    package static func bad(_ link: PageLink, _ problem: String) -> Finding {
        Finding(
            .error,
            rule: "bad-link",
            path: link.place,
            message:
                "\(link.action) leads to \(link.target.cut(to: 100).inQuotes), which \(problem), so clients "
                + "show an error.",
            fix: "Write a path below the base URL, such as \"/terms\"."
        )
    }
}
