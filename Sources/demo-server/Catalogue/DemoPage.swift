import Applin
import Backlot

/// One page of the demo, with the rpcs, uploads and routes that only this page calls.
struct DemoPage: Sendable {
    /// The layout of the page's widgets.
    enum Layout { case form, column }

    /// The page's path. With a parameter, as in `/notes/{id}`, the page stands for many.
    let path: String
    /// The page's title, which is also the text of the button that leads to it.
    let title: String
    /// The text below the title on that button: a summary in a few words. Pages that only one other page links to need no text.
    let subText: String
    /// The dialects that support the page; other dialects don't have it.
    private(set) var dialects = Dialect.allCases
    /// The oldest client that shows the whole page, if actions are objects. Older clients refuse the page, or leave out its subject.
    private(set) var clients: ClientVersion = "0.31"
    /// Sample requests for checks, when the page needs a log-in or its path has a parameter.
    private(set) var samples: [CheckSample] = []
    /// The reason why the page breaks rules on purpose; nil for a correct page. Checks leave out such a page.
    private(set) var misbehaviour: String?
    /// Whether the home page leads to this page.
    private(set) var isListed = true
    private let addPage: @Sendable (DemoPage, ApplinApp) -> Void
    private var addTargets: @Sendable (ApplinApp) -> Void = { _ in }
    private var addRoutes: @Sendable (any Routes) -> Void = { _ in }

    private init(
        _ path: String,
        _ title: String,
        _ subText: String,
        add: @escaping @Sendable (DemoPage, ApplinApp) -> Void
    ) {
        (self.path, self.title, self.subText, addPage) = (path, title, subText, add)
    }

    /// Creates a page with constant widgets.
    init(
        _ path: String,
        _ title: String,
        _ subText: String = "",
        in layout: Layout = .form,
        @WidgetListBuilder _ widgets: @escaping @Sendable () -> [any Widget]
    ) {
        self = .made(path, title, subText) { _ in
            layout == .form ? formPage(title, widgets) : listPage(title, widgets)
        }
    }

    /// A page that is made without waiting.
    static func made(
        _ path: String,
        _ title: String,
        _ subText: String = "",
        _ make: @escaping @Sendable (Request) -> any Page
    ) -> DemoPage {
        DemoPage(path, title, subText) { page, app in
            app.page(path, samples: page.samples, unchecked: page.misbehaviour) { make($0) }
        }
    }

    /// A page that shows values of the session.
    static func ofSession(
        _ path: String,
        _ title: String,
        _ subText: String,
        _ make: @escaping @Sendable (Session) throws -> any Page
    ) -> DemoPage {
        DemoPage(path, title, subText) { page, app in
            app.page(path, samples: page.samples, unchecked: page.misbehaviour) { try make($1) }
        }
    }

    /// A page that shows the variables that clients send when they refresh it; nil when a client loads it.
    static func refreshed(
        _ path: String,
        _ title: String,
        _ subText: String = "",
        _ make: @escaping @Sendable (Variables?) throws -> any Page
    ) -> DemoPage {
        DemoPage(path, title, subText) { page, app in
            let read: @Sendable (Request) async throws -> Variables = { try await $0.variables() }
            app.page(path, samples: page.samples, unchecked: page.misbehaviour, reading: read) { sent, _ in
                try make(sent)
            }
        }
    }

    /// A page with a form, and messages at its fields.
    static func checked<Input>(
        _ path: String,
        _ title: String,
        _ subText: String = "",
        _ check: FormValidator<Input>,
        _ make: @escaping @Sendable (FormFields<Input>) -> any Page
    ) -> DemoPage {
        DemoPage(path, title, subText) { page, app in
            app.page(path, check: check, samples: page.samples, unchecked: page.misbehaviour) { form, _ in make(form) }
        }
    }

    /// A page that waits for the demo's stores, which all requests share.
    static func waiting(
        _ path: String,
        _ title: String,
        _ subText: String = "",
        _ make: @escaping @Sendable (Request) async throws -> any Page
    ) -> DemoPage {
        DemoPage(path, title, subText) { page, app in
            app.page(path, samples: page.samples, unchecked: page.misbehaviour) { try await make($0) }
        }
    }

    private func with<Value>(_ key: WritableKeyPath<DemoPage, Value>, _ value: Value) -> DemoPage {
        var page = self
        page[keyPath: key] = value
        return page
    }

    func only(_ dialect: Dialect) -> DemoPage { with(\.dialects, [dialect]) }

    func clients(_ oldest: ClientVersion) -> DemoPage { with(\.clients, oldest) }

    func samples(_ samples: CheckSample...) -> DemoPage { with(\.samples, samples) }

    /// Leaves the page out of checks.
    func misbehaves(_ reason: String) -> DemoPage { with(\.misbehaviour, reason) }

    /// Leaves the page out of the home page: other pages link to it.
    func unlisted() -> DemoPage { with(\.isListed, false) }

    /// Adds rpcs, uploads, and pages with a parameter in their path.
    func targets(_ add: @escaping @Sendable (ApplinApp) -> Void) -> DemoPage { with(\.addTargets, add) }

    /// Adds other routes: pictures, and responses that break rules.
    func routes(_ add: @escaping @Sendable (any Routes) -> Void) -> DemoPage { with(\.addRoutes, add) }

    func register(on app: ApplinApp) {
        addPage(self, app)
        addTargets(app)
    }

    func register(on routes: any Routes) { addRoutes(routes) }

    /// The button that links to the page.
    var link: NavButton {
        navButton(title, push(path)).subText(subText.isEmpty ? nil : subText)
    }

    /// The button, with the clients that the page is for if they differ.
    func link(on mount: DemoMount) -> NavButton {
        guard mount.dialect == .objects, clients > "0.31" else { return link }
        let note = "clients since \(clients)"
        return link.subText(subText.isEmpty ? note : "\(subText) (\(note))")
    }
}

/// Lists pages one after the other.
@resultBuilder enum DemoPageBuilder {
    static func buildExpression(_ page: DemoPage) -> [DemoPage] { [page] }
    static func buildExpression(_ pages: [DemoPage]) -> [DemoPage] { pages }
    static func buildBlock(_ pages: [DemoPage]...) -> [DemoPage] { pages.flatMap(\.self) }
}

/// The time as a text, for pages that show their time of creation.
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

extension String {
    /// Whether the text consists of blanks only.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
