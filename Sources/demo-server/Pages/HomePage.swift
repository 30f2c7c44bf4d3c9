import Applin
import Backlot

/// The first page: it links to all others.
enum HomePage: DemoPage {
    static let path = "/"
    static let title = "Backlot Demo"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    for section in DemoCatalogue.sections {
                        formSection(section.title) {
                            for page in section.pages {
                                navButton(page.title) { push(page.path) }
                            }
                        }
                    }
                }
            }
        }
        .pollSeconds(30)
    }
}
