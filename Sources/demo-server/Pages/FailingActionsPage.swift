import Applin
import Backlot

/// Lists of actions that end early, because one of them fails.
struct FailingActionsPage: DemoPage {
    let path = "/failing_actions"
    let title = "Failing Actions"
    let subText = "The rest of the list doesn't run"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("Each button would leave this page, if its rpc did not fail.")
                    text("This page was made at \(ClockText.now).")
                    formButton("422, a text for the user") {
                        rpc("/user_error")
                        pop()
                    }
                    formButton("422, and the page is polled first") {
                        rpc("/user_error", onUserErrorPoll: true)
                        pop()
                    }
                    formButton("500") {
                        rpc("/server_error")
                        pop()
                    }
                    checkbox("failing_box").text("Goes back to what it was").actions { rpc("/user_error") }
                }
            }
        }
    }
}
