public import Backlot
public import BacklotClients
public import BacklotMocks

/// Sends a real backend the requests of the mocks, and reports differences in structure: missing pages, added, removed or changed
/// widgets, keys and actions, other statuses and media types, and newly broken rules. The command is `mocks verify`.
///
/// The backend gets every request twice, and differences between its own responses don't count.
///
/// ```swift
/// let report = try await MocksComparison(mocks, with: "https://staging.example.com/travel/").report()
/// #expect(report.isClean, "\(report)")
/// ```
public struct MocksComparison: Sendable {
    /// The options of the comparison.
    public let options: ComparisonOptions
    private let mocks: MockBackend
    private let url: HTTPURL
    private let transport: any ClientTransport

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - mocks: the mocks, mounted at `/`.
    ///   - url: the backend's base URL, with the paths of the mocks below it.
    ///   - transport: the transport to the backend.
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

    /// Sends one request at a time, and compares the responses.
    ///
    /// - Parameters:
    ///   - update: whether to write the backend's responses into the files of mocks that differ.
    ///   - progress: a closure that is called before each request.
    /// - Throws: the errors in the setup of the mocks.
    public func report(
        update: Bool = false,
        progress: @escaping (CrawlProgress) -> Void = { _ in }
    ) async throws -> MocksComparisonReport {
        let watch = CookieWatch(transport)
        var run = MocksRun(try MockSession(mocks, watch, base: url, options), options, progress)
        await run.ask()
        var report = MocksComparisonReport(url: url)
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
public struct MocksComparisonReport: Sendable {
    /// A response of the mocks that wasn't compared.
    public struct Unverified: Sendable, Equatable {
        /// The request's method and path.
        public let request: String
        /// The location, such as `books/[id].page.yaml:3`.
        public let source: String
        /// The reason why the request wasn't compared.
        public let reason: String
    }

    /// The backend's base URL.
    public let url: HTTPURL
    /// The reason why there was no connection to the backend at all; nil if there was one.
    public internal(set) var unreachable: ClientError?
    /// The differences, in the order of the requests. Each has a request such as `GET /books/1` as its page, and a line of the
    /// mock's file as its line.
    public internal(set) var differences: [Difference] = []
    /// The responses that weren't compared.
    public internal(set) var unverified: [Unverified] = []
    /// Further remarks, one sentence each.
    public internal(set) var notes: [String] = []
    /// Whether the time was over, or the backend stopped responding, before everything was compared.
    public internal(set) var isCutShort = false
    /// The number of requests to the backend.
    public internal(set) var requests = 0
    /// The length of the comparison.
    public internal(set) var duration = Duration.zero
    /// The files that were changed.
    public internal(set) var updated: [String] = []
    /// The files that couldn't be written, with the reasons, one line each.
    public internal(set) var notUpdated: [String] = []
    /// The compared responses.
    public internal(set) var subjects: [FindingReport.Page] = []

    /// The number of the mocks' responses that were compared.
    public var compared: Int { subjects.count }

    init(url: HTTPURL) { self.url = url }
}

extension MocksComparisonReport: ServerReport {
    /// The tool's name, `mocks verify`.
    public static var tool: String { "mocks verify" }

    /// The differences as findings.
    public var findings: [Finding] { differences.map(\.finding) }

    /// The differences response by response, and the parts that weren't compared.
    public var description: String {
        if let unreachable { return "\(url) can't be reached: \(unreachable)." }
        var lines = [FindingReport(pages: subjects).text(counting: ("response", "responses"))]
        lines.append("\(requests) requests to \(url) in \(duration.inTenths) s")
        lines += notes
        if !unverified.isEmpty {
            let all = compared + unverified.count
            lines += ["", "not verified: \(unverified.count) of \(all) \(all == 1 ? "response" : "responses")"]
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

    /// The report for programs. Keys keep their names and meanings from version to version; new keys may be added.
    ///
    /// | key | value |
    /// |---|---|
    /// | `url` | the base URL |
    /// | `unreachable` | the reason why there was no connection, or null |
    /// | `compared`, `requests`, `milliseconds` | the number of compared responses and of requests, and the length |
    /// | `errors`, `warnings` | the number of differences with each severity |
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
