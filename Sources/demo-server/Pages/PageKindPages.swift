import Applin
import Backlot

extension DemoSection {
    /// Kinds of pages, ways to refresh them, and ways between them.
    static let pages = DemoSection("Pages") {
        DemoPage("/nav_page", "Nav Page", "A title bar and the default back button") { text("text") }

        DemoPage.made("/plain_page", "Plain Page", "No title bar; polls every 30 seconds") { _ in
            plainPage("Plain Page", poll: .seconds(30)) { scroll { column { textAndBack } } }
        }

        DemoPage("/back_button", "Back Button", "Default, disabled, removed, saving, failing") {
            for page in backButtons { page.link }
        }

        backButtons

        DemoPage("/inert", "Inert", "Refreshes only by hand") {
            text("This page updates when you load or refresh it (pull to refresh).")
            text(ClockText.now)
        }

        DemoPage.made("/polled", "Polled", "Refreshes itself every 2 seconds") { _ in
            formPage("Polled", poll: .seconds(2)) {
                text("This page updates automatically every 2 seconds.")
                text(ClockText.now)
            }
        }

        DemoPage.made("/ephemeral", "Ephemeral", "Not restored when the app starts again") { _ in
            formPage("Ephemeral") {
                text("End the app and start it again: it comes back to the page below this one.")
            }
            .ephemeral()
        }

        // Ways through the stack of pages, and those that fail.
        DemoPage.ofSession("/page_stack", "Page Stack", "push, pop, replace_all, and what fails") { session in
            let isShown = Misbehaviour.isShown(session)
            return listPage("Page Stack") {
                formSection("Works") {
                    navButton("Push a page", push("/page2"))
                    navButton("Push two pages", push("/p1"), push("/p2"))
                    navButton("Leave this page and push another", pop(), push("/page2"))
                    navButton("Make this the only page", replaceAll("/page_stack"))
                    navButton("Go home", replaceAll("/"))
                }
                formSection("Fails") {
                    Misbehaviour.toggle(isShown)
                    if isShown {
                        navButton("Push this page again", push("/page_stack")).subText("It is on the stack already")
                    }
                    navButton("Pop twice", pop(), pop()).subText("Fails where only this page and one below are left")
                }
            }
        }
        .misbehaves("One of its buttons pushes the page itself, to show that clients refuse it.")
    }

    /// A page for each kind of back button.
    @DemoPageBuilder private static var backButtons: [DemoPage] {
        DemoPage("/default_back_button", "Default Back Button", "The client's own, which pops the page", in: .column) {
            text("The client's own back button pops this page. On iOS, swiping does too.")
        }
        .unlisted()

        DemoPage.made("/disabled_back_button", "Disabled Back Button", "It shows and does nothing") { _ in
            listPage("Disabled Back Button", start: backButton {}) { textAndBack }
        }
        .unlisted()

        DemoPage.made("/removed_back_button", "Removed Back Button", "There is none") { _ in
            listPage("Removed Back Button", start: empty()) { textAndBack }
        }
        .unlisted()

        DemoPage.made("/edit_note", "Edit Note", "Saves by rpc, then leaves") { _ in
            listPage("Edit Note", start: backButton(rpc("/save_note"), pop())) { textfield(varName: "note") }
        }
        .unlisted().targets { $0.rpc("/save_note") { _ in } }

        // The client shows the error and stays, since a list of actions ends when one fails.
        DemoPage.made("/failing_back_button", "Failing Back Button", "Its rpc is refused, so that the page stays") {
            _ in
            listPage("Failing Back Button", start: backButton(rpc("/user_error"), pop())) {
                text("The back button calls an rpc that fails with 422: you see its text, and stay here.")
                button("Leave", pop())
            }
        }
        .unlisted()
    }

    @WidgetListBuilder private static var textAndBack: [any Widget] {
        text("text")
        button("Back", pop())
    }
}
