import Applin
import Backlot

/// A page that says nothing about its back button.
struct DefaultBackButtonPage: DemoPage {
    let path = "/default_back_button"
    let title = "Default Back Button"
    let subText = "The client's own, which pops the page"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text("The client's own back button pops this page. On iOS, swiping does too.")
                }
            }
        }
    }
}
