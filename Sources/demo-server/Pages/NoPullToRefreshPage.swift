import Applin
import Backlot

/// A page that can't be refreshed by pulling it down.
struct NoPullToRefreshPage: DemoPage {
    let path = "/no_pull_to_refresh"
    let title = "No Pull to Refresh"
    let subText = "Pulling does nothing; a button polls"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text(ClockText.now)
                    formButton("Poll") { poll() }
                }
            }
            .pullToRefresh(false)
        }
    }
}
