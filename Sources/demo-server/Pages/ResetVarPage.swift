import Applin
import Backlot

/// Makes variables unset, so that inputs show their initial values again.
struct ResetVarPage: DemoPage {
    let path = "/reset_var"
    let title = "Reset Variables"
    let subText = "Inputs show their initial values again"
    let dialects = [Dialect.objects]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    textfield("reset_text").label("Text").initialString("initial text")
                    checkbox("reset_box").text("Box").initialBool(true)
                    selector("reset_choice", options: ["one", "two"], initialString: "two").label("Choice")
                    formButton("Reset the text") { resetVar("reset_text") }
                    formButton("Reset all") {
                        resetVar("reset_text")
                        resetVar("reset_box")
                        resetVar("reset_choice")
                    }
                }
            }
        }
    }
}
