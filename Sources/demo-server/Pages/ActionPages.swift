import Applin
import Backlot

extension DemoSection {
    /// Actions, one by one and in lists.
    static let actions = DemoSection("Actions") {
        DemoPage("/actions", "Actions", "The documented ones, a button for each") {
            formButton("launch_url", launchURL("https://www.example.com/support"))
            formButton("poll", poll())
            formButton("pop", pop())
            formButton("push", push("/page2"))
            formButton("replace_all", replaceAll("/"))
            formButton("rpc", rpc("/ok"))
            formButton("rpc, on_user_error_poll") {
                rpc("/ok")
                onUserErrorPoll()
            }
        }
        // Client 0.31 opens no URL outside of the app.
        .clients("0.32")

        // Lists of actions that stop early, since one of them fails.
        DemoPage("/failing_actions", "Failing Actions", "The rest of the list doesn't run") {
            text("Each button would leave this page, if its rpc did not fail.")
            text("This page was made at \(ClockText.now).")
            formButton("422, a text for the user", rpc("/user_error"), pop())
            formButton("422, and the page is polled first", rpc("/user_error", onUserErrorPoll: true), pop())
            formButton("500", rpc("/server_error"), pop())
            checkbox("Goes back to what it was", varName: "failing_box").actions { rpc("/user_error") }
        }

        DemoPage("/copy_to_clipboard", "Clipboard", "Copies texts, awkward ones too") {
            for (name, content) in clipboardTexts {
                formButton("Copy: \(name)", copyToClipboard(content))
            }
            textfield("Paste here", varName: "clipboard_paste").maxLines(3)
        }

        DemoPage("/modal", "Modal", "Questions, with actions for each answer") {
            formButton("Say something") {
                modal("Hello!") { modalButton("OK") {} }
            }
            formButton("Ask, with a message") {
                modal("Go to page two?") {
                    modalButton("Go", push("/page2"))
                    modalButton("Cancel") {}
                }
                .message("The page is small, and says only its name.")
            }
            formButton("Ask before something is destroyed") {
                modal("Delete everything?") {
                    modalButton("Delete", rpc("/ok")).destructive()
                    modalButton("Cancel") {}
                }
            }
            formButton("An answer with a failing rpc") {
                modal("Try it?") {
                    modalButton("Try", rpc("/user_error"))
                    modalButton("Cancel") {}
                }
            }
            formButton("One modal after the other") {
                modal("First") {
                    modalButton("Second") {
                        modal("Second") { modalButton("Done") {} }
                    }
                }
            }
        }
        .only(.objects)

        DemoPage("/stop_actions", "Stop Actions", "The rest of the list doesn't run") {
            formButton("Calls an rpc and stays here") {
                rpc("/ok")
                stopActions()
                pop()
            }
            formButton("Calls an rpc and leaves", rpc("/ok"), pop())
        }
        .clients("0.35").only(.objects)
    }

    private static let clipboardTexts: KeyValuePairs = [
        "A word": "Backlot",
        "With colons": "a:b:c",
        "Quotes and backslashes": #"She said "no" \ "yes""#,
        "Two lines": "first\nsecond",
        "Letters of the world": "Grüße, 世界, 🎬",
    ]
}
