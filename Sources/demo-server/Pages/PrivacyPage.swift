import Applin
import Backlot

/// Where New Account links to.
struct PrivacyPage: DemoPage {
    let path = "/privacy"
    let title = "Privacy"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This is a demo: nothing that you enter is kept.")
                }
            }
        }
    }
}
