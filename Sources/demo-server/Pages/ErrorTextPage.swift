import Applin
import Backlot

/// Messages with a warning sign.
struct ErrorTextPage: DemoPage {
    let path = "/error_text"
    let title = "Error Text"
    let subText = "Messages with a warning sign"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    errorText("Error Message")
                    errorText(SampleTexts.manyWords)
                    errorText(SampleTexts.longWord)
                }
            }
        }
    }
}
