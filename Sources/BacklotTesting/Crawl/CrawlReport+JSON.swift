internal import Applin
internal import Backlot
public import BacklotJSON

extension CrawlReport {
    /// How many paths a list in the JSON has at most.
    private static let listedInJSON = 1000

    /// The report for programs. The keys stay the same from version to version; there may be more of them.
    ///
    /// | key | value |
    /// |---|---|
    /// | `url` | the base URL |
    /// | `dialect` | `documented`, `objects` or null |
    /// | `unreachable` | why there was no connection, or null |
    /// | `pages`, `requests`, `milliseconds` | how many pages and requests there were, and how long they took |
    /// | `errors`, `warnings` | how many findings there are of each severity |
    /// | `findings` | objects with `page`, `path` (for people), `pointer` (RFC 6901), `severity`, `rule`, `message`, `fix` |
    /// | `stopped_by` | `pages`, `time`, `backend` or null |
    /// | `not_visited`, `not_visited_count` | the pages beyond the bound: their paths, at most 1,000, and their number |
    /// | `refused` | objects with `path` and `status` (403 or 422) |
    /// | `rpcs_called`, `rpcs_not_called`, `uploads` | a number, and paths |
    public var json: JSONValue {
        let report = FindingReport(pages: pages)
        return [
            "url": .string("\(url)"),
            "dialect": dialect.map { .string($0.rawValue) } ?? .null,
            "unreachable": unreachable.map { .string("\($0)") } ?? .null,
            "pages": Self.number(visited),
            "requests": Self.number(requests),
            "milliseconds": Self.number(Int(duration.milliseconds)),
            "errors": Self.number(report.count(.error)),
            "warnings": Self.number(report.count(.warning)),
            "findings": .array(findings.map(Self.finding)),
            "stopped_by": bound.map { .string($0.rawValue) } ?? .null,
            "not_visited": Self.list(notVisited),
            "not_visited_count": Self.number(notVisited.count + forgotten),
            "refused": .array(
                refused.map { ["path": .string($0.path), "status": Self.number($0.status)] }
            ),
            "rpcs_called": Self.number(rpcsCalled),
            "rpcs_not_called": Self.list(rpcsNotCalled),
            "uploads": Self.list(uploads),
        ]
    }

    private static func finding(_ finding: Finding) -> JSONValue {
        [
            "page": .string(finding.path.page),
            "path": .string("\(finding.path)"),
            "pointer": .string(finding.path.pointer),
            "severity": .string(finding.severity.rawValue),
            "rule": .string(finding.rule),
            "message": .string(finding.message),
            "fix": .string(finding.fix),
        ]
    }

    private static func list(_ paths: [String]) -> JSONValue {
        .array(paths.prefix(listedInJSON).map { .string($0) })
    }

    private static func number(_ number: Int) -> JSONValue { .number(JSONNumber(Int64(number))) }
}
