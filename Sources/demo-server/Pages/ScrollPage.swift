import Applin
import Backlot

/// A page that is taller than the screen.
struct ScrollPage: DemoPage {
    let path = "/scroll"
    let title = "Scroll"
    let subText = "Taller than the screen"

    func page(_ request: Request) -> any Page {
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
