public import Backlot
public import BacklotClients
public import BacklotMocks

/// Asks a real backend what the mocks answer, and says where the structure of the two differs: pages that are gone, widgets, keys
/// and actions that were added, removed or changed, another status, another media type, rules of the protocol that are broken now.
/// The command is `mocks verify`.
///
/// The backend is asked everything twice, and what differs between its own responses doesn't count.
///
/// ```swift
/// let report = try await MocksComparison(mocks, with: "https://staging.example.com/travel/").report()
/// #expect(report.isClean, "\(report)")
/// ```
public struct MocksComparison: Sendable {
    /// How it asks, and what it reports.
    public let options: ComparisonOptions
    private let mocks: MockBackend
    private let url: HTTPURL
    private let transport: any ClientTransport

    /// A comparison.
    ///
    /// - Parameters:
    ///   - mocks: are mounted at `/`.
    ///   - url: the backend's base URL, below which it has the paths of the mocks.
    ///   - transport: the way to the backend.
    /// - Throws: `ClientError.invalidURL`.
    public init(
        _ mocks: MockBackend,
        with url: String,
        transport: any ClientTransport = SocketTransport(),
        options: ComparisonOptions = ComparisonOptions()
    ) throws(ClientError) {
        self.mocks = mocks
        self.url = try HTTPURL(url)
        self.transport = transport
        self.options = options
    }

    /// Asks, one request after the other, and compares.
    ///
    /// - Parameters:
    ///   - update: whether the backend's responses are written into the files of the mocks that differ.
    ///   - progress: is called before each request.
    /// - Throws: what makes the mocks impossible to ask.
    public func report(
        update: Bool = false,
        progress: @escaping (CrawlProgress) -> Void = { _ in }
    ) async throws -> MocksReport {
        let watch = CookieWatch(transport)
        var run = MocksRun(try MockSession(mocks, watch, base: url, options), options, progress)
        await run.ask()
        var report = MocksReport(url: url)
        report.unreachable = run.unreachable
        if run.unreachable == nil {
            run.fill(&report)
            if update { run.update(&report) }
        }
        report.requests = watch.requests
        report.duration = run.start.duration(to: .now)
        return report
    }
}

/// The result of comparing mocks with a backend.
public struct MocksReport: Sendable {
    /// A response of the mocks that was not compared.
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
    public internal(set) var unreachable: ClientError?
    /// What is different, in the order in which it was requested. The page of each is a request, such as `GET /books/1`, and the line
    /// that of the mock's file.
    public internal(set) var differences: [Difference] = []
    /// The responses that were not compared.
    public internal(set) var unverified: [Unverified] = []
    /// Further remarks, a sentence each.
    public internal(set) var notes: [String] = []
    /// How many requests the backend got.
    public internal(set) var requests = 0
    /// How long it took.
    public internal(set) var duration = Duration.zero
    /// The files that were changed.
    public internal(set) var updated: [String] = []
    /// What could not be written, and why: a line each.
    public internal(set) var notUpdated: [String] = []
    /// The responses that were compared.
    public internal(set) var subjects: [FindingReport.Page] = []

    /// How many responses of the mocks were compared.
    public var compared: Int { subjects.count }

    init(url: HTTPURL) { self.url = url }
}

extension MocksReport: ServerReport {
    /// `mocks verify`.
    public static var tool: String { "mocks verify" }

    /// What is different.
    public var findings: [Finding] { differences.map(\.finding) }

    /// The differences response by response, and what was not compared.
    public var description: String {
        if let unreachable { return "\(url) can't be reached: \(unreachable)." }
        var lines = [FindingReport(pages: subjects).text(counting: ("answer", "answers"))]
        lines.append("\(requests) requests to \(url) in \(duration.inTenths) s")
        lines += notes
        if !unverified.isEmpty {
            let all = compared + unverified.count
            lines += ["", "not verified: \(unverified.count) of \(all) \(all == 1 ? "answer" : "answers")"]
        }
        var reasons: [String] = []
        for one in unverified where !reasons.contains(one.reason) { reasons.append(one.reason) }
        for reason in reasons {
            lines.append("  \(reason):")
            lines += unverified.filter { $0.reason == reason }.map { "    \($0.request) (\($0.source))" }
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
        [
            "url": .string("\(url)"),
            "unreachable": .text(unreachable),
            "compared": .count(compared),
            "requests": .count(requests),
            "milliseconds": .count(Int(duration.milliseconds)),
            "errors": .count(differences.count { $0.kind == .breaking }),
            "warnings": .count(differences.count { $0.kind == .visible }),
            "findings": .array(
                differences.map { $0.json(["file": .text($0.file), "line": $0.path.line.map { .count($0) } ?? .null]) }
            ),
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
