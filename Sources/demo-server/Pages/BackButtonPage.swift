import Applin
import Backlot

/// Leads to a page for each kind of back button.
struct BackButtonPage: DemoPage {
    let path = "/back_button"
    let title = "Back Button"
    let subText = "Default, disabled, removed, saving, failing"

    /// A page for each kind.
    let variants: [any DemoPage] = [
        DefaultBackButtonPage(), DisabledBackButtonPage(), RemovedBackButtonPage(), SavingBackButtonPage(),
        FailingBackButtonPage(),
    ]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    for page in variants {
                        page.link
                    }
                }
            }
        }
    }
}
