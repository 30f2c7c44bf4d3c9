import Applin
import Backlot

/// Groups of widgets, each under a title.
struct FormSectionPage: DemoPage {
    let path = "/form_section"
    let title = "Form Section"
    let subText = "Groups under a title"

    func page(_ request: Request) -> any Page {
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
