public import Applin
public import Backlot

/// What came of a crawl.
public struct CrawlReport: Sendable {
    /// What ended a crawl before all was seen.
    public enum Bound: String, Sendable {
        /// There are more pages than were to be asked for.
        case pages
        /// The time was over.
        case time
        /// The backend took no more connections.
        case backend
    }

    /// A page that the backend refused with 403 or 422: who is logged in may get it.
    public struct Refused: Sendable, Equatable {
        /// The page's path.
        public let path: String
        /// 403 or 422.
        public let status: Int
    }

    /// The app's base URL.
    public let url: HTTPURL
    /// The dialect by which pages were judged; nil where none had an action.
    public let dialect: Dialect?
    /// Why there was no connection to the backend at all; nil where there was one.
    public let unreachable: ClientFailure?
    /// The pages, and the rpcs that something was found about, with their findings.
    public let pages: [FindingReport.Page]
    /// How many pages were asked for.
    public let visited: Int
    /// How many requests were sent, with those along redirects.
    public let requests: Int
    /// How long it took.
    public let duration: Duration
    /// What ended it early; nil where all was seen.
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

    /// Every finding.
    public var findings: [Finding] { pages.flatMap(\.findings) }

    /// Whether the backend was reached and nothing was found.
    public var isClean: Bool { unreachable == nil && findings.isEmpty }
}

extension CrawlReport: CustomStringConvertible {
    private static let listed = 10

    /// The findings page by page, and what was not looked at.
    public var description: String {
        if let unreachable { return "\(url) can't be reached: \(unreachable)." }
        var lines = [FindingReport(pages: pages).description]
        let dialect = dialect.map { "\($0.rawValue) dialect" } ?? "no actions"
        lines.append("\(requests) requests in \(seconds) s, \(dialect)")
        switch bound {
        case .pages: lines.append("Stopped after \(visited) pages, the most that were to be asked for.")
        case .time: lines.append("Stopped after \(seconds) s: the time was over.")
        case .backend: lines.append("Stopped: the backend takes no more connections.")
        case nil: break
        }
        lines += Self.list("not visited", notVisited, more: forgotten)
        lines += Self.list("refused", refused.map { "\($0.path) (\($0.status))" })
        if rpcsCalled > 0 { lines.append("rpcs called: \(rpcsCalled)") }
        lines += Self.list("rpcs not called", rpcsNotCalled)
        lines += Self.list("uploads, never tried", uploads)
        return lines.joined(separator: "\n")
    }

    private var seconds: String {
        let milliseconds = duration.milliseconds
        return "\(milliseconds / 1000).\(milliseconds % 1000 / 100)"
    }

    private static func list(_ title: String, _ items: [String], more: Int = 0) -> [String] {
        guard !items.isEmpty else { return [] }
        let rest = items.count - listed + more
        let shown = items.prefix(listed).map { $0.cut(to: 80) }.joined(separator: ", ")
        return ["\(title): \(items.count + more): \(shown)\(rest > 0 ? ", …" : "")"]
    }
}
