import Applin
import Backlot

/// A back button that saves before it leaves.
struct SavingBackButtonPage: DemoPage {
    let path = "/edit_note"
    let title = "Edit Note"
    let subText = "Saves by rpc, then leaves"

    func page(_ request: Request) -> any Page {
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

    func addTargets(to app: ApplinApp) {
        app.rpc("/save_note") { _ in }
    }
}
