internal import Backlot
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
    /// - Throws: `ClientFailure.invalidURL`.
    public init(
        _ mocks: MockBackend,
        with url: String,
        transport: any ClientTransport = SocketTransport(),
        options: ComparisonOptions = ComparisonOptions()
    ) throws(ClientFailure) {
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
