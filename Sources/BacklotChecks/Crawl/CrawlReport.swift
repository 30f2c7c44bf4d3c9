public import Backlot
public import BacklotClients

/// The result of a crawl.
public struct CrawlReport: Sendable {
    /// The reason why a crawl ended before it had seen all pages.
    public enum End: String, Sendable {
        /// The maximum number of pages was reached.
        case pages
        /// The time was over.
        case time
        /// The backend didn't accept connections any more.
        case backend
        /// The task was cancelled.
        case interrupted
    }

    /// A page that the backend rejected; a logged-in user may be allowed to see it. Applin rejects with 403 and 422, Xpedite with
    /// a return code.
    public struct Refused: Sendable, Equatable {
        /// The page's path.
        public let path: String
        /// The status 403 or 422, or the return code.
        public let status: Int
    }

    /// The protocol of the backend.
    public let appProtocol: AppProtocol
    /// The app's base URL, or its single address.
    public let url: HTTPURL
    /// The dialect of the pages; nil if no page has an action.
    public let dialect: String?
    /// The dialect's description in the report; nil for a protocol without dialects.
    let dialectTitle: String?
    /// The reason why there was no connection to the backend at all; nil if there was one.
    public let unreachable: ClientError?
    /// The pages with their findings, and the rpcs that have findings.
    public let pages: [FindingReport.Page]
    /// The number of requested pages.
    public let visited: Int
    /// The number of requests, including those after redirects.
    public let requests: Int
    /// The length of the crawl.
    public let duration: Duration
    /// The reason why the crawl ended early; nil for a complete crawl.
    public let end: End?
    /// The paths of known pages that weren't requested, because the crawl ended early.
    public let notVisited: [String]
    /// The number of links to further pages, which were too many to store.
    public let forgotten: Int
    /// The pages that the backend rejected.
    public let refused: [Refused]
    /// The number of called rpcs.
    public let rpcsCalled: Int
    /// The rpcs that weren't called.
    public let rpcsNotCalled: [String]
    /// The uploads, which a crawl never tries.
    public let uploads: [String]
    /// The clients that load every page, and the obstacles for others: `readable by applin-ios 0.31 to 0.40; not by 0.0.0 to
    /// 0.30, because of actions that are objects`. nil without pages, or without clients with different releases.
    public let readers: String?
    /// The verdict of each selected client version on each page; nil without ``CrawlOptions/clients``.
    public let matrix: ClientMatrix?
}

extension CrawlReport: ServerReport {
    /// The tool's name, `check`.
    public static var tool: String { "check" }

    /// Whether the time was over, or the backend stopped responding. The maximum number of pages is a choice, and doesn't count.
    public var isCutShort: Bool { end == .time || end == .backend }

    /// All findings.
    public var findings: [Finding] { pages.flatMap(\.findings) }

    /// The pages, and the rpcs with findings.
    public var subjects: [FindingReport.Page] { pages }
}

extension CrawlReport {
    /// The findings page by page, and the parts that weren't checked.
    public var description: String {
        if let unreachable { return "\(url) can't be reached: \(unreachable)." }
        var lines = (readers.map { [$0] } ?? []) + [FindingReport(pages: pages).description]
        lines.append("\(requests) requests in \(duration.inTenths) s, \(dialectTitle ?? appProtocol.name)")
        switch end {
        case .pages: lines.append("Stopped after \(visited) pages, the maximum.")
        case .time: lines.append("Stopped after \(duration.inTenths) s: the time was over.")
        case .backend: lines.append("Stopped: the backend takes no more connections.")
        case .interrupted: lines.append("Interrupted after \(visited) pages.")
        case nil: break
        }
        lines += Self.list("not visited", notVisited, more: forgotten)
        lines += Self.list("refused", refused.map { "\($0.path) (\($0.status))" })
        let calls = appProtocol.client.hasMethods ? "methods that take input" : "rpcs"
        if rpcsCalled > 0 { lines.append("\(calls) called: \(rpcsCalled)") }
        lines += Self.list("\(calls) not called", rpcsNotCalled)
        lines += Self.list("uploads, never tried", uploads)
        if let matrix { lines.append("\n\(matrix)") }
        return lines.joined(separator: "\n")
    }

}

extension CrawlReport {
    /// The maximum number of paths in a list of the JSON.
    private static let listedInJSON = 1000

    /// The report for programs. Keys keep their names and meanings from version to version; new keys may be added.
    ///
    /// | key | value |
    /// |---|---|
    /// | `protocol` | the protocol's name: `applin`, `xpedite`, `floki`, `dynamic-views` |
    /// | `url` | the base URL |
    /// | `dialect` | `documented`, `objects` or null |
    /// | `unreachable` | the reason why there was no connection, or null |
    /// | `pages`, `requests`, `milliseconds` | the number of pages and requests, and the length of the crawl |
    /// | `errors`, `warnings` | the number of findings with each severity |
    /// | `findings` | objects with `page`, `path` (for people), `pointer` (RFC 6901), `severity`, `rule`, `message`, `fix` |
    /// | `stopped_by` | `pages`, `time`, `backend`, `interrupted` or null |
    /// | `not_visited`, `not_visited_count` | the pages beyond the bound: their paths, at most 1,000, and their number |
    /// | `refused` | objects with `path` and `status` (403, 422 or a return code) |
    /// | `rpcs_called`, `rpcs_not_called`, `uploads` | a number, and paths |
    /// | `readers` | the clients that load every page, and the obstacles for others, for people; or null |
    /// | `clients`, `matrix` | the verdicts of client versions, see ``ClientMatrix``; only if clients were selected |
    public var json: JSONValue {
        let report = FindingReport(pages: pages)
        var object: JSONObject = [
            "protocol": .string(appProtocol.name),
            "url": .string("\(url)"),
            "dialect": .text(dialect),
            "unreachable": .text(unreachable),
            "readers": .text(readers),
            "pages": .count(visited),
            "requests": .count(requests),
            "milliseconds": .count(Int(duration.milliseconds)),
            "errors": .count(report.count(.error)),
            "warnings": .count(report.count(.warning)),
            "findings": .array(findings.map { .object($0.json) }),
            "stopped_by": .text(end?.rawValue),
            "not_visited": .texts(notVisited.prefix(Self.listedInJSON)),
            "not_visited_count": .count(notVisited.count + forgotten),
            "refused": .array(
                refused.map { ["path": .string($0.path), "status": .count($0.status)] }
            ),
            "rpcs_called": .count(rpcsCalled),
            "rpcs_not_called": .texts(rpcsNotCalled.prefix(Self.listedInJSON)),
            "uploads": .texts(uploads.prefix(Self.listedInJSON)),
        ]
        if let matrix {
            object["clients"] = matrix.clientsJSON
            object["matrix"] = matrix.json
        }
        return .object(object)
    }

}
