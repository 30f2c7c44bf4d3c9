import Applin
import Backlot

/// Widgets in a form.
enum FormPage: DemoPage {
    static let path = "/form"
    static let title = "Form"

    static func page(_ request: Request) -> any Page {
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
