import Applin
import Backlot

/// A button for each action.
struct ActionsPage: ReadyPage {
    let path = "/actions"
    let title = "Actions"
    let subText = "The documented ones, a button for each"
    // Client 0.31 opens no URL outside of the app.
    let clients: ClientVersion = "0.32"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formButton("launch_url") { launchUrl("https://www.example.com/support") }
                    formButton("poll") { poll() }
                    formButton("pop") { pop() }
                    formButton("push") { push("/page2") }
                    formButton("replace_all") { replaceAll("/") }
                    formButton("rpc") { rpc("/ok") }
                    formButton("rpc, on_user_error_poll") {
                        rpc("/ok")
                        onUserErrorPoll()
                    }
                }
            }
        }
    }
}

/// Lists of actions that end early, because one of them fails.
struct FailingActionsPage: ReadyPage {
    let path = "/failing_actions"
    let title = "Failing Actions"
    let subText = "The rest of the list doesn't run"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("Each button would leave this page, if its rpc did not fail.")
                    text("This page was made at \(ClockText.now).")
                    formButton("422, a text for the user") {
                        rpc("/user_error")
                        pop()
                    }
                    formButton("422, and the page is polled first") {
                        rpc("/user_error", onUserErrorPoll: true)
                        pop()
                    }
                    formButton("500") {
                        rpc("/server_error")
                        pop()
                    }
                    checkbox("failing_box").text("Goes back to what it was").actions { rpc("/user_error") }
                }
            }
        }
    }
}

/// Copies texts, plain and awkward ones.
struct ClipboardPage: ReadyPage {
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

/// Questions in front of the page, with actions for each answer.
struct ModalPage: ReadyPage {
    let path = "/modal"
    let title = "Modal"
    let subText = "Questions, with actions for each answer"
    let dialects = [Dialect.objects]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formButton("Say something") {
                        modal("Hello!") {
                            modalButton("OK") {}
                        }
                    }
                    formButton("Ask, with a message") {
                        modal("Go to page two?") {
                            modalButton("Go") { push("/page2") }
                            modalButton("Cancel") {}
                        }
                        .message("The page is small, and says only its name.")
                    }
                    formButton("Ask before something is destroyed") {
                        modal("Delete everything?") {
                            modalButton("Delete") { rpc("/ok") }.destructive()
                            modalButton("Cancel") {}
                        }
                    }
                    formButton("An answer whose rpc fails") {
                        modal("Try it?") {
                            modalButton("Try") { rpc("/user_error") }
                            modalButton("Cancel") {}
                        }
                    }
                    formButton("One modal after the other") {
                        modal("First") {
                            modalButton("Second") {
                                modal("Second") {
                                    modalButton("Done") {}
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Ends a list of actions.
struct StopActionsPage: ReadyPage {
    let path = "/stop_actions"
    let title = "Stop Actions"
    let subText = "The rest of the list doesn't run"
    let clients: ClientVersion = "0.35"
    let dialects = [Dialect.objects]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formButton("Calls an rpc and stays here") {
                        rpc("/ok")
                        stopActions()
                        pop()
                    }
                    formButton("Calls an rpc and leaves") {
                        rpc("/ok")
                        pop()
                    }
                }
            }
        }
    }
}
