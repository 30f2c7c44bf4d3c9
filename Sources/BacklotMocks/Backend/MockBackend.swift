public import Backlot
public import Logging

/// A backend of mocks: it responds to requests according to its stubs.
///
/// ```swift
/// let mocks = MockBackend()
/// mocks.stubs.add(try mocks.stub(json: ["request": ["urlPath": "/weather"], "response": ["body": "sun"]]))
/// router.mocks(mocks)
/// ```
public final class MockBackend: Sendable {
    /// The stubs of the mocks.
    public let stubs = StubSet()
    /// The states of its scenarios.
    public let scenarios = ScenarioStates()
    /// The data that its routes change.
    public let data: DataBuckets
    /// The settings of the mocks.
    public let configuration: MockConfiguration
    /// The prefix of the paths of stubs: empty, or a path without a slash at its end.
    package let prefix: String
    package let logger: Logger
    /// The time of clients.
    public var clocks: MockClocks { configuration.clocks }
    let sources: TemplateSources
    let sessions: SessionMiddleware
    let givenUpLog: GivenUpLog
    let lostCookieLog: LostCookieLog
    /// The state keys in the settings files of folders.
    let folderStateKeys = Locked(FolderStateKeys())
    let folderApps = FolderApps()
    /// The parts of apps' files, as stubs that nothing serves, by the paths of the files.
    let appParts = Locked<[String: [Stub]]>([:])
    /// The number of running webhooks.
    let webhooks = Locked(0)
    /// The recorder of other backends; nil if nothing can be recorded.
    package let recorder: (any MockRecorder)?
    /// TLS to other servers.
    package let connector: TLSConnector
    /// The name of this server in the `Via` field of forwarded requests.
    package let proxyName = ReverseProxy.makeName()
    /// Limits the bodies of forwarded requests that are kept.
    let observationBudget = BufferBudget(limit: 64 * 1024 * 1024)
    let broken = BrokenFiles()
    /// The clients that may give commands; the first entry is for the mocks' own port.
    let administrators = Locked<[LocalAccess]>([])
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
        recorder = configuration.recorder?()
        connector = .trusting(configuration.trust)
        data = DataBuckets(limits: configuration.dataLimits)
        prefix = configuration.prefix
        self.logger = logger
        givenUpLog = GivenUpLog(logger)
        lostCookieLog = LostCookieLog(logger)
        sources = TemplateSources(seed: configuration.seed, clocks: configuration.clocks)
        var sessionConfiguration = configuration.sessionConfiguration
        sessionConfiguration.clock = configuration.clocks.sessionClock(sessionConfiguration.clock)
        sessions = SessionMiddleware(
            path: configuration.path,
            store: configuration.sessions,
            configuration: sessionConfiguration
        )
    }

    /// Reads a stub in WireMock's form, to add it while the server runs.
    ///
    /// - Throws: `StubError`, with the way to what is wrong.
    public func stub(json: JSONValue) throws(StubError) -> Stub {
        try stubWithWarnings(json: json).0
    }

    /// The same, with what doesn't do what its author may expect.
    func stubWithWarnings(json: JSONValue) throws(StubError) -> (Stub, [StubError]) {
        var reader = MockReader(isForeign: true)
        reader.folder = routesFolder
        let stub = try Stub(LocatedValue(json), source: .runTime, &reader)
        let warnings = reader.warnings + webhookWarnings(stub)
        for warning in warnings { logger.warning("\(stub.title): \(warning)") }
        return (stub, warnings)
    }

    /// The folder of the routes; nil without one.
    package var routesFolder: RoutesFolder? { folder.withLock { $0 } }

    /// Sets the folder with the `__files` that stubs may name.
    func use(_ folder: RoutesFolder) {
        self.folder.withLock { $0 = folder }
    }

    /// Undoes what requests and commands have changed: added stubs, scenarios, data, counters, the clock.
    public func reset() {
        stubs.reset()
        scenarios.reset()
        data.reset()
        sources.reset()
        clocks.set(nil)
    }

    /// Reverts the changes of one session's requests.
    public func reset(_ scope: ScenarioStates.Scope) {
        scenarios.reset(scope)
        data.reset(scope)
        clocks.set(nil, of: scope)
    }

    /// Whether a path is below the path that the mocks are mounted at.
    package func covers(_ path: String) -> Bool {
        guard !prefix.isEmpty else { return true }
        let bytes = path.utf8
        guard bytes.starts(with: prefix.utf8) else { return false }
        return bytes.count == prefix.utf8.count || bytes.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
    }
}
