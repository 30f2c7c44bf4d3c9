import Applin
import Backlot

/// Checkboxes: set at first, with actions, and polling.
struct CheckboxPage: DemoPage {
    let path = "/checkbox"
    let title = "Checkbox"
    let subText = "Initial value, actions, polling"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    checkbox("option_1").text("Option 1")
                    checkbox("option_2").text("Option 2").initialBool(true)
                    checkbox("option_3").text("Option 3").actions { rpc("/ok") }
                    checkbox("no_label").text("")
                    checkbox("many_words").text(SampleTexts.manyWords)
                    checkbox("long_word").text(SampleTexts.longWord)
                    checkbox("poll").text("Polls page").actions { poll() }
                    checkbox("poll_delay").text("Polls page after 1 second delay").pollDelayMs(1000)
                }
            }
        }
    }
}
