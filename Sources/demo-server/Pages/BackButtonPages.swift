import Applin
import Backlot

/// Leads to a page for each kind of back button.
struct BackButtonPage: ReadyPage {
    let path = "/back_button"
    let title = "Back Button"
    let subText = "Default, disabled, removed, saving, failing"

    /// A page for each kind.
    let variants: [any DemoPage] = [
        DefaultBackButtonPage(), DisabledBackButtonPage(), RemovedBackButtonPage(), SavingBackButtonPage(),
        FailingBackButtonPage(),
    ]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    for page in variants {
                        page.link
                    }
                }
            }
        }
    }
}

/// A page that says nothing about its back button.
struct DefaultBackButtonPage: ReadyPage {
    let path = "/default_back_button"
    let title = "Default Back Button"
    let subText = "The client's own, which pops the page"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text("The client's own back button pops this page. On iOS, swiping does too.")
                }
            }
        }
    }
}

/// A page whose back button can be seen and not be tapped.
struct DisabledBackButtonPage: ReadyPage {
    let path = "/disabled_back_button"
    let title = "Disabled Back Button"
    let subText = "It shows and does nothing"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text("text")
                    button("Back") { pop() }
                }
            }
        }
        .start { backButton {} }
    }
}

/// A page whose title bar has no back button.
struct RemovedBackButtonPage: ReadyPage {
    let path = "/removed_back_button"
    let title = "Removed Back Button"
    let subText = "There is none"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text("text")
                    button("Back") { pop() }
                }
            }
        }
        .start { empty() }
    }
}

/// A back button that saves before it leaves.
struct SavingBackButtonPage: ReadyPage {
    let path = "/edit_note"
    let title = "Edit Note"
    let subText = "Saves by rpc, then leaves"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    textfield("note")
                }
            }
        }
        .start {
            backButton {
                rpc("/save_note")
                pop()
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/save_note") { _ in }
    }
}

/// A back button whose rpc is refused: the client shows the error and stays, because a list of actions ends where one fails.
struct FailingBackButtonPage: ReadyPage {
    let path = "/failing_back_button"
    let title = "Failing Back Button"
    let subText = "Its rpc is refused, so that the page stays"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text("The back button calls an rpc that answers 422: you see its text, and stay here.")
                    button("Leave") { pop() }
                }
            }
        }
        .start {
            backButton {
                rpc("/user_error")
                pop()
            }
        }
    }
}
