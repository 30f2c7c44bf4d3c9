import Applin
import Backlot

/// Where New Account links to.
enum PrivacyPage: DemoPage {
    static let path = "/privacy"
    static let title = "Privacy"

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
