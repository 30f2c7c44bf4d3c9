import Applin
import Backlot

/// A page whose back button can be seen and not be tapped.
struct DisabledBackButtonPage: DemoPage {
    let path = "/disabled_back_button"
    let title = "Disabled Back Button"
    let subText = "It shows and does nothing"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text("text")
                    button("Back") { pop() }
                }
            }
        }
        .start { backButton {} }
    }
}
