import Applin
import Backlot

/// A back button that saves before it leaves.
enum EditNotePage: DemoPage {
    static let path = "/back_button"
    static let title = "Edit Note"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    textfield("note")
                }
            }
        }
        .start {
            backButton {
                rpc("/save_note")
                pop()
            }
        }
    }
}
