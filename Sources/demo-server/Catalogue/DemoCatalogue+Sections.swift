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
