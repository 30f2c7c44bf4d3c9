import Applin
import Backlot

/// A page that refreshes itself every 2 seconds.
enum PolledPage: DemoPage {
    static let path = "/polled"
    static let title = "Polled"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This page updates automatically every 2 seconds.")
                    text(ClockText.now)
                }
            }
        }
        .pollSeconds(2)
    }
}
