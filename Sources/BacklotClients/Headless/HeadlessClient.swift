package import Backlot

/// An app without a device, whatever its protocol: for what goes through it by itself.
package protocol HeadlessClient: AnyObject, SendableMetatype {
    /// Whether an app stands at a base URL, which ends in a slash and no path leaves; else it stands at one address.
    static var hasBaseURL: Bool { get }
    /// Whether all requests of an app go to one address, so that their methods stand for paths.
    static var hasMethods: Bool { get }
    /// What its clients post to an app's URL first; nil where they begin with a GET.
    static var greeting: JSONValue? { get }
    /// Whether an app can begin with any of its pages, by their paths.
    static var startsAnywhere: Bool { get }
    /// Whether every text gets to the backend whole, NUL included.
    static var sendsAnyText: Bool { get }
    /// Whether a page is one that the client makes itself.
    static func isOwnPage(_ place: String) -> Bool
    /// The property that draws its screen.
    static var drawing: String { get }
    /// The call of a step in a test, and whether that suspends.
    static func call(_ step: ClientStep) -> (text: String, isAsync: Bool)
    /// Its pages as a comparison reads them; nil for a protocol without inputs and links.
    static var pages: ComparedPages? { get }
    /// What leads a crawl through an app.
    static func guide(at url: HTTPURL, _ options: GuideOptions) -> any CrawlGuide

    init(_ url: HTTPURL, over transport: any ClientTransport, _ options: HeadlessOptions) throws

    /// Does a step, with all that the client does by itself after it.
    ///
    /// - Throws: `StepError` where the step can't be done on the screen. Other errors are the backend's.
    func perform(_ step: ClientStep) async throws
    /// What can be tapped now.
    func steps() -> [OfferedStep]
    /// What can be filled in.
    var fields: [InputField] { get }
    /// Every text that a person reads, those of inputs aside.
    var shownTexts: [String] { get }
    /// The path of the page on the screen.
    var place: String { get }
    /// The paths of the pages that the user can go back to, the visible one last.
    var pageStack: [String] { get }
    /// Forgets the cookies, or what else tells the backend who this is.
    func forgetSession()
    /// How many cookies the client has.
    var cookieCount: Int { get }
    /// The error that is shown to the user instead of a page; nil for none.
    var shownError: (isOfApp: Bool, text: String)? { get }
    /// The text in a field, and what is sent of it; nil where that isn't known.
    func text(in field: String) -> (shown: String, sent: String)?
    /// Whether the page on the screen is the backend's, and not what the client shows in its place.
    var isLoaded: Bool { get }
    /// Whether nothing leads away from the page, and nothing on it can change it.
    var isDeadEnd: Bool { get }
    /// Whether the page can be refreshed.
    var canRefresh: Bool { get }
    /// How long it takes until the page refreshes itself; nil for never.
    var timeToRefresh: Duration? { get }
    /// Whether the step does more with what was typed than to show it again: then it may well be gone afterwards.
    func takesInput(_ step: ClientStep) -> Bool
}

/// What most clients have in common.
extension HeadlessClient {
    package static var hasBaseURL: Bool { false }
    package static var hasMethods: Bool { false }
    package static var greeting: JSONValue? { nil }
    package static var drawing: String { "screen" }
    package static var pages: ComparedPages? { nil }
    package static func call(_ step: ClientStep) -> (text: String, isAsync: Bool) { (step.call, true) }
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

    /// The error for a step that clients of the protocol don't have.
    package func impossible(_ step: ClientStep) -> StepError {
        StepError(step: step.call, problem: "clients of this protocol have no such step", screen: "", place: "")
    }

    /// Does a step, and says what was wrong with the backend in it; nil where the step can't be done on the screen.
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
            // Clients say in their words that the server failed.
            let isServer = text.contains("answers 5") || text.contains("status is 5")
            let rule = isServer ? "server-error" : (error as? any HeadlessClientError)?.rule ?? "no-answer"
            let message = "\(text.capitalizedFirst.excerpt(upTo: 500))."
            let fix = "Answer what the protocol says; the log of the server may say more."
            return [
                Finding(.error, rule: rule, path: FindingPath(page: place.cut(to: 300)), message: message, fix: fix)
            ]
        }
    }
}

/// An error of a client that names the rule which the backend has broken.
package protocol HeadlessClientError: Error {
    var rule: String { get }
}

/// How a headless client behaves.
package struct HeadlessOptions: Sendable {
    package var limits: ClientLimits
    /// The dialect of the app's clients; nil where the app tells it.
    package var dialect: String?

    package init(limits: ClientLimits = ClientLimits(), dialect: String? = nil) {
        (self.limits, self.dialect) = (limits, dialect)
    }
}

/// A step that the screen offers.
package struct OfferedStep: Sendable {
    package let step: ClientStep
    /// What it is called, for what was tried and what wasn't.
    package let label: String
    /// The paths that it asks for, as far as the page says.
    package var paths: [String] = []
    /// Whether the backend hears of it.
    package var isRequest = true
    /// Whether it leads back.
    package var isBack = false

    package init(_ step: ClientStep, _ label: String, paths: [String] = [], isRequest: Bool = true) {
        (self.step, self.label, self.paths, self.isRequest) = (step, label, paths, isRequest)
        isBack = step == .back
    }
}

/// Something that can be filled in.
package struct InputField: Sendable {
    package enum Kind: Sendable, Equatable {
        case text(allow: String = "all", minimum: Int? = nil, maximum: Int? = nil)
        case choice([String])
        case box(isOn: Bool)
    }

    package let variable: String
    /// What steps call it.
    package let name: String
    package let label: String
    package let kind: Kind
    /// How long after a change the page is polled; nil where it isn't.
    package var pollDelay: Duration?

    package init(_ variable: String, _ kind: Kind, name: String? = nil, label: String = "", pollDelay: Duration? = nil)
    {
        (self.variable, self.kind, self.name, self.label) = (variable, kind, name ?? variable, label)
        self.pollDelay = pollDelay
    }
}
