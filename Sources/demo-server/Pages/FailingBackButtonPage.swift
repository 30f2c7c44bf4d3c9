import Applin
import Backlot

/// A back button whose rpc is refused: the client shows the error and stays, because a list of actions ends where one fails.
struct FailingBackButtonPage: DemoPage {
    let path = "/failing_back_button"
    let title = "Failing Back Button"
    let subText = "Its rpc is refused, so that the page stays"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text("The back button calls an rpc that answers 422: you see its text, and stay here.")
                    button("Leave") { pop() }
                }
            }
        }
        .start {
            backButton {
                rpc("/user_error")
                pop()
            }
        }
    }
}
