import Applin
import Backlot

/// Messages with a warning sign.
enum ErrorTextPage: DemoPage {
    static let path = "/error_text"
    static let title = "Error Text"

    static func page(_ request: Request) -> any Page {
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
