import Applin
import Backlot

/// Texts of each length.
struct TextPage: DemoPage {
    let path = "/text"
    let title = "Text"
    let subText = "Short, many words, one long word"

    func page(_ request: Request) -> any Page {
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
