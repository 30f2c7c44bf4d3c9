import Applin
import Backlot

/// Fields to type into: what they allow, capitals, lines, and polling.
struct TextfieldPage: DemoPage {
    let path = "/textfield"
    let title = "Text Field"
    let subText = "Keyboards, capitals, lines, lengths, polling"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    textfield("field1").label("Field 1")
                    textfield("field2").label("Field 2").error("An error message.")
                    textfield("field3").label("Field 3").initialString("initial text")
                    textfield("mmmm").label("Field 4").initialString(Self.loremIpsum)
                    textfield("field4").label("F5").allow(.numbers)
                    textfield("field5").label("F6").allow(.ascii)
                    textfield("field6").label("F7").allow(.tel)
                    textfield("field7").label("F8").allow(.email)
                    textfield("field8").label("F9").autoCapitalize(.names)
                    textfield("field8_sentences").label("F10").autoCapitalize(.sentences)
                    textfield("field9").label("F11").maxLines(1)
                    textfield("field10").label("F12").maxLines(3)
                    textfield("field13").label("F13, 3 to 8 characters").minChars(3).maxChars(8)
                    textfield("field11").label("Polls page on change").pollDelayMs(0)
                    textfield("field12").label("Polls page after change and 1 second delay").pollDelayMs(1000)
                }
            }
        }
    }

    private static let loremIpsum = """
        Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore \
        magna aliqua.
        """
}
