import Applin
import Backlot

/// A page with a title bar and a back button.
struct NavPagePage: ReadyPage {
    let path = "/nav_page"
    let title = "Nav Page"
    let subText = "A title bar and the default back button"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("text")
                }
            }
        }
    }
}

/// A page without a title bar; it polls every 30 seconds, and has a button that leads back.
struct PlainPagePage: ReadyPage {
    let path = "/plain_page"
    let title = "Plain Page"
    let subText = "No title bar; polls every 30 seconds"

    func page(_ request: Request) -> any Page {
        plainPage(title) {
            scroll {
                column {
                    text("text")
                    button("Back") { pop() }
                }
            }
        }
        .poll(every: .seconds(30))
    }
}

/// A page that changes when it is refreshed by hand.
struct InertPage: ReadyPage {
    let path = "/inert"
    let title = "Inert"
    let subText = "Refreshes only by hand"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This page updates when you load or refresh it (pull to refresh).")
                    text(ClockText.now)
                }
            }
        }
    }
}

/// A page that refreshes itself every 2 seconds.
struct PolledPage: ReadyPage {
    let path = "/polled"
    let title = "Polled"
    let subText = "Refreshes itself every 2 seconds"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This page updates automatically every 2 seconds.")
                    text(ClockText.now)
                }
            }
        }
        .poll(every: .seconds(2))
    }
}

/// A page that a client which starts again does not come back to.
struct EphemeralPage: ReadyPage {
    let path = "/ephemeral"
    let title = "Ephemeral"
    let subText = "Not restored when the app starts again"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("End the app and start it again: it comes back to the page below this one.")
                }
            }
        }
        .ephemeral()
    }
}

/// Ways through the stack of pages, and those that fail.
struct PageStackPage: SessionPage {
    let path = "/page_stack"
    let title = "Page Stack"
    let subText = "push, pop, replace_all, and what fails"
    let misbehaviour: String? = "One of its buttons pushes the page itself, to show that clients refuse it."

    func page(_ request: Request, _ session: Session) throws -> any Page {
        let isShown = Misbehaviour.isShown(session)
        return navPage(title) {
            scroll {
                column {
                    formSection("Works") {
                        navButton("Push a page") { push("/page2") }
                        navButton("Push two pages") {
                            push("/p1")
                            push("/p2")
                        }
                        navButton("Leave this page and push another") {
                            pop()
                            push("/page2")
                        }
                        navButton("Make this the only page") { replaceAll(path) }
                        navButton("Go home") { replaceAll("/") }
                    }
                    formSection("Fails") {
                        Misbehaviour.toggle(isShown)
                        if isShown {
                            navButton("Push this page again") { push(path) }.subText("It is on the stack already")
                        }
                        navButton("Pop twice") {
                            pop()
                            pop()
                        }
                        .subText("Fails where only this page and one below are left")
                    }
                }
            }
        }
    }
}
