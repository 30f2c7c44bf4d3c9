package import Backlot

/// A client without a device, for tools that use an app by themselves. Each protocol has its own.
package protocol HeadlessClient: AnyObject, SendableMetatype {
    /// Whether an app has a base URL, which ends in a slash and is the prefix of all its pages. If false, the app has a single
    /// address.
    static var hasBaseURL: Bool { get }
    /// Whether all requests of an app go to one address, so that methods take the place of paths.
    static var hasMethods: Bool { get }
    /// Whether a client in a test gets its time as `now`.
    static var hasClock: Bool { get }
    /// The first packet that clients post to an app's URL; nil if clients begin with a GET.
    static var greeting: JSONValue? { get }
    /// Whether a client can open any page first, by its path.
    static var startsAnywhere: Bool { get }
    /// Whether clients send every typed text unchanged, even NUL.
    static var sendsAnyText: Bool { get }
    /// Whether the client makes the page at a path itself, without the backend.
    static func isOwnPage(_ place: String) -> Bool
    /// The Swift call for a step in a test, and whether the call is async.
    static func call(_ step: ClientStep) -> (text: String, isAsync: Bool)
    /// Whether tests have the call for a step.
    static func hasCall(for step: ClientStep) -> Bool
    /// The functions that read pages for a comparison; nil for a protocol without inputs and links.
    static var pages: ComparedPages? { get }
    /// The guide of a crawl through an app.
    static func guide(at url: HTTPURL, _ options: GuideOptions) -> any CrawlGuide

    init(_ url: HTTPURL, over transport: any ClientTransport, _ options: HeadlessOptions) throws

    /// Takes a step, and then the steps that the client takes automatically.
    ///
    /// - Throws: `StepError` if the step is impossible on the screen. Other errors are the backend's.
    func perform(_ step: ClientStep) async throws
    /// The steps that the screen offers now.
    func steps() -> [OfferedStep]
    /// The fields that can be filled in.
    var fields: [InputField] { get }
    /// The texts that a person reads, without the values of inputs.
    var shownTexts: [String] { get }
    /// The path of the page on the screen.
    var place: String { get }
    /// The paths of the pages on the back stack, the visible one last.
    var pageStack: [String] { get }
    /// Drops the cookies, or other data that identifies the user to the backend.
    func forgetSession()
    /// The number of the client's cookies.
    var cookieCount: Int { get }
    /// The error that the client shows to the user instead of a page; nil without an error.
    var shownError: (isOfApp: Bool, text: String)? { get }
    /// The shown text of a field and the text that it sends; nil if unknown.
    func text(in field: String) -> (shown: String, sent: String)?
    /// Whether the page on the screen is the backend's rather than one of the client's own.
    var isLoaded: Bool { get }
    /// Whether the user can't leave the page, and the page can't change.
    var isDeadEnd: Bool { get }
    /// Whether the page can be refreshed.
    var canRefresh: Bool { get }
    /// The time until the page refreshes itself; nil for never.
    var timeToRefresh: Duration? { get }
    /// Whether typed text may rightly disappear after the step, for example because the step sends it.
    func takesInput(_ step: ClientStep) -> Bool
}

/// The defaults that most clients share.
extension HeadlessClient {
    package static var hasBaseURL: Bool { false }
    package static var hasMethods: Bool { false }
    package static var hasClock: Bool { false }
    package static var greeting: JSONValue? { nil }
    package static var pages: ComparedPages? { nil }
    package static func call(_ step: ClientStep) -> (text: String, isAsync: Bool) { (step.call, true) }
    package static func hasCall(for step: ClientStep) -> Bool { step != .forgetCookies }
    package var fields: [InputField] { [] }
    package var pageStack: [String] { [place] }
    package func forgetSession() {}
    package var cookieCount: Int { 0 }
    package var shownError: (isOfApp: Bool, text: String)? { nil }
    package func text(in field: String) -> (shown: String, sent: String)? { nil }
    package var isLoaded: Bool { true }
    package var isDeadEnd: Bool { false }
    package var canRefresh: Bool { false }
    package var timeToRefresh: Duration? { nil }
    package func takesInput(_ step: ClientStep) -> Bool { true }
    package static var startsAnywhere: Bool { false }
    package static var sendsAnyText: Bool { false }
    package static func isOwnPage(_ place: String) -> Bool { false }

    /// The error for a step that clients of this protocol don't have.
    package func impossible(_ step: ClientStep) -> StepError {
        StepError(step: step.call, problem: "clients of this protocol have no such step", screen: "", location: "")
    }

    /// Takes a step, and returns findings about the backend; nil if the step is impossible on the screen.
    package func findings(of step: ClientStep) async -> [Finding]? {
        do {
            if step == .forgetCookies { forgetSession() } else { try await perform(step) }
            return []
        } catch is StepError {
            return nil
        } catch let failure as BackendError {
            return failure.findings
        } catch let failure as ClientError {
            return [ResponseRules.noResponse(failure, place)]
        } catch {
            let text = "\(error)"
            // Each client describes a server's failure in its own words.
            let isServer = text.contains("answers 5") || text.contains("status is 5")
            let rule = isServer ? "server-error" : (error as? any HeadlessClientError)?.rule ?? "no-answer"
            let message = "\(text.capitalizedFirst.excerpt(upTo: 500))."
            let fix = "Respond as the protocol says; the server's log may say more."
            return [
                Finding(.error, rule: rule, path: FindingPath(page: place.cut(to: 300)), message: message, fix: fix)
            ]
        }
    }
}

/// A client's error with the name of the rule that the backend broke.
package protocol HeadlessClientError: Error {
    var rule: String { get }
}

/// The options of a headless client.
package struct HeadlessOptions: Sendable {
    package var limits: ClientLimits
    /// The dialect of the app's clients; nil to take it from the app.
    package var dialect: String?
    /// The time of clients with a clock, in seconds since 1970.
    package var now: Int
    /// The id of the device, for clients that send one.
    package var device: String

    package init(
        limits: ClientLimits = ClientLimits(),
        dialect: String? = nil,
        now: Int = 1_800_000_000,
        device: String = "explorer"
    ) {
        (self.limits, self.dialect, self.now, self.device) = (limits, dialect, now, device)
    }
}

/// A step that is possible on the screen.
package struct OfferedStep: Sendable {
    package let step: ClientStep
    /// The step's name in lists of tried and untried steps.
    package let label: String
    /// The paths that the step requests, as far as the page names them.
    package var paths: [String] = []
    /// Whether the step sends a request.
    package var isRequest = true
    /// Whether the step goes back.
    package var isBack = false

    package init(_ step: ClientStep, _ label: String, paths: [String] = [], isRequest: Bool = true) {
        (self.step, self.label, self.paths, self.isRequest) = (step, label, paths, isRequest)
        isBack = step == .back
    }
}

/// An input on the screen.
package struct InputField: Sendable {
    package enum Kind: Sendable, Equatable {
        case text(allow: String = "all", minimum: Int? = nil, maximum: Int? = nil)
        case choice([String])
        case box(isOn: Bool)
    }

    package let variable: String
    /// The field's name in steps.
    package let name: String
    package let label: String
    package let kind: Kind
    /// The delay between a change and the poll of the page; nil if a change doesn't cause a poll.
    package var pollDelay: Duration?

    package init(_ variable: String, _ kind: Kind, name: String? = nil, label: String = "", pollDelay: Duration? = nil)
    {
        (self.variable, self.kind, self.name, self.label) = (variable, kind, name ?? variable, label)
        self.pollDelay = pollDelay
    }
}
