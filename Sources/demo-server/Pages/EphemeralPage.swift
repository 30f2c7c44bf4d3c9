import Applin
import Backlot

/// A page that a client which starts again does not come back to.
struct EphemeralPage: DemoPage {
    let path = "/ephemeral"
    let title = "Ephemeral"
    let subText = "Not restored when the app starts again"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("End the app and start it again: it comes back to the page below this one.")
                }
            }
        }
        .ephemeral()
    }
}
