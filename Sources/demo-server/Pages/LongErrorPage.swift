import Applin
import Backlot

/// Texts of errors that try the client's error page.
struct LongErrorPage: DemoPage {
    let path = "/long_error"
    let title = "Error Texts"
    let subText = "Long, of many lines, none at all"

    private static let texts = [
        ("long", String(repeating: "This text is as long as clients show it. ", count: 24)),
        ("lines", (1...20).map { "Line \($0)" }.joined(separator: "\n")),
        ("word", SampleTexts.longWord),
        ("letters", "Grüße, 世界, 🎬: this text is UTF-8."),
        ("none", ""),
    ]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    for (name, _) in Self.texts {
                        formButton("422: \(name)") { rpc("/long_error/\(name)") }
                    }
                    navButton("What the last error was") { push("/last_error_text") }
                    errorText("The last error in an error text: ${INTERACTIVE_ERROR_DETAILS}")
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        for (name, text) in Self.texts {
            app.rpc("/long_error/\(name)") { _ in throw UserError(text) }
        }
    }
}
