import Applin
import Backlot
import FoundationEssentials

/// One page of the demo, with the rpcs and uploads that only this page calls.
protocol DemoPage: Sendable {
    /// The page's path. With a parameter in it, as in `/notes/{id}`, the page stands for many.
    var path: String { get }
    /// The page's title, which is also the text of the button that leads to it.
    var title: String { get }
    /// The text below the title on that button: what there is to try, in a few words. Empty for no text.
    var subText: String { get }
    /// The dialects that can say what the page says; it is there in no other.
    var dialects: [Dialect] { get }
    /// The oldest client whose user sees all of the page where actions are objects. Those before it refuse the page, or leave out
    /// what the page is about.
    var clients: ClientVersion { get }
    /// How a check requests the page, when it needs a log-in or its path has a parameter.
    var samples: [PageSample] { get }
    /// Why the page does what a backend should not do; nil for a page that is right. Checks leave such a page out.
    var misbehaviour: String? { get }
    /// The routes of `addTargets` and `addRoutes` that do what a backend should not do, each with the reason.
    var misbehavingTargets: [String: String] { get }

    /// Adds the page: `ReadyPage`, `SessionPage`, `RefreshedPage` and `WaitingPage` do so.
    func add(to app: ApplinApp)

    /// Adds the rpcs and uploads that only this page calls, and the pages that have a parameter in their path.
    func addTargets(to app: ApplinApp)

    /// Adds the other routes: pictures, and answers that no backend should give.
    func addRoutes(to routes: any Routes)
}

extension DemoPage {
    /// Pages that only one other page leads to need none.
    var subText: String { "" }

    /// Most pages can be said in either.
    var dialects: [Dialect] { Dialect.allCases }

    /// Every client since actions are objects.
    var clients: ClientVersion { "0.31" }

    /// Most pages are there for everybody.
    var samples: [PageSample] { [] }

    /// Most pages are right.
    var misbehaviour: String? { nil }

    /// Most routes are right.
    var misbehavingTargets: [String: String] { [:] }

    /// Most pages call nothing, or what others call too.
    func addTargets(to app: ApplinApp) {}

    /// Most pages need nothing else.
    func addRoutes(to routes: any Routes) {}

    /// The button that leads to the page.
    var link: NavButton {
        navButton(title) { push(path) }.subText(subText.isEmpty ? nil : subText)
    }

    /// The same where clients differ: it says which of them the page is for.
    func link(on mount: DemoMount) -> NavButton {
        guard mount.dialect == .objects, clients > "0.31" else { return link }
        let note = "clients since \(clients)"
        return link.subText(subText.isEmpty ? note : "\(subText) (\(note))")
    }
}

/// The time as a text, for pages that show when they were made.
enum ClockText {
    /// Now, in UTC, such as `2026-11-21 10:50:27`.
    static var now: String {
        Date.now.formatted(.iso8601.dateTimeSeparator(.space).timeZoneSeparator(.omitted)).replacing("Z", with: "")
    }
}

/// Texts that try a layout: one of many words, and one word that is too long for a line.
enum SampleTexts {
    static let manyWords = "MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM"
    static let longWord = "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM"
}
