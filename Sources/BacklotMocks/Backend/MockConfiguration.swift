public import Backlot

/// Settings of a backend of mocks.
///
/// ```swift
/// var configuration = MockConfiguration(formats: [.applin()])
/// configuration.path = "/mock/"
/// router.mocks(MockBackend(configuration))
/// ```
public struct MockConfiguration: Sendable {
    /// The path that it is mounted at: `/`, or a path that begins and ends with a slash.
    public var path = "/"
    /// The protocols of the pages and apps that files may hold, such as `[.applin(), .xpedite()]`; each file's name determines its
    /// protocol.
    public var formats: [FileFormat]
    /// The seed of random values: with a seed, each run has the same values; nil for new values in each run.
    public var seed: UInt64?
    /// The store of sessions, for stubs that log users in.
    public var sessions: any SessionStore
    /// Settings of sessions, such as their lifetime.
    public var sessionConfiguration = SessionConfiguration()
    /// The largest accepted request body, in bytes.
    public var bodyLimit = 10 * 1024 * 1024
    /// The most work for filling in the templates of one response, in bytes; responses that need more become a 500.
    ///
    /// Each byte of the response counts once, and each tag a few bytes more.
    public var templateLimit = 10 * 1024 * 1024
    /// Whether all clients share the states of scenarios and the data of clients, as in WireMock. Otherwise each client has its own,
    /// and gets a session cookie with the response that first changes them.
    public var sharesState = false
    /// The part of a request that distinguishes clients; nil for the settings files of folders, otherwise the session cookie.
    public var stateKey: StateKey?
    /// The limits for the data of clients.
    public var dataLimits = DataBuckets.Limits()
    /// The addresses that webhooks may call; none by default.
    public var allowedWebhooks: [WebhookAddress] = []
    /// The servers to trust over TLS when forwarding requests and calling webhooks.
    public var trust = ServerTrust.system
    /// The time of clients, for tags, date matchers, sessions, feeds and drafts.
    let clocks: MockClocks
    /// The observer of every exchange, such as a journal; nil for none.
    public var observer: (any MockObserver)?
    /// Makes the recorder of other backends; nil if nothing can be recorded.
    package var recorder: (@Sendable () -> any MockRecorder)?

    /// The usual configuration.
    ///
    /// - Parameter formats: The protocols of the pages and apps that files may hold, such as `[.applin()]`.
    public init(formats: [FileFormat] = []) { self.init(formats: formats, clock: .system) }

    /// Creates the default configuration, with another time at the beginning.
    public init(formats: [FileFormat] = [], clock: MockClock) {
        self.formats = formats
        clocks = MockClocks(clock)
        sessions = MemorySessionStore(clock: clocks.storeClock)
    }

    /// The protocol of pages; nil for mocks without pages.
    package var pages: PageFormat? {
        formats.lazy.compactMap { if case .pages(let format) = $0 { format } else { nil } }.first
    }

    /// The protocols with apps in files.
    var apps: [AppFormat] {
        formats.compactMap { if case .app(let format) = $0 { format } else { nil } }
    }

    /// The prefix of the paths of stubs: empty, or a path without a slash at its end.
    package var prefix: String { String(path.dropLast()) }
}

/// A request with its stub and response.
public struct MockExchange: Sendable {
    /// The request.
    public let request: MockRequest
    /// The stub that matched; nil if no stub matched.
    public let stub: Stub?
    /// The response from the mocks: after templates and cookies, before compression. Its body may be a fault.
    public let response: Response
    /// The client's session, if it has one.
    public let scope: ScenarioStates.Scope
}

/// Observes every exchange, like a journal.
public protocol MockObserver: Sendable {
    /// Called with each response before it is sent, on the event loop of its connection.
    func responded(_ exchange: MockExchange)
}
