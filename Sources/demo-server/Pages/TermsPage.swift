import Applin
import Backlot

/// Where New Account links to.
struct TermsPage: DemoPage {
    let path = "/terms"
    let title = "Terms"

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
