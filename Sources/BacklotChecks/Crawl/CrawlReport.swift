public import Backlot
public import BacklotClients

/// The result of a crawl.
public struct CrawlReport: Sendable {
    /// A bound that ended a crawl before it had seen all pages.
    public enum Bound: String, Sendable {
        /// There are more pages than were to be asked for.
        case pages
        /// The time was over.
        case time
        /// The backend took no more connections.
        case backend
        /// Its task was cancelled.
        case interrupted
    }

    /// A page that the backend refused: who is logged in may get it. Applin refuses with 403 and 422, Xpedite with a return code.
    public struct Refused: Sendable, Equatable {
        /// The page's path.
        public let path: String
        /// 403, 422 or the return code.
        public let status: Int
    }

    /// The protocol that the backend speaks.
    public let appProtocol: AppProtocol
    /// The app's base URL, or its one address.
    public let url: HTTPURL
    /// The dialect by which pages were judged; nil where none had an action.
    public let dialect: String?
    /// What the report says about it; nil for a protocol without dialects.
    let dialectTitle: String?
    /// Why there was no connection to the backend at all; nil where there was one.
    public let unreachable: ClientError?
    /// The pages, and the rpcs that something was found about, with their findings.
    public let pages: [FindingReport.Page]
    /// How many pages were asked for.
    public let visited: Int
    /// How many requests were sent, with those along redirects.
    public let requests: Int
    /// How long it took.
    public let duration: Duration
    /// The bound that ended it early; nil for a complete crawl.
    public let bound: Bound?
    /// The paths of pages that were found but not asked for, because of the bound.
    public let notVisited: [String]
    /// How many links led to further pages, whose paths were too many to be remembered.
    public let forgotten: Int
    /// The pages that the backend refused.
    public let refused: [Refused]
    /// How many rpcs were called.
    public let rpcsCalled: Int
    /// The rpcs that were not.
    public let rpcsNotCalled: [String]
    /// The uploads, which are never tried.
    public let uploads: [String]
    /// The clients that load every page, and what keeps others from it: `readable by applin-ios 0.31 to 0.40; not by 0.0.0 to 0.30, because
    /// of actions that are objects`. nil where no client's releases differ, or no page came.
    public let readers: String?
    /// What each client version that was asked for makes of each page; nil where none was asked for.
    public let matrix: ClientMatrix?
}

extension CrawlReport: ServerReport {
    /// `check`.
    public static var tool: String { "check" }

    /// Every finding.
    public var findings: [Finding] { pages.flatMap(\.findings) }

    /// The pages, and the rpcs that something was found about.
    public var subjects: [FindingReport.Page] { pages }
}

extension CrawlReport {
    /// The findings page by page, and what was not looked at.
    public var description: String {
        if let unreachable { return "\(url) can't be reached: \(unreachable)." }
        var lines = (readers.map { [$0] } ?? []) + [FindingReport(pages: pages).description]
        lines.append("\(requests) requests in \(duration.inTenths) s, \(dialectTitle ?? appProtocol.name)")
        switch bound {
        case .pages: lines.append("Stopped after \(visited) pages, the most that were to be asked for.")
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
    /// How many paths a list in the JSON has at most.
    private static let listedInJSON = 1000

    /// The report for programs. The keys stay the same from version to version; there may be more of them.
    ///
    /// | key | value |
    /// |---|---|
    /// | `protocol` | the protocol's name: `applin`, `xpedite`, `floki`, `dynamic-views` |
    /// | `url` | the base URL |
    /// | `dialect` | `documented`, `objects` or null |
    /// | `unreachable` | why there was no connection, or null |
    /// | `pages`, `requests`, `milliseconds` | how many pages and requests there were, and how long they took |
    /// | `errors`, `warnings` | how many findings there are of each severity |
    /// | `findings` | objects with `page`, `path` (for people), `pointer` (RFC 6901), `severity`, `rule`, `message`, `fix` |
    /// | `stopped_by` | `pages`, `time`, `backend`, `interrupted` or null |
    /// | `not_visited`, `not_visited_count` | the pages beyond the bound: their paths, at most 1,000, and their number |
    /// | `refused` | objects with `path` and `status` (403, 422 or a return code) |
    /// | `rpcs_called`, `rpcs_not_called`, `uploads` | a number, and paths |
    /// | `readers` | the clients that load every page, and what keeps others from it, for people; or null |
    /// | `clients`, `matrix` | what client versions make of the pages, as ``ClientMatrix`` documents it; only where they were asked for |
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
            "stopped_by": .text(bound?.rawValue),
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
