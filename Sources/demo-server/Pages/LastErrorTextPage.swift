import Applin
import Backlot

/// What went wrong last, in the client's words.
struct LastErrorTextPage: DemoPage {
    let path = "/last_error_text"
    let title = "Last Error Text"
    let subText = "What went wrong last"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("The last error was:")
                    lastErrorText()
                }
            }
        }
    }
}
