import Applin
import Backlot

/// Copies texts, plain and awkward ones.
struct ClipboardPage: DemoPage {
    let path = "/copy_to_clipboard"
    let title = "Clipboard"
    let subText = "Copies texts, awkward ones too"

    private static let texts = [
        ("A word", "Backlot"),
        ("With colons", "a:b:c"),
        ("Quotes and backslashes", #"She said "no" \ "yes""#),
        ("Two lines", "first\nsecond"),
        ("Letters of the world", "Grüße, 世界, 🎬"),
    ]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    for (name, content) in Self.texts {
                        formButton("Copy: \(name)") { copyToClipboard(content) }
                    }
                    textfield("clipboard_paste").label("Paste here").maxLines(3)
                }
            }
        }
    }
}
