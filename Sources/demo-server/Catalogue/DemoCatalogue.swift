import Applin
import Backlot

/// All that the demo serves in one dialect.
struct DemoCatalogue: Sendable {
    /// The app that it is mounted as.
    let mount: DemoMount
    /// The pages that the home page links to, in its sections: those that the dialect can say.
    let sections: [DemoSection]
    /// The pages that only other pages lead to.
    let furtherPages: [any DemoPage]
    private let sessions: any SessionStore

    init(mount: DemoMount, stores: DemoStores) {
        self.mount = mount
        sessions = stores.sessions
        let notes = NotesApp(mount: mount, notes: stores.notes, accounts: stores.accounts)
        let backButton = BackButtonPage()
        let sections = Self.sections(mount: mount, stores: stores, backButton: backButton, notes: notes)
            .map { DemoSection(title: $0.title, pages: $0.pages.filter { $0.dialects.contains(mount.dialect) }) }
            .filter { !$0.pages.isEmpty }
        self.sections = sections
        let linked: [any DemoPage] = [
            HomePage(mount: mount, sections: sections), TermsPage(), PrivacyPage(), SharedVariablePage(),
        ]
        furtherPages = linked + backButton.variants + notes.furtherPages
    }

    /// Every page. One with a parameter in its path stands for many.
    var pages: [any DemoPage] { sections.flatMap(\.pages) + furtherPages }

    /// The routes that do what a backend should not do, by their paths below the base URL, each with the reason. Checks of
    /// the demo leave them out.
    var misbehaviours: [String: String] {
        pages.reduce(into: [:]) { all, page in
            all[page.path] = page.misbehaviour
            all.merge(page.misbehavingTargets) { first, _ in first }
        }
    }

    /// Adds all routes of the demo: Applin in both dialects, Xpedite, Floki and Dynamic Views.
    static func register(on router: Router, stores: DemoStores = DemoStores()) {
        for mount in DemoMount.all { DemoCatalogue(mount: mount, stores: stores).register(on: router) }
        CustomerApp(customers: stores.customers).register(on: router, sessions: stores.sessions)
        stores.gazette.register(on: router, record: stores.flokiRecord)
        Newsroom(app: stores.gazette, access: stores.desk).register(on: router, sessions: stores.sessions)
        ShopApp().register(on: router, sessions: stores.sessions)
    }

    private func register(on router: Router) {
        router.applin(mount.path, dialect: mount.dialect, sessions: sessions) { app in
            for page in pages {
                page.add(to: app)
                page.addTargets(to: app)
            }
            PlainTargets.register(on: app)
            DemoRPCs.register(on: app)
            Misbehaviour.register(on: app)
        }
        router.group(mount.path, SessionMiddleware(path: mount.path, store: sessions)) { routes in
            for page in pages { page.addRoutes(to: routes) }
        }
    }
}

extension DemoCatalogue {
    /// The parts of the home page, whatever the dialect: what people look for first comes first.
    static func sections(
        mount: DemoMount,
        stores: DemoStores,
        backButton: BackButtonPage,
        notes: NotesApp
    ) -> [DemoSection] {
        [
            DemoSection(
                title: "Start here",
                pages: [NewAccountPage(), SignUpPage(), notes.listPage, MockRoutesPage()]
            ),
            DemoSection(
                title: "Pages",
                pages: [
                    NavPagePage(), PlainPagePage(), backButton, InertPage(), PolledPage(), EphemeralPage(),
                    PageStackPage(),
                ]
            ),
            DemoSection(
                title: "Texts and layout",
                pages: [
                    TextPage(), ErrorTextPage(), LastErrorTextPage(), ImagePage(), ColumnPage(), FormPage(),
                    FormSectionPage(), GroupedRowTablePage(), TablePage(), ScrollPage(), NoPullToRefreshPage(),
                    EmptyPage(),
                ]
            ),
            DemoSection(
                title: "Buttons",
                pages: [
                    ButtonPage(), FormButtonPage(), NavButtonPage(), CheckboxButtonPage(switches: stores.switches),
                ]
            ),
            DemoSection(
                title: "Inputs and variables",
                pages: [
                    TextfieldPage(), CheckboxPage(), SelectorPage(), SearchPage(), ValidatedPage(), VariablesPage(),
                    NestedVariablesPage(), ResetVarPage(),
                ]
            ),
            DemoSection(
                title: "Actions",
                pages: [ActionsPage(), FailingActionsPage(), ClipboardPage(), ModalPage(), StopActionsPage()]
            ),
            DemoSection(title: "Photos", pages: [PhotosPage(mount: mount, album: stores.photos)]),
            DemoSection(
                title: "Sessions",
                pages: [
                    LogInPage(), MembersPage(), CounterPage(),
                    ExpiredSessionPage(mount: mount, sessions: stores.sessions),
                ]
            ),
            DemoSection(
                title: "Errors",
                pages: [
                    StatusPage(mount: mount), SlowPage(), FailingPollPage(counter: stores.polls), LongErrorPage(),
                    BrokenAnswersPage(),
                ]
            ),
        ]
    }
}
