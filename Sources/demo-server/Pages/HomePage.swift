import Applin
import Backlot

/// The first page: it links to all others of its mount.
struct HomePage: DemoPage {
    let path = "/"
    let title = "Backlot Demo"
    let mount: DemoMount
    let sections: [DemoSection]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text(dialectText)
                    for section in sections {
                        formSection(section.title) {
                            for page in section.pages { page.link }
                        }
                    }
                }
            }
        }
        .pollSeconds(30)
    }

    private var dialectText: String {
        switch mount.dialect {
        case .documented: "Actions are strings here, as documented: for clients up to 0.30."
        case .objects: "Actions are objects here: for clients since 0.31."
        }
    }
}
