import Backlot
import BacklotHTTP
public import BacklotJSON
import HTTPTypes
public import Logging

/// A backend of mocks: it answers requests as its stubs say.
public final class MockBackend: Sendable {
    /// Its stubs.
    public let stubs = StubSet()
    /// The states of its scenarios.
    public let scenarios = ScenarioStates()
    /// How it behaves.
    public let configuration: MockConfiguration
    /// What stands before the paths of stubs: empty, or without a slash at its end.
    let prefix: String
    let logger: Logger
    let sources: TemplateSources
    let sessions: SessionMiddleware
    let givenUpLog: GivenUpLog
    private let folder = Locked<RoutesFolder?>(nil)

    /// A backend without stubs.
    public init(
        _ configuration: MockConfiguration = MockConfiguration(),
        logger: Logger = Logger(label: "backlot.mocks")
    ) {
        precondition(
            configuration.path.hasPrefix("/") && configuration.path.hasSuffix("/"),
            "mocks are mounted at a path that begins and ends with a slash, not at '\(configuration.path)'"
        )
        self.configuration = configuration
        prefix = configuration.prefix
        self.logger = logger
        givenUpLog = GivenUpLog(logger)
        sources = TemplateSources(seed: configuration.seed)
        sessions = SessionMiddleware(
            path: configuration.path,
            store: configuration.sessions,
            configuration: configuration.sessionConfiguration
        )
    }

    /// Reads a stub in WireMock's form, to add it while the server runs.
    ///
    /// - Throws: `StubProblem`, with the way to what is wrong.
    public func stub(json: JSONValue) throws(StubProblem) -> Stub {
        var reading = StubReading(.passedOver)
        if let folder = folder.withLock({ $0 }) {
            let files = BodyFiles(folder)
            reading.bodyFile = { field throws(StubProblem) in try files.read(field) }
        }
        let stub = try Stub(Field(json), source: .runTime, &reading)
        for risk in reading.risks { logger.warning("\(stub.title): \(risk)") }
        return stub
    }

    /// Names the folder whose `__files` stubs may name.
    func use(_ folder: RoutesFolder) {
        self.folder.withLock { $0 = folder }
    }

    /// Takes back what requests and commands have changed: stubs that were added, scenarios, counters.
    public func reset() {
        stubs.reset()
        scenarios.reset()
        sources.reset()
    }

    /// Whether a path is below what the mocks are mounted at.
    func covers(_ path: String) -> Bool {
        guard !prefix.isEmpty else { return true }
        let bytes = path.utf8
        guard bytes.starts(with: prefix.utf8) else { return false }
        return bytes.count == prefix.utf8.count || bytes.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
    }

    /// The stubs that a request nearly matched, the nearest first.
    public func nearMisses(of request: MockRequest, most: Int = 3) -> [NearMiss] {
        var budget = MatchBudget(request)
        defer { givenUpLog.note(budget, request.title) }
        return nearMisses(of: request, most: most, &budget)
    }

    func nearMisses(of request: MockRequest, most: Int, _ budget: inout MatchBudget) -> [NearMiss] {
        // Comparing texts is dear: only stubs of which the path is not too far are looked at in full.
        let path = request.path
        let near = stubs.entries
            .map { (entry: $0, distance: $0.stub.request.url.roughDistance(from: path)) }
            .sorted { $0.distance < $1.distance }
            .prefix(50)
        return
            near
            .map { NearMiss(stub: $0.entry.stub, match: mismatch($0.entry.stub, request, &budget)) }
            .filter { !$0.match.isMatch }
            .sorted { $0.match.distance < $1.match.distance }
            .prefix(most).map { $0 }
    }

    /// What a stub has against a request: what its pattern says, and its scenario's state.
    private func mismatch(_ stub: Stub, _ request: MockRequest, _ budget: inout MatchBudget) -> Match {
        var match = stub.request.match(request, &budget)
        if let scenario = stub.scenario, let required = scenario.requiredState {
            let current = scenarios.state(of: scenario.name, in: request.scope)
            if current != required {
                match.failures.append(
                    .init(subject: "scenario \(scenario.name)", expected: required.shown, actual: current.shown)
                )
                match.distance = max(match.distance, 0.02)
            }
        }
        return match
    }
}

extension MockRequest {
    /// Whose scenarios the request is about: those of its session cookie.
    public var scope: ScenarioStates.Scope {
        guard headers.contains(.cookie), let cookie = cookies.first(where: { $0.name == "session" }),
            !cookie.value.isEmpty
        else { return .shared }
        return .session(cookie.value)
    }
}

extension URLPattern {
    /// How far a path is from it, roughly and cheaply: the share of segments that differ.
    fileprivate func roughDistance(from path: String) -> Double {
        let own: [Substring]
        switch self {
        case .any: return 0.5
        case .urlMatching, .pathMatching: return 0.4
        case .url(let text), .path(let text): own = text.prefix { $0 != "?" }.split(separator: "/")
        case .template(let template): own = template.text.split(separator: "/")
        }
        let sent = path.split(separator: "/")
        let longest = max(own.count, sent.count, 1)
        var same = 0.0
        for (left, right) in zip(own, sent) {
            if left == right || left.first == "{" {
                same += 1
            } else {
                let prefix = zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
                let suffix = zip(left.utf8.reversed(), right.utf8.reversed()).prefix { $0 == $1 }.count
                same +=
                    0.9 * Double(min(prefix + suffix, min(left.utf8.count, right.utf8.count)))
                    / Double(max(left.utf8.count, right.utf8.count))
            }
        }
        return 1 - same / Double(longest)
    }
}
