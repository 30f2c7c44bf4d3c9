import Applin
import Backlot

/// A page with a title bar and a back button.
enum NavPagePage: DemoPage {
    static let path = "/nav_page"
    static let title = "Nav Page"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("text")
                }
            }
        }
    }
}
