import Applin
import Backlot

/// Buttons in a form: one of each length, a disabled one, and each alignment.
struct FormButtonPage: DemoPage {
    let path = "/form_button"
    let title = "Form Button"
    let subText = "Lengths and alignments"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formButton("Button") {
                        rpc("/add_item")
                        pop()
                    }
                    formButton(SampleTexts.manyWords) {
                        rpc("/add_item")
                        pop()
                    }
                    formButton(SampleTexts.longWord) {
                        rpc("/add_item")
                        pop()
                    }
                    formButton("Disabled") {}
                    formButton("Start Aligned") {
                        rpc("/add_item")
                        pop()
                    }
                    .align(.start)
                    formButton("Center Aligned") {
                        rpc("/add_item")
                        pop()
                    }
                    .align(.center)
                    formButton("End Aligned") {
                        rpc("/add_item")
                        pop()
                    }
                    .align(.end)
                }
            }
        }
    }
}
