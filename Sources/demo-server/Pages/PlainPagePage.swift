import Applin
import Backlot

/// A page without a title bar; it polls every 30 seconds, and has a way back of its own.
enum PlainPagePage: DemoPage {
    static let path = "/plain_page"
    static let title = "Plain Page"

    static func page(_ request: Request) -> any Page {
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
