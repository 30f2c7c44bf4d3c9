import Applin
import Backlot

/// Ends a list of actions.
struct StopActionsPage: DemoPage {
    let path = "/stop_actions"
    let title = "Stop Actions"
    let subText = "The rest of the list doesn't run"
    let dialects = [Dialect.objects]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formButton("Calls an rpc and stays here") {
                        rpc("/ok")
                        stopActions()
                        pop()
                    }
                    formButton("Calls an rpc and leaves") {
                        rpc("/ok")
                        pop()
                    }
                }
            }
        }
    }
}
