public import Backlot
public import BacklotClients
public import BacklotJSON

/// The result of comparing mocks with a backend.
public struct DriftReport: Sendable {
    /// Something that is different.
    public struct Drift: Sendable, Equatable {
        /// What it is, and where: the path's page is the request, and its line that of the mock's file.
        public let finding: Finding
        /// Method and path that were asked for, such as `GET /books/1`.
        public let request: String
        /// The file that holds the mock's answer; nil for a mock without one.
        public let file: String?
        /// What the mock has; nil where it has nothing there.
        public let was: String?
        /// What the backend has; nil where it has nothing there.
        public let now: String?
    }

    /// An answer of the mocks that was not compared.
    public struct Unverified: Sendable, Equatable {
        /// Its method and path.
        public let request: String
        /// Where it stands, such as `books/[id].page.yaml:3`.
        public let source: String
        /// Why it was not compared.
        public let reason: String
    }

    /// The backend's base URL.
    public let url: HTTPURL
    /// Why there was no connection to the backend at all; nil where there was one.
    public internal(set) var unreachable: ClientFailure?
    /// What is different, in the order in which it was asked for.
    public internal(set) var drifts: [Drift] = []
    /// The answers that were not compared.
    public internal(set) var unverified: [Unverified] = []
    /// Further remarks, a sentence each.
    public internal(set) var notes: [String] = []
    /// How many answers of the mocks were compared.
    public internal(set) var compared = 0
    /// How many requests the backend got.
    public internal(set) var requests = 0
    /// How long it took.
    public internal(set) var duration = Duration.zero
    /// The files that were changed.
    public internal(set) var updated: [String] = []
    /// What could not be written, and why: a line each.
    public internal(set) var notUpdated: [String] = []
    /// Each answer that was compared.
    var pages: [(title: String, findings: [Finding])] = []

    init(url: HTTPURL) { self.url = url }

}

extension DriftReport: ServerReport {
    /// `mocks verify`.
    public static var tool: String { "mocks verify" }

    /// What is different.
    public var findings: [Finding] { drifts.map(\.finding) }

    /// The answers that were compared.
    public var subjects: [FindingReport.Page] {
        pages.map { FindingReport.Page(path: $0.title, findings: $0.findings) }
    }

    /// The differences answer by answer, and what was not compared.
    public var description: String {
        if let unreachable { return "\(url) can't be reached: \(unreachable)." }
        let found = FindingReport(pages: subjects)
        var lines = [found.text(counting: ("answer", "answers"))]
        let milliseconds = duration.milliseconds
        lines.append("\(requests) requests to \(url) in \(milliseconds / 1000).\(milliseconds % 1000 / 100) s")
        lines += notes
        if !unverified.isEmpty {
            lines.append("")
            lines.append("not verified:")
            var reasons: [String] = []
            for one in unverified where !reasons.contains(one.reason) { reasons.append(one.reason) }
            for reason in reasons {
                lines.append("  \(reason):")
                lines += unverified.filter { $0.reason == reason }.map { "    \($0.request) (\($0.source))" }
            }
        }
        if !updated.isEmpty || !notUpdated.isEmpty { lines.append("") }
        lines += updated.map { "updated: \($0)" } + notUpdated.map { "not updated: \($0)" }
        return lines.joined(separator: "\n")
    }

    /// The report for programs. The keys stay the same from version to version; there may be more of them.
    ///
    /// | key | value |
    /// |---|---|
    /// | `url` | the base URL |
    /// | `unreachable` | why there was no connection, or null |
    /// | `compared`, `requests`, `milliseconds` | how many answers were compared, how many requests were sent, and how long it took |
    /// | `errors`, `warnings` | how many differences there are of each severity |
    /// | `findings` | objects with `page` (method and path), `path` (for people), `pointer` (RFC 6901), `severity`, `rule`, `message`, `fix`, `file`, `line`, `was`, `now` |
    /// | `not_verified` | objects with `page`, `source`, `reason` |
    /// | `notes`, `updated`, `not_updated` | lines |
    public var json: JSONValue {
        return [
            "url": .string("\(url)"),
            "unreachable": unreachable.map { .string("\($0)") } ?? .null,
            "compared": .count(compared),
            "requests": .count(requests),
            "milliseconds": .count(Int(duration.milliseconds)),
            "errors": .count(drifts.count { $0.finding.severity == .error }),
            "warnings": .count(drifts.count { $0.finding.severity == .warning }),
            "findings": .array(drifts.map(\.json)),
            "not_verified": .array(
                unverified.map {
                    ["page": .string($0.request), "source": .string($0.source), "reason": .string($0.reason)]
                }
            ),
            "notes": .texts(notes),
            "updated": .texts(updated),
            "not_updated": .texts(notUpdated),
        ]
    }
}

extension DriftReport.Drift {
    fileprivate var json: JSONValue {
        var object = finding.json
        object["page"] = .string(request)
        object["file"] = file.map { .string($0) } ?? .null
        object["line"] = finding.path.line.map { .count($0) } ?? .null
        object["was"] = was.map { .string($0) } ?? .null
        object["now"] = now.map { .string($0) } ?? .null
        return .object(object)
    }
}
