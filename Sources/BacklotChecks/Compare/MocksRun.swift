internal import Backlot
internal import BacklotClients
internal import BacklotMocks
internal import BacklotRecording

/// A comparison of mocks in progress. It goes through the mocks' responses: first those that GET shows to everybody, then the
/// requests of apps' clients, then the flows.
struct MocksRun {
    /// A requested response of the mocks, with an exchange for each pass.
    struct Asked {
        let title: String
        let source: StubSource
        let comparison: ResponseComparison
        /// The probe; nil for a response of an app.
        let probe: MockProbe?
        /// Whether the files contain too little of the request to know whether the backend would accept it.
        let isGuess: Bool
        var exchanges: [ComparedExchange] = []

        var differences: [Difference] { comparison.differences(exchanges) }
        /// The title, with the file if there is one.
        var titleWithPlace: String { source == .runTime ? title : "\(title) (\(source))" }
    }

    /// The purpose of an exchange.
    enum Purpose {
        /// To compare the responses.
        case comparison
        /// To compare them in another state, since they differed in the first.
        case alternative(String)
        /// To reach the next state again.
        case way
    }

    /// After this number of failed connections in a row, the backend counts as gone.
    static let mostFailures = 3
    private static let passes = 2

    let mocks: MockBackend
    let options: ComparisonOptions
    let start = ContinuousClock.now
    let first: MockSession
    let probes: [MockProbe]
    /// The responses that give clients their credentials: tokens and session cookies.
    let logIns: Set<StubID>
    private let progress: (CrawlProgress) -> Void
    private var pass = 0
    private(set) var asked: [String: Asked] = [:]
    private(set) var order: [String] = []
    /// The same responses in other states.
    private(set) var alternatives: [StubID: [String: Asked]] = [:]
    private(set) var unreachable: ClientError?
    /// The reasons why responses weren't requested.
    var reasons: [StubID: String] = [:]
    /// The steps that the backend rejected at their first request.
    private(set) var failedSteps: [FailedStep] = []
    private(set) var failuresInRow = 0
    private(set) var isOver = false
    private var hasResponded = false

    init(_ session: MockSession, _ options: ComparisonOptions, _ progress: @escaping (CrawlProgress) -> Void) {
        self.options = options
        self.progress = progress
        first = session
        mocks = session.mocks
        probes = session.mocks.probes
        logIns = session.logIns
    }

    /// Whether the comparison continues.
    var isOpen: Bool { unreachable == nil && !isOver && failuresInRow < Self.mostFailures }

    mutating func ask() async {
        var ofApps: [RequestRecorder.Exchange]?
        for pass in 0..<Self.passes where isOpen {
            self.pass = pass
            var session = first
            if options.tellsUser { await session.logInToMocks() }
            await askAtRest(&session)
            let requests = if let ofApps { ofApps } else { await requestsOfApps() }
            ofApps = requests
            await askApps(requests)
            if options.callsRPCs { await runFlows(session) }
        }
    }

    // MARK: One response

    /// Requests a response if that is possible now.
    ///
    /// - Returns: whether it was requested, or never can be.
    mutating func ask(
        _ probe: MockProbe,
        _ session: inout MockSession,
        for purpose: Purpose = .comparison
    ) async -> Bool {
        guard isOpen else { return true }
        if case .comparison = purpose, isAsked(probe) { return true }
        isOver = start.duration(to: .now) > options.maximumTime
        if isOver { return true }
        if let failed = session.failedStep, !logIns.contains(probe.id) {
            reasons[probe.id] = failed.reason
            return false
        }
        if let missing = session.missingLogIn(for: probe) {
            reasons[probe.id] = missing
            return false
        }
        let paths = paths(for: probe, session)
        var others: String?
        // A log-in is first sent with each input filled in.
        let ways = probe.method == .get ? [false] : [probe.logsIn, !probe.logsIn]
        for (filled, path) in ways.flatMap({ filled in paths.map { (filled, $0) } }) {
            let (isOwn, other) = session.isServed(probe, path, filled: filled)
            guard isOwn else {
                others = other ?? others
                continue
            }
            progress(CrawlProgress(pages: order.count, waiting: probes.count - order.count, path: path.mock))
            guard let exchange = try? await session.ask(probe, path, filled: filled) else { return false }
            let title = "\(probe.method.rawValue) \(path.mock)"
            let isGuess = session.isGuess(probe, path.mock)
            note(exchange, of: probe, asked(title, probe.source, probe, isGuess: isGuess), purpose)
            if logIns.contains(probe.id) || probe.nextState != nil || !probe.moves.isEmpty {
                session.failedStep = exchange.failedStep(title)
            }
            if pass == 0, let failed = session.failedStep { failedSteps.append(failed) }
            return true
        }
        reasons[probe.id] =
            others.map { "\($0) responds to every request that the tool can make for it" }
            ?? (paths.isEmpty
                ? "no known page leads to it: name one of its paths by --path"
                : "no known request leads to it")
        return false
    }

    private func paths(for probe: MockProbe, _ session: MockSession) -> [MockSession.Paths] {
        let paths = session.paths(for: probe)
        let isRest = probes.contains { $0.id != probe.id && $0.pattern == probe.pattern && !$0.parameters.isEmpty }
        // A value that no other route has, for the response to all remaining values.
        let names = probe.pattern.segments.compactMap(\.name)
        let made = probe.path(names.reduce(into: [:]) { $0[$1] = "999999999" })
        return isRest ? paths + [made].compactMap(\.self).map { ($0, $0) } : paths
    }

    private mutating func note(_ exchange: ComparedExchange, of probe: MockProbe, _ new: Asked, _ purpose: Purpose) {
        reasons[probe.id] = nil
        let first = asked["\(probe.id)"]?.exchanges.first
        switch purpose {
        // The backend accepted the request before and rejects its repetition, such as a sign-up with a name that is now taken.
        // The first response counts.
        case .comparison where probe.method != .get && exchange.isFailed && first?.isFailed == false: count(exchange)
        case .comparison: note(exchange, "\(probe.id)", new)
        case .alternative(let state):
            alternatives[probe.id, default: [:]][state, default: new].exchanges.append(exchange)
        case .way: count(exchange)
        }
    }

    private func asked(_ title: String, _ source: StubSource, _ probe: MockProbe?, isGuess: Bool = false) -> Asked {
        let terms = ComparisonTerms(depth: options.comparesValues ? .values : .structure, route: first.routes.route)
        var comparison = ResponseComparison(
            terms: terms,
            protocols: first.protocols,
            isPage: probe?.takesVariables ?? false
        )
        comparison.comparesSession = probe?.logsIn ?? false
        comparison.statedHeaders = probe?.statedHeaders ?? []
        comparison.basePath = first.basePath
        return Asked(title: title, source: source, comparison: comparison, probe: probe, isGuess: isGuess)
    }

    private mutating func note(_ exchange: ComparedExchange, _ key: String, _ new: Asked) {
        if asked[key] == nil {
            asked[key] = new
            order.append(key)
        }
        asked[key]?.exchanges.append(exchange)
        count(exchange)
    }

    /// Counts missing responses.
    private mutating func count(_ exchange: ComparedExchange) {
        switch exchange.backend {
        case .success: (hasResponded, failuresInRow) = (true, 0)
        case .failure(let failure):
            if failure.isOfBackend { failuresInRow += 1 }
            if !hasResponded, failure.isOfConnection { unreachable = failure }
        }
    }

    /// Whether the probe was requested in this pass.
    func isAsked(_ probe: MockProbe) -> Bool { (asked["\(probe.id)"]?.exchanges.count ?? 0) > pass }

    // MARK: At rest

    /// Requests the responses that GET shows in a new session.
    private mutating func askAtRest(_ session: inout MockSession) async {
        var waiting: [MockProbe] = []
        for probe in probes {
            if let reason = obstacle(to: probe) {
                reasons[probe.id] = reason
            } else if probe.method == .get, !probe.logsIn, !probe.logsOut, probe.nextState == nil,
                probe.laterState == nil, !probe.requiresLogin || options.tellsUser
            {
                waiting.append(probe)
            }
        }
        // Literal paths first: their pages link to the others.
        waiting.sort { !$0.pattern.hasParameters && $1.pattern.hasParameters }
        await askAll(waiting, &session)
    }

    /// Sends the requests of probes. Continues while responses lead to further paths.
    mutating func askAll(_ probes: [MockProbe], _ session: inout MockSession) async {
        var waiting = probes
        while !waiting.isEmpty, isOpen {
            var left: [MockProbe] = []
            for probe in waiting where !(await ask(probe, &session)) { left.append(probe) }
            if left.count == waiting.count { return }
            waiting = left
        }
    }

    /// The reason why a response is never requested.
    private func obstacle(to probe: MockProbe) -> String? {
        if probe.isRefusal, options.tellsUser, probe.credentials.isEmpty, isGuarded(probe) {
            return "it refuses clients without credentials, and --header gives some"
        }
        if probe.obstacle != nil || options.callsRPCs { return probe.obstacle }
        if probe.requiresLogin, !options.tellsUser {
            return
                "it asks for a log-in: --rpc logs in as the mocks do, and --header passes a session to the backend"
        }
        if probe.method == .get, probe.nextState != nil {
            return "it leads to another state: --rpc goes through the states"
        }
        if let state = probe.laterState { return "it needs the state '\(state)'; --rpc gets there" }
        return probe.method == .get
            ? nil : "it may change the backend's data: --rpc sends POST, PUT, PATCH and DELETE, too"
    }

    /// Whether another response of the same route takes credentials.
    private func isGuarded(_ probe: MockProbe) -> Bool {
        probes.contains { $0.pattern == probe.pattern && $0.method == probe.method && !$0.credentials.isEmpty }
    }

    // MARK: Apps

    /// Sends the backend the requests that clients of the mock apps sent, in the same order.
    private mutating func askApps(_ requests: [RequestRecorder.Exchange]) async {
        var session = first.another
        for (index, own) in requests.enumerated() where isOpen {
            let call = first.packets?.method(in: own.request.body)
            let title = "\(own.request.method.rawValue) \(own.request.url.target)" + (call.map { " \($0)" } ?? "")
            progress(CrawlProgress(pages: order.count, waiting: requests.count - index, path: title))
            guard let exchange = try? await session.replay(own.request, own.response) else { continue }
            note(exchange, "app \(index)", asked(title, source(own.request, call), nil))
        }
    }

    /// The file that responds to a request of an app. The methods of packets have separate files.
    private func source(_ request: ClientRequest, _ call: String?) -> StubSource {
        guard let sent = try? Request(request.method, request.url.target), let found = mocks.probed(by: sent, body: []),
            let file = found.source.file
        else { return .runTime }
        let own = call.flatMap { mocks.methodFile($0, in: String(file.prefix { $0 != "/" })) }
        return own.map { .file($0, line: 1) } ?? found.source
    }

    /// The requests of clients that go through the whole mock apps.
    private func requestsOfApps() async -> [RequestRecorder.Exchange] {
        let recorder = RequestRecorder(first.inProcess)
        var crawling = CrawlOptions()
        crawling.callsRPCs = options.callsRPCs
        for app in mocks.apps {
            guard let url = try? HTTPURL(InProcessTransport.root).resolving(app.startPath),
                app.appProtocol.knownClient != nil,
                let crawl = try? Crawl("\(url)", as: app.appProtocol, transport: recorder, options: crawling)
            else { continue }
            _ = await crawl.report()
        }
        return recorder.requests
    }
}

/// A transport that records its exchanges.
private final class RequestRecorder: ClientTransport {
    typealias Exchange = (request: ClientRequest, response: ClientResponse)

    private let transport: any ClientTransport
    private let state = Locked<[Exchange]>([])

    init(_ transport: any ClientTransport) { self.transport = transport }

    var requests: [Exchange] { state.withLock { $0 } }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        let response = try await transport.response(to: request, limits: limits)
        state.withLock { $0.append((request, response)) }
        return response
    }
}

extension ClientError {
    /// Whether the next request may fail as well.
    fileprivate var isOfBackend: Bool {
        switch self {
        case .bodyTooLarge, .headTooLarge, .undecodable, .cutShort: false
        default: true
        }
    }

    /// Whether there was no connection, or no HTTP server.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .unknownHost, .notConnected, .notSecured, .invalidURL, .outsideOfProcess, .cancelled, .malformed: true
        default: false
        }
    }
}
