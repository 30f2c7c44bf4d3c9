public import Backlot
internal import Floki
internal import Logging

/// A Floki app without a device: it behaves as one of the two public clients does, and a test uses it as a person would.
///
/// ```swift
/// let app = try FlokiClient(router)
/// try await app.launch()
/// try await app.show("News")
/// try await app.loadOlder()
/// try await app.open(7)
/// #expect(app.page?.contains("It is here") == true)
/// ```
/// A step that can't be done throws a ``StepError``, and an answer that breaks the rules of the Floki module a
/// ``BackendError``. An answer with another status than 200 to 299 changes nothing that is kept.
public final class FlokiClient: SteppedClient {
    /// How the client behaves.
    public let configuration: FlokiClientConfiguration
    /// The address of the version indicator.
    public let url: HTTPURL
    var session: ClientSession
    /// The time on the client's clock, in seconds since 1970; it stands still but for ``wait(_:)``.
    public internal(set) var now: Int
    /// The version of the app data that it has; 0 before the first.
    public internal(set) var version = 0
    /// The app data; empty before the first.
    public internal(set) var appData: JSONObject = [:]
    /// When the indicator is looked at again.
    var indicatorEnd = 0
    /// The screen, and below it those that ``back(file:line:)`` leads to.
    public internal(set) var stack: [FlokiScreen] = []
    /// The lists of the tabs, by their `unique_id`.
    var tabs: [Int: FlokiScreen] = [:]
    /// The tabs that were shown since the app was started.
    var seenTabs: Set<Int> = []
    /// Which tab is shown.
    var tab: Int?
    /// The entries that the last search has found so far.
    public internal(set) var results: [JSONObject] = []
    /// Whether it may find more.
    public internal(set) var hasMoreResults = false
    var query: (url: String, words: String, page: Int)?
    /// The pages of items, by id and URL.
    var keptPages: [String: String] = [:]
    /// What a person would wonder about after the last step, such as a tap that Android ignores; nil if there is nothing.
    public internal(set) var note: String?
    /// The URLs that were asked for, the last one at the end.
    public internal(set) var sent: [String] = []

    package init(_ transport: any ClientTransport, _ url: HTTPURL, _ configuration: FlokiClientConfiguration, now: Int)
    {
        self.url = url
        self.configuration = configuration
        self.now = now
        session = ClientSession(transport, limits: configuration.limits)
    }

    /// A client of an app in this process, without a socket.
    ///
    /// - Parameters:
    ///   - router: has the app's routes.
    ///   - path: where the version indicator is.
    ///   - now: the time on the client's clock.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered.
    public convenience init(
        _ router: Router,
        at path: String = "/floki/v1-app",
        configuration: FlokiClientConfiguration = FlokiClientConfiguration(),
        now: Int = 0
    ) throws {
        let transport = try InProcessTransport(router.handler())
        self.init(transport, try HTTPURL(InProcessTransport.root).resolving(path), configuration, now: now)
    }

    /// A client of any backend, by the address of its version indicator, such as `http://127.0.0.1:8080/floki/v1-app`.
    public convenience init(
        url: String,
        transport: any ClientTransport = SocketTransport(),
        configuration: FlokiClientConfiguration = FlokiClientConfiguration(),
        now: Int = 0
    ) throws {
        self.init(transport, try HTTPURL(url), configuration, now: now)
    }

    /// Lets time pass: what was fetched grows old, and what has ended goes.
    public func wait(_ duration: Duration) {
        now += duration.wholeSeconds
        for index in stack.indices { stack[index].list?.expire(now: now) }
        for id in tabs.keys { tabs[id]?.list?.expire(now: now) }
    }

    /// The screen; nil before a tab is shown.
    public var screen: FlokiScreen? { stack.last }
    /// The entries on the screen, from top to bottom.
    public var entries: [JSONObject] { screen?.list?.shown ?? [] }
    /// Their ids.
    public var ids: [Int] { entries.compactMap(\.flokiID) }
    /// Their titles.
    public var titles: [String] { entries.map { $0["title"]?.string ?? "" } }
    /// Whether the screen offers older entries. iOS doesn't in a feed with sections, and Android never.
    public var hasOlder: Bool {
        guard let list = screen?.list, configuration.platform == .iOS else { return false }
        return list.hasOlder && list.sections == nil
    }
    /// The text of the web page on the screen; nil without a web page.
    public var page: String? { screen?.page }

    var drawn: String { drawing }

    /// The screen as a text, for failures.
    public var drawing: String {
        guard let screen else { return "nothing is shown; the tabs are \(tabTitles.joined(separator: ", "))" }
        let lines = entries.map { "  \($0.flokiID ?? 0) \"\($0["title"]?.string ?? "")\"" }
        return (["\(screen.className) \"\(screen.title)\" \(screen.url)"] + lines + [screen.page ?? ""])
            .joined(separator: "\n")
    }
}

/// How a ``FlokiClient`` behaves.
public struct FlokiClientConfiguration: Sendable {
    /// Which of the two public clients it is like.
    public enum Platform: Sendable, CaseIterable {
        /// Like iOS 3.0: what comes is merged with what is there, and older entries are asked for by `o`.
        case iOS
        /// Like Android 1.1: what comes replaces what is there, and that is all: no older entries, no tabs of web pages and movies, no
        /// taps on entries that open a feed, a web page or a movie without a picture. Links on pages open in the system's browser.
        case android
    }

    /// Which client it is like.
    public var platform = Platform.iOS
    /// The language of the device, which counts where the app has it; otherwise the app's first does.
    public var language = "en"
    /// The kind of device, as the parameter `d`; nil leaves it out.
    public var device: Int? = 2
    /// Whether parameters follow a path without a question mark, `/gossips&o=797`.
    public var omitsQuestionMark = false
    /// How much it takes of a server.
    public var limits = ClientLimits()

    /// The default configuration.
    public init() {}
}

/// Why a client shows nothing.
public enum FlokiClientError: Error, Equatable, CustomStringConvertible {
    /// There is no answer with a status of 200 to 299, and nothing was kept. The text says why.
    case noResponse(url: String, why: String)
    /// The answer is no JSON object.
    case noObject(url: String)

    /// What went wrong.
    public var description: String {
        switch self {
        case .noResponse(let url, let why): "\(url) gives nothing to show: \(why)"
        case .noObject(let url): "\(url) is no JSON object"
        }
    }
}
