import Applin
import Backlot
import Floki

/// The demo's pages in one dialect.
struct DemoCatalogue: Sendable {
    /// The mounted app that shows the pages.
    let mount: DemoMount
    /// The sections of the home page, with the pages that the dialect supports. The most popular ones come first.
    let sections: [DemoSection]
    private let sessions: any SessionStore

    init(mount: DemoMount, stores: DemoStores) {
        self.mount = mount
        sessions = stores.sessions
        let notes = NotesApp(mount: mount, notes: stores.notes, accounts: stores.accounts)
        let sections: [DemoSection] = [
            .start(notes), .pages, .layout, .buttons(stores.switches), .inputs, .actions,
            .photos(mount, stores.photos), .sessions(mount, stores.sessions), .errors(mount, stores.polls),
        ]
        self.sections = sections.map { $0.speaking(mount.dialect) }
    }

    /// Every page. A page with a parameter in its path stands for many.
    var pages: [DemoPage] { sections.flatMap(\.pages) + [home] + sections.flatMap(\.furtherPages) }

    /// The first page: it links to all others of its mount.
    private var home: DemoPage {
        let text =
            mount.dialect == .documented
            ? "Actions are strings here, as documented: for clients up to 0.30."
            : "Actions are objects here: for clients since 0.31. Pages for later clients say so."
        return .made("/", "Backlot Demo") { [mount, sections] _ in
            listPage("Backlot Demo", poll: .seconds(30)) {
                Applin.text(text)
                for section in sections {
                    formSection(section.title) {
                        for page in section.pages { page.link(on: mount) }
                    }
                }
            }
        }
    }

    /// Adds all routes of the demo: Applin in both dialects, Xpedite, Floki, Dynamic Views and A2UI.
    static func register(on router: Router, stores: DemoStores = DemoStores()) {
        for mount in DemoMount.all { DemoCatalogue(mount: mount, stores: stores).register(on: router) }
        CustomerApp(customers: stores.customers).register(on: router, sessions: stores.sessions)
        stores.newspaper.register(on: router, record: stores.flokiRecord)
        EditorsApp(app: stores.newspaper, access: stores.desk).register(on: router, sessions: stores.sessions)
        ShopApp().register(on: router, sessions: stores.sessions)
        AssistantApp().register(on: router, sessions: stores.sessions)
    }

    private func register(on router: Router) {
        let pages = pages
        router.applin(mount.path, dialect: mount.dialect, sessions: sessions) { app in
            for page in pages { page.register(on: app) }
            Self.addSharedTargets(to: app)
            Misbehaviour.register(on: app)
        }
        router.group(mount.path, SessionMiddleware(path: mount.path, store: sessions)) { routes in
            for page in pages { page.register(on: routes) }
        }
    }

    private struct NewAccount: Decodable {
        var username: String
        var agree: Bool
    }

    /// The pages that the documentation's examples push without describing them.
    private static let plainPages: KeyValuePairs = [
        "/page2": "Page Two", "/p1": "Page 1", "/p2": "Page 2", "/p3": "Page 3", "/p4": "Page 4", "/p5": "Page 5",
        "/p6": "Page 6", "/mmmm_mmmm": "MMMM MMMM", "/mmmmmmmm": "MMMMMMMM",
    ]

    /// Adds the rpcs that several pages call, and the pages that several push.
    private static func addSharedTargets(to app: ApplinApp) {
        for (path, title) in plainPages {
            let page = formPage(title) { text("This is \(path).") }
            app.page(path) { _ in page }
        }
        for path in ["/add_item", "/next", "/ok"] { app.rpc(path) { _ in } }
        app.rpc("/user_error") { _ in throw UserError("This rpc always refuses: its response is 422, with this text.") }
        app.rpc("/server_error") { _ in
            throw StatusError(.internalServerError, "This rpc always fails: its response is 500, with this text.")
        }
        app.rpc("/create_account", NewAccount.self) { account, _ in
            guard !account.username.isBlank else { throw UserError("Please enter a username.") }
            guard account.agree else { throw UserError("Please agree to the terms.") }
        }
    }
}

/// A part of the home page. Each is made in a file of `Pages`.
struct DemoSection: Sendable {
    /// The heading above the part's buttons.
    let title: String
    /// The pages that the section leads to.
    private(set) var pages: [DemoPage]
    /// The pages that other pages lead to.
    private(set) var furtherPages: [DemoPage]

    init(_ title: String, @DemoPageBuilder _ pages: () -> [DemoPage]) {
        let all = pages()
        self.title = title
        self.pages = all.filter(\.isListed)
        furtherPages = all.filter { !$0.isListed }
    }

    /// The section with only the pages that a dialect supports.
    fileprivate func speaking(_ dialect: Dialect) -> DemoSection {
        var section = self
        section.pages = pages.filter { $0.dialects.contains(dialect) }
        section.furtherPages = furtherPages.filter { $0.dialects.contains(dialect) }
        return section
    }
}

/// One of the apps that the demo is mounted as: the same catalogue, in a dialect.
struct DemoMount: Sendable, Equatable {
    /// The dialect of the documentation.
    static let documented = DemoMount(path: "/", dialect: .documented)
    /// The dialect of current clients.
    static let objects = DemoMount(path: "/objects/", dialect: .objects)
    /// Every app that is mounted.
    static let all = [documented, objects]

    /// The path of the base URL; it begins and ends with a slash.
    let path: String
    /// The form of actions that the app's clients read.
    let dialect: Dialect

    /// A description for the start-up lines.
    var description: String {
        dialect == .documented ? "documented dialect" : "objects dialect, clients since 0.31"
    }

    /// The path of something in the app, from the host's root. Clients resolve the URLs of pictures against the root, but the URLs
    /// of pages and rpcs against the base URL.
    func url(_ path: String) -> String { self.path + path.dropFirst() }
}

/// The demo's data in memory. All mounts share them.
struct DemoStores: Sendable {
    /// The pictures that were sent.
    var photos = PhotoAlbum()
    /// The notes app's notes.
    var notes = NoteStore()
    /// The notes app's users.
    var accounts = AccountStore()
    /// The number of times that a page has been polled.
    var polls = PollCounter()
    /// The values of the checkbox buttons.
    var switches = Switches()
    /// The Xpedite app's customers.
    var customers = CustomerStore()
    /// The Floki app, with its stories and pictures.
    var newspaper = NewspaperApp(store: NewspaperStock.memoryStore())
    /// The access to the editors' pages; closed by default.
    var desk = EditorAccess()
    /// The file that keeps the Floki app's version; nil for the store of its feeds.
    var flokiRecord: RecordFile?
    /// The sessions; each belongs to one mount.
    var sessions: any SessionStore = MemorySessionStore()
}
