import Applin
import Backlot

/// A button for each action.
struct ActionsPage: DemoPage {
    let path = "/actions"
    let title = "Actions"
    let subText = "The documented ones, a button for each"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formButton("launch_url") { launchUrl("https://www.example.com/support") }
                    formButton("poll") { poll() }
                    formButton("pop") { pop() }
                    formButton("push") { push("/page2") }
                    formButton("replace_all") { replaceAll("/") }
                    formButton("rpc") { rpc("/ok") }
                    formButton("rpc, on_user_error_poll") {
                        rpc("/ok")
                        onUserErrorPoll()
                    }
                }
            }
        }
    }
}
