import Applin
import Backlot

/// A page with nothing on it.
struct EmptyPage: DemoPage {
    let path = "/empty"
    let title = "Empty Page"
    let subText = "Nothing at all"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            empty()
        }
    }
}
