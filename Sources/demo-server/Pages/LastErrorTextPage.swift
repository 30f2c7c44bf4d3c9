import Applin
import Backlot

/// What went wrong last, in the client's words.
enum LastErrorTextPage: DemoPage {
    static let path = "/last_error_text"
    static let title = "Last Error Text"

    static func page(_ request: Request) -> any Page {
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
