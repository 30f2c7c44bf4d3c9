public import Backlot
public import Logging

/// A backend of mocks: it answers requests as its stubs say.
public final class MockBackend: Sendable {
    /// Its stubs.
    public let stubs = StubSet()
    /// The states of its scenarios.
    public let scenarios = ScenarioStates()
    /// The data that its routes change.
    public let data: DataBuckets
    /// How it behaves.
    public let configuration: MockConfiguration
    /// What stands before the paths of stubs: empty, or without a slash at its end.
    package let prefix: String
    package let logger: Logger
    let sources: TemplateSources
    let sessions: SessionMiddleware
    let givenUpLog: GivenUpLog
    let lostCookieLog: LostCookieLog
    /// What the settings files of folders say.
    let folderStateKeys = Locked(FolderStateKeys())
    let folderApps = FolderApps()
    /// How many webhooks are under way.
    let webhooks = Locked(0)
    /// What records other backends; nil where nothing can be recorded.
    package let recorder: (any MockRecorder)?
    /// TLS to other servers.
    package let connector: TLSConnector
    /// What requests that are sent on name this server in `Via`.
    package let proxyName = ReverseProxy.makeName()
    /// Bounds the bodies that are kept of what stubs send on.
    let observationBudget = BufferBudget(limit: 64 * 1024 * 1024)
    let broken = BrokenFiles()
    /// The clients that may give commands; the first are those of the mocks' own port.
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
        sources = TemplateSources(seed: configuration.seed)
        sessions = SessionMiddleware(
            path: configuration.path,
            store: configuration.sessions,
            configuration: configuration.sessionConfiguration
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

    /// Names the folder whose `__files` stubs may name.
    func use(_ folder: RoutesFolder) {
        self.folder.withLock { $0 = folder }
    }

    /// Undoes what requests and commands have changed: added stubs, scenarios, data, counters.
    public func reset() {
        stubs.reset()
        scenarios.reset()
        data.reset()
        sources.reset()
    }

    /// Undoes what the requests of one session have changed.
    public func reset(_ scope: ScenarioStates.Scope) {
        scenarios.reset(scope)
        data.reset(scope)
    }

    /// Whether a path is below what the mocks are mounted at.
    package func covers(_ path: String) -> Bool {
        guard !prefix.isEmpty else { return true }
        let bytes = path.utf8
        guard bytes.starts(with: prefix.utf8) else { return false }
        return bytes.count == prefix.utf8.count || bytes.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
    }
}
