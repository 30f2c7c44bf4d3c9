import Applin
import Backlot

/// A page whose title bar has no back button.
struct RemovedBackButtonPage: DemoPage {
    let path = "/removed_back_button"
    let title = "Removed Back Button"
    let subText = "There is none"

    func page(_ request: Request) -> any Page {
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
