import Applin
import Backlot

/// Where New Account links to.
enum TermsPage: DemoPage {
    static let path = "/terms"
    static let title = "Terms"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This is a demo: nothing that you enter is kept.")
                }
            }
        }
    }
}
