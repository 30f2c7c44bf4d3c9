import Applin
import Backlot

/// A page with nothing on it.
enum EmptyPage: DemoPage {
    static let path = "/empty"
    static let title = "Empty Page"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            empty()
        }
    }
}
