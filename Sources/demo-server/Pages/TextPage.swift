import Applin
import Backlot

/// Texts of each length.
enum TextPage: DemoPage {
    static let path = "/text"
    static let title = "Text"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("Hello world!")
                    text(SampleTexts.manyWords)
                    text(SampleTexts.longWord)
                }
            }
        }
    }
}
