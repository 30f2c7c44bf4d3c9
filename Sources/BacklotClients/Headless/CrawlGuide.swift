package import Backlot

/// Leads a crawl through an app of one protocol: makes the requests, inspects the responses, and finds their links. A value
/// without I/O.
package protocol CrawlGuide {
    /// The first stop of the crawl.
    var start: CrawlStop { get }
    /// Whether the crawl makes calls as soon as a page has named them. If false, it makes them after all pages.
    var callsAtOnce: Bool { get }
    /// The dialect of the pages; nil without one.
    var dialect: String? { get }
    /// The dialect's description in the report; nil for a protocol without dialects.
    var dialectTitle: String? { get }

    /// The request for a stop.
    mutating func request(for stop: CrawlStop) -> ClientRequest

    /// Takes in the response for a stop.
    mutating func take(_ response: ClientResponse, of stop: CrawlStop) -> CrawlResult

    /// The finding that makes every client version reject a response; nil if some version can read it.
    func refusal(of response: ClientResponse, _ path: String) -> Finding?
    /// Whether the response distinguishes client versions.
    func isForVersions(_ response: ClientResponse) -> Bool
    /// The client that requested a page, and the page's path without the client's part; nil if all clients send the same request.
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

/// The options of a guide.
package struct GuideOptions: Sendable {
    package var limits = ClientLimits()
    /// The dialect of the app's clients; nil to take it from the pages.
    package var dialect: String?
    /// The client version to inspect pages for; nil for the newest of the dialect.
    package var version: @Sendable (_ dialect: String) -> ClientVersion? = { _ in nil }
    /// The request fields for the client's version.
    package var fields: HTTPFields = [:]
    /// The maximum number of requested pages.
    package var maximumPages = 1000
    /// Whether to repeat a call with filled-in inputs, if the backend rejects the values of the untouched page.
    package var fillsInputs = false

    package init() {}
}

/// A target of a crawl.
package struct CrawlStop: Hashable, Sendable {
    /// The path in the first link to it.
    package var path: String
    package var url: HTTPURL
    /// The expected kind of response, as a word of the protocol.
    package var kind: String
    /// Further data that distinguishes the stop: a packet, or the language of a feed.
    package var detail: JSONValue
    /// The link to the stop, for a stop that isn't reached by following a link.
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

    /// The path isn't compared: links may name the same stop by several paths.
    package static func == (left: CrawlStop, right: CrawlStop) -> Bool {
        left.url == right.url && left.kind == right.kind && left.detail == right.detail
    }

    /// Hashes everything except the path.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(kind)
        hasher.combine(detail)
    }
}

/// The results of a crawl at one stop.
package struct CrawlResult {
    package var findings: [Finding] = []
    /// The links from the stop.
    package var links: [(link: PageLink, stop: CrawlStop)] = []
    /// The status of a rejection; a logged-in user may be allowed to send the request.
    package var refusal: Int?
    /// Makes the finding about a link that clients can't use; its argument is nil if no link led to the stop. nil if the stop is usable.
    package var deadLink: ((PageLink?) -> Finding)?
    /// Whether the stop is a page, which counts even without findings.
    package var isPage = true
    /// The stops that belong to this one and follow it.
    package var followUps: [CrawlStop] = []
    /// Whether the crawl can't continue, because clients have dropped the session.
    package var endsCrawl = false
    /// The rule about a slow response; nil if no user waits for the response.
    package var slowRule: String? = "slow-page"
    /// Whether the crawl tries other client versions on it.
    package var isForVersions = false

    package init(_ findings: [Finding] = [], isPage: Bool = true) { (self.findings, self.isPage) = (findings, isPage) }

    /// The result for a response with a status that means a missing target.
    package static func dead(_ response: ClientResponse, _ path: String) -> CrawlResult {
        var result = CrawlResult(isPage: false)
        result.deadLink = { link in
            link.map { CrawlRule.dead($0, response.status) } ?? ResponseRules.status(response, path, isStart: true)
        }
        return result
    }
}

extension JSONObject {
    /// The variables, with a word in each empty text.
    package var filledIn: JSONObject {
        members.reduce(into: JSONObject()) { $0[$1.key] = $1.value.string == "" ? "backlot" : $1.value }
    }
}

/// The rules of links.
package enum CrawlRule {
    /// A link to a target that responds with an error status.
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

    /// A list that the crawl follows only in part. It comes first, as a page has only so many findings.
    package static func bounded(_ part: String, to most: Int, _ place: FindingPath) -> Finding {
        let message = "The crawl follows only the first \(most) of \(part)."
        return Finding(.warning, rule: "crawl-bound", path: place, message: message, fix: "Send fewer of them at once.")
    }

    /// A link that clients can't follow.
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
