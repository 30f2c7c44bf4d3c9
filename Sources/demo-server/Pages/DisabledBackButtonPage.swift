import Applin
import Backlot

/// A page whose back button can be seen and not be tapped.
enum DisabledBackButtonPage: DemoPage {
    static let path = "/disabled_back_button"
    static let title = "Disabled Back Button"

    static func page(_ request: Request) -> any Page {
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
