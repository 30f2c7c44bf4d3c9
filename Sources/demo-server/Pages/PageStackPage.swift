import Applin
import Backlot

/// Ways through the stack of pages, and those that fail.
struct PageStackPage: DemoPage {
    let path = "/page_stack"
    let title = "Page Stack"
    let subText = "push, pop, replace_all, and what fails"
    let misbehaviour: String? = "One of its buttons pushes the page itself, to show that clients refuse it."

    func page(_ request: Request) async throws -> any Page {
        let isShown = try await Misbehaviour.isShown(request)
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
