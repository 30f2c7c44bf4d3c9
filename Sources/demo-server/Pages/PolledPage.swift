import Applin
import Backlot

/// A page that refreshes itself every 2 seconds.
struct PolledPage: DemoPage {
    let path = "/polled"
    let title = "Polled"
    let subText = "Refreshes itself every 2 seconds"

    func page(_ request: Request) -> any Page {
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
