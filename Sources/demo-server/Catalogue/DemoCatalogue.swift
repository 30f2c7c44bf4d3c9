import Applin
import Backlot

/// All that the demo serves.
enum DemoCatalogue {
    /// The pages that the home page links to, in its sections.
    static let sections: [(title: String, pages: [any DemoPage.Type])] = [
        ("Example", [NewAccountPage.self]),
        (
            "Pages",
            [
                NavPagePage.self, PlainPagePage.self, RemovedBackButtonPage.self, DisabledBackButtonPage.self,
                EditNotePage.self, InertPage.self, PolledPage.self,
            ]
        ),
        (
            "Widgets",
            [
                ButtonPage.self, CheckboxPage.self, ColumnPage.self, EmptyPage.self, ErrorTextPage.self,
                FormPage.self, FormButtonPage.self, FormSectionPage.self, GroupedRowTablePage.self, ImagePage.self,
                LastErrorTextPage.self, NavButtonPage.self, ScrollPage.self, TextPage.self, TextfieldPage.self,
            ]
        ),
        ("Actions", [ActionsPage.self]),
    ]

    /// The pages that only other pages lead to.
    private static let targets: [any DemoPage.Type] = [TermsPage.self, PrivacyPage.self]

    /// Adds all routes of the demo.
    static func register(on router: Router) {
        router.get("/healthz") { _ in .text("success") }
        router.applin("/") { app in
            add(HomePage.self, to: app)
            for section in sections {
                for page in section.pages { add(page, to: app) }
            }
            for page in targets { add(page, to: app) }
            PlainTargets.register(on: app)
            DemoRPCs.register(on: app)
        }
    }

    private static func add(_ page: any DemoPage.Type, to app: ApplinApp) {
        app.page(page.path) { try await page.page($0) }
    }
}
