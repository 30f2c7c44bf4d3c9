import Applin
import Backlot

/// A page without a title bar; it polls every 30 seconds, and has a way back of its own.
struct PlainPagePage: DemoPage {
    let path = "/plain_page"
    let title = "Plain Page"
    let subText = "No title bar; polls every 30 seconds"

    func page(_ request: Request) -> any Page {
        plainPage(title) {
            scroll {
                column {
                    text("text")
                    button("Back") { pop() }
                }
            }
        }
        .pollSeconds(30)
    }
}
