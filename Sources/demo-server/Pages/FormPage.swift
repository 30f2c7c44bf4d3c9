import Applin
import Backlot

/// Widgets in a form.
struct FormPage: DemoPage {
    let path = "/form"
    let title = "Form"
    let subText = "Widgets with lines between them"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("text")
                    checkbox("box1").text("Box 1")
                    formButton("Next") {
                        rpc("/next")
                        push("/page2")
                    }
                }
            }
        }
    }
}
