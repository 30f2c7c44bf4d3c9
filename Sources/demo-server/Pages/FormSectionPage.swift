import Applin
import Backlot

/// Groups of widgets, each under a title.
enum FormSectionPage: DemoPage {
    static let path = "/form_section"
    static let title = "Form Section"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    formSection("Section 1") {
                        text("text")
                        text("text")
                    }
                    formSection("Section 2") {
                        text("text")
                        text("text")
                    }
                }
            }
        }
    }
}
