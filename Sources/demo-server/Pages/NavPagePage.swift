import Applin
import Backlot

/// A page with a title bar and a back button.
struct NavPagePage: DemoPage {
    let path = "/nav_page"
    let title = "Nav Page"
    let subText = "A title bar and the default back button"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("text")
                }
            }
        }
    }
}
