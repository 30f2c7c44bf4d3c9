import Applin
import Backlot

/// A page that changes when it is refreshed by hand.
struct InertPage: DemoPage {
    let path = "/inert"
    let title = "Inert"
    let subText = "Refreshes only by hand"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This page updates when you load or refresh it (pull to refresh).")
                    text(ClockText.now)
                }
            }
        }
    }
}
