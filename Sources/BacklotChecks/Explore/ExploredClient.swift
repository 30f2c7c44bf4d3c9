internal import Backlot
internal import BacklotClients
internal import BacklotJSON

/// A headless client as explorers use it, whatever its protocol.
protocol ExploredClient: AnyObject {
    /// Does a step, with all that the client does by itself after it.
    ///
    /// - Throws: `StepFailure` where the step can't be done on the screen. Other errors are the backend's, and findings.
    func perform(_ step: ClientStep) async throws
    /// Forgets the cookies, or what else tells the backend who this is.
    func forgetCookies()
    /// What was wrong with the backend in the last step.
    var findings: [Finding] { get }
    /// The page on the screen.
    var place: String { get }
    /// What can be tapped.
    var offers: [ExploreOffer] { get }
    /// What can be filled in.
    var fields: [ExploreField] { get }
    /// Every text that a person reads, those of inputs aside.
    var shownTexts: [String] { get }
    /// The error that is shown to the user instead of a page; nil for none.
    var shownError: (isOfApp: Bool, text: String)? { get }
    /// The text in a field, and what is sent of it; nil where there is no such field.
    func text(in field: String) -> (shown: String, sent: String)?
    /// Whether the page on the screen is the backend's, and not what the client shows in its place.
    var isLoaded: Bool { get }
    /// The paths of the pages that the user can go back to, the visible one last.
    var stack: [String] { get }
    /// How many cookies the client has.
    var cookieCount: Int { get }
    /// Whether nothing leads away from the page, and nothing on it can change it.
    var isDeadEnd: Bool { get }
    /// Whether the page can be refreshed.
    var canRefresh: Bool { get }
    /// How long it takes until the page refreshes itself; nil for never.
    var timeToRefresh: Duration? { get }
    /// Whether the step does more with what was typed than to show it again: then it may well be gone afterwards.
    func takesInput(_ step: ClientStep) -> Bool
}

extension ExploredClient {
    var isLoaded: Bool { true }
}

/// Something that can be tapped.
struct ExploreOffer: Sendable {
    let step: ClientStep
    /// What it is called, for what was tried and what wasn't.
    let label: String
    /// The paths that it asks for, as far as the page says.
    var paths: [String] = []
    /// Whether the backend hears of it.
    var isRequest = true
    /// Whether it leads back.
    var isBack = false
}

/// Something that can be filled in.
struct ExploreField: Sendable {
    enum Kind: Sendable, Equatable {
        case text(allow: String, minimum: Int?, maximum: Int?)
        case choice([String])
        case box(isOn: Bool)
    }

    let variable: String
    /// What steps call it.
    let name: String
    let label: String
    let kind: Kind
    /// How long after a change the page is polled; nil where it isn't.
    var pollDelay: Duration?
}
