import Applin
import Backlot

/// A page whose title bar has no back button.
enum RemovedBackButtonPage: DemoPage {
    static let path = "/removed_back_button"
    static let title = "Removed Back Button"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text("text")
                    button("Back") { pop() }
                }
            }
        }
        .start { empty() }
    }
}
