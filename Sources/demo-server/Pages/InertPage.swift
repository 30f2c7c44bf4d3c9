import Applin
import Backlot

/// A page that changes when it is refreshed by hand.
enum InertPage: DemoPage {
    static let path = "/inert"
    static let title = "Inert"

    static func page(_ request: Request) -> any Page {
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
