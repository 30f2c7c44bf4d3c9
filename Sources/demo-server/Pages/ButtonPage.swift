import Applin
import Backlot

/// Buttons: one of each length, and a disabled one.
struct ButtonPage: DemoPage {
    let path = "/button"
    let title = "Button"
    let subText = "Short, long, disabled"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    button("Button") {
                        rpc("/add_item")
                        pop()
                    }
                    button(SampleTexts.manyWords) {
                        rpc("/add_item")
                        pop()
                    }
                    button(SampleTexts.longWord) {
                        rpc("/add_item")
                        pop()
                    }
                    button("Disabled Button") {}
                }
            }
        }
    }
}
