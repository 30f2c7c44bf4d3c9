public import Backlot

/// How a backend of mocks behaves.
public struct MockConfiguration: Sendable {
    /// What it is mounted at: `/`, or a path that begins and ends with a slash.
    public var path = "/"
    /// The protocols whose pages and apps files may hold, such as `[.applin(), .xpedite()]`; each file's name says which.
    public var formats: [FileFormat]
    /// The seed of random values: with one, each run has the same; nil for others in each run.
    public var seed: UInt64?
    /// Where sessions are kept, for stubs that log users in.
    public var sessions: any SessionStore = MemorySessionStore()
    /// How long sessions live, and more.
    public var sessionConfiguration = SessionConfiguration()
    /// The largest request body that is taken, in bytes.
    public var bodyLimit = 10 * 1024 * 1024
    /// How much it may take to fill in the templates of one answer, in bytes; what takes more is answered with 500.
    ///
    /// A byte of the answer counts once, and a tag some bytes more.
    public var templateLimit = 10 * 1024 * 1024
    /// Whether all clients share the states of scenarios and the data of clients, as in WireMock. Otherwise each client has its
    /// own, and gets a session cookie with the answer that first changes them.
    public var sharesState = false
    /// The part of a request that tells clients apart; nil for the settings files of folders, and the session cookie without
    /// these.
    public var stateKey: StateKey?
    /// How much data of clients is kept.
    public var dataLimits = DataBuckets.Limits()
    /// The addresses that webhooks may call; none without one.
    public var allowedWebhooks: [WebhookAddress] = []
    /// The servers that are trusted over TLS, where requests are sent on and webhooks are called.
    public var trust = ServerTrust.system
    /// What sees every exchange, such as a journal; nil for nothing.
    public var observer: (any MockObserver)?
    /// Makes what records other backends; nil where nothing can be recorded.
    package var recorder: (@Sendable () -> any MockRecorder)?

    /// The usual configuration.
    ///
    /// - Parameter formats: The protocols whose pages and apps files may hold, such as `[.applin()]`.
    public init(formats: [FileFormat] = []) {
        self.formats = formats
    }

    /// The protocol of pages; nil for mocks without pages.
    package var pages: PageFormat? {
        formats.lazy.compactMap { if case .pages(let format) = $0 { format } else { nil } }.first
    }

    /// The protocols whose apps files may make up.
    var apps: [AppFormat] {
        formats.compactMap { if case .app(let format) = $0 { format } else { nil } }
    }

    /// What stands before the paths of stubs: empty, or without a slash at its end.
    package var prefix: String { String(path.dropLast()) }
}

/// A request, and what became of it.
public struct MockExchange: Sendable {
    /// The request.
    public let request: MockRequest
    /// The stub that matched; nil when none did.
    public let stub: Stub?
    /// The answer as it leaves the mocks: after templates and cookies, before compression. Its body may be a fault.
    public let response: Response
    /// The session, or none, from which the request came.
    public let scope: ScenarioStates.Scope
}

/// Sees every exchange, as a journal does.
public protocol MockObserver: Sendable {
    /// Called with each answer, before it goes out, on the event loop of its connection.
    func responded(_ exchange: MockExchange)
}
