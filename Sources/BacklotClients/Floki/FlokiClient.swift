public import Backlot
internal import Floki
internal import Logging

/// A Floki app without a device. It behaves like one of the two public clients, and a test uses it the way a person would.
///
/// ```swift
/// let app = try FlokiClient(router)
/// try await app.launch()
/// try await app.show("News")
/// try await app.loadOlder()
/// try await app.open(7)
/// #expect(app.page?.contains("It is here") == true)
/// ```
/// An impossible step throws a ``StepError``, and a response that breaks the rules of the Floki module throws a ``BackendError``.
/// A response with a status outside 200 to 299 doesn't change the stored data.
public final class FlokiClient: SteppedClient {
    /// The client's configuration.
    public let configuration: FlokiClientConfiguration
    /// The address of the version indicator.
    public let url: HTTPURL
    var session: ClientSession
    /// The time on the client's clock, in seconds since 1970. It only advances in ``wait(_:)``.
    public internal(set) var now: Int
    /// The version of the app data; 0 before the first.
    public internal(set) var version = 0
    /// The app data; empty before the first load.
    public internal(set) var appData: JSONObject = [:]
    /// The time at which the client checks the indicator again.
    var indicatorEnd = 0
    /// The screens that ``back(file:line:)`` returns to, and the current screen last.
    public internal(set) var stack: [FlokiScreen] = []
    /// The lists of the tabs, by their `unique_id`.
    var tabs: [Int: FlokiScreen] = [:]
    /// The tabs shown since the app was started.
    var seenTabs: Set<Int> = []
    /// The id of the current tab.
    var tab: Int?
    /// The entries that the last search found so far.
    public internal(set) var results: [JSONObject] = []
    /// Whether the search may have more results.
    public internal(set) var hasMoreResults = false
    var query: (url: String, words: String, page: Int)?
    /// The stored pages of items, by id and URL.
    var keptPages: [String: String] = [:]
    /// An explanation of the last step's surprising effect, such as a tap that Android ignores; nil without one.
    public internal(set) var note: String?
    /// The URLs that the client requested, the latest last.
    public internal(set) var sent: [String] = []

    package init(_ transport: any ClientTransport, _ url: HTTPURL, _ configuration: FlokiClientConfiguration, now: Int)
    {
        self.url = url
        self.configuration = configuration
        self.now = now
        session = ClientSession(transport, limits: configuration.limits)
    }

    /// Creates a client of an app in this process, without a socket.
    ///
    /// - Parameters:
    ///   - router: the router with the app's routes.
    ///   - path: the path of the version indicator.
    ///   - now: the time on the client's clock.
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes.
    public convenience init(
        _ router: Router,
        at path: String = "/floki/v1-app",
        configuration: FlokiClientConfiguration = FlokiClientConfiguration(),
        now: Int = 0
    ) throws {
        let transport = try InProcessTransport(router.handler())
        self.init(transport, try HTTPURL(InProcessTransport.root).resolving(path), configuration, now: now)
    }

    /// Creates a client of any backend, by the address of its version indicator, such as `http://127.0.0.1:8080/floki/v1-app`.
    public convenience init(
        url: String,
        transport: any ClientTransport = SocketTransport(),
        configuration: FlokiClientConfiguration = FlokiClientConfiguration(),
        now: Int = 0
    ) throws {
        self.init(transport, try HTTPURL(url), configuration, now: now)
    }

    /// Advances the client's clock: stored data gets older, and expired entries disappear.
    public func wait(_ duration: Duration) {
        now += duration.wholeSeconds
        for index in stack.indices { stack[index].list?.expire(now: now) }
        for id in tabs.keys { tabs[id]?.list?.expire(now: now) }
    }

    /// The screen with its data; nil before a tab is shown.
    public var current: FlokiScreen? { stack.last }
    /// The entries on the screen, from top to bottom.
    public var entries: [JSONObject] { current?.list?.shown ?? [] }
    /// The entries' ids.
    public var ids: [Int] { entries.compactMap(\.flokiID) }
    /// The entries' titles.
    public var titles: [String] { entries.map { $0["title"]?.string ?? "" } }
    /// Whether the screen offers older entries. iOS doesn't in a feed with sections, and Android never.
    public var hasOlder: Bool {
        guard let list = current?.list, configuration.platform == .iOS else { return false }
        return list.hasOlder && list.sections == nil
    }
    /// The text of the web page on the screen; nil without a web page.
    public var page: String? { current?.page }

    var drawn: String { screen }

    /// The screen as text, for errors.
    public var screen: String {
        guard let current else { return "nothing is shown; the tabs are \(tabTitles.joined(separator: ", "))" }
        let lines = entries.map { "  \($0.flokiID ?? 0) \"\($0["title"]?.string ?? "")\"" }
        return (["\(current.className) \"\(current.title)\" \(current.url)"] + lines + [current.page ?? ""])
            .joined(separator: "\n")
    }
}

/// The configuration of a ``FlokiClient``.
public struct FlokiClientConfiguration: Sendable {
    /// One of the two public clients.
    public enum Platform: Sendable, CaseIterable {
        /// Like iOS 3.0: new entries are merged with the old ones, and older entries are requested with `o`.
        case iOS
        /// Like Android 1.1: new entries replace the old ones. There are no older entries, no tabs of web pages and movies, and
        /// no taps on entries that open a feed, a web page or a movie without a picture. Links on pages open in the system's browser.
        case android
    }

    /// The client to imitate.
    public var platform = Platform.iOS
    /// The language of the device. If the app doesn't have it, the app's first language is used.
    public var language = "en"
    /// The kind of device, sent as the parameter `d`; nil to leave it out.
    public var device: Int? = 2
    /// Whether parameters follow a path without a question mark: `/gossips&o=797`.
    public var omitsQuestionMark = false
    /// The limits of size and time for responses.
    public var limits = ClientLimits()

    /// Creates the default configuration.
    public init() {}
}

/// The reason why a client has nothing to show.
public enum FlokiClientError: Error, Equatable, CustomStringConvertible {
    /// No response with a status of 200 to 299, and no stored data. The text is the reason.
    case noResponse(url: String, reason: String)
    /// The response isn't a JSON object.
    case noObject(url: String)

    /// A description of the error.
    public var description: String {
        switch self {
        case .noResponse(let url, let reason): "\(url) gives nothing to show: \(reason)"
        case .noObject(let url): "\(url) is no JSON object"
        }
    }
}
