import Applin
import Backlot

/// A page that is taller than the screen.
enum ScrollPage: DemoPage {
    static let path = "/scroll"
    static let title = "Scroll"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    for number in 1...50 {
                        text("Line \(number)")
                    }
                }
            }
        }
    }
}
