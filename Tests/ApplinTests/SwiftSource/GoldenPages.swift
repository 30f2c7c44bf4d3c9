// swift-format-ignore-file
// Made of pages.jsonl. To make it anew, remove it, and run GoldenPageTests.
import Applin

enum GoldenPages {
    static let all: [(id: String, make: @Sendable () -> any Page)] = [
        ("nav_page", { page0() }),
        ("nav_page without a back button", { page1() }),
        ("nav_page with a disabled back button", { page2() }),
        ("plain_page", { page3() }),
        ("plain_page without a title", { page4() }),
        ("plain_page with nulls", { page5() }),
        ("buttons", { page6() }),
        ("checkboxes", { page7() }),
        ("columns", { page8() }),
        ("forms", { page9() }),
        ("images", { page10() }),
        ("tables", { page11() }),
        ("selectors", { page12() }),
        ("text fields", { page13() }),
        ("actions as texts", { page14() }),
        ("actions as objects", { page15() }),
        ("on_user_error_poll by itself", { page16() }),
        ("modals", { page17() }),
        ("texts", { page18() }),
        ("names", { page19() }),
        ("deep", { page20() }),
        ("wide", { page21() }),
        ("demo/new_account", { page22() }),
        ("demo/sign_up", { page23() }),
        ("demo/notes", { page24() }),
        ("demo/mock_routes", { page25() }),
        ("demo/nav_page", { page26() }),
        ("demo/plain_page", { page27() }),
        ("demo/back_button", { page28() }),
        ("demo/inert", { page29() }),
        ("demo/polled", { page30() }),
        ("demo/ephemeral", { page31() }),
        ("demo/page_stack", { page32() }),
        ("demo/text", { page33() }),
        ("demo/error_text", { page34() }),
        ("demo/last_error_text", { page35() }),
        ("demo/image", { page36() }),
        ("demo/column", { page37() }),
        ("demo/form", { page38() }),
        ("demo/form_section", { page39() }),
        ("demo/grouped_row_table", { page40() }),
        ("demo/table", { page41() }),
        ("demo/scroll", { page42() }),
        ("demo/no_pull_to_refresh", { page43() }),
        ("demo/empty", { page44() }),
        ("demo/button", { page45() }),
        ("demo/form_button", { page46() }),
        ("demo/nav_button", { page47() }),
        ("demo/textfield", { page48() }),
        ("demo/checkbox", { page49() }),
        ("demo/selector", { page50() }),
        ("demo/search", { page51() }),
        ("demo/variables", { page52() }),
        ("demo/nested_variables", { page53() }),
        ("demo/actions", { page54() }),
        ("demo/failing_actions", { page55() }),
        ("demo/copy_to_clipboard", { page56() }),
        ("demo/photos", { page57() }),
        ("demo/log_in", { page58() }),
        ("demo/counter", { page59() }),
        ("demo/expired_session", { page60() }),
        ("demo/status", { page61() }),
        ("demo/slow", { page62() }),
        ("demo/failing_poll", { page63() }),
        ("demo/long_error", { page64() }),
        ("demo/broken", { page65() }),
        ("demo/", { page66() }),
        ("demo/terms", { page67() }),
        ("demo/privacy", { page68() }),
        ("demo/shared_variable", { page69() }),
        ("demo/default_back_button", { page70() }),
        ("demo/disabled_back_button", { page71() }),
        ("demo/removed_back_button", { page72() }),
        ("demo/edit_note", { page73() }),
        ("demo/failing_back_button", { page74() }),
        ("demo/notes/log_in", { page75() }),
        ("demo/notes/new_account", { page76() }),
        ("demo/page2", { page77() }),
        ("demo/p1", { page78() }),
        ("demo/objects/sign_up", { page79() }),
        ("demo/objects/back_button", { page80() }),
        ("demo/objects/form_button", { page81() }),
        ("demo/objects/checkbox_button", { page82() }),
        ("demo/objects/validated", { page83() }),
        ("demo/objects/reset_var", { page84() }),
        ("demo/objects/actions", { page85() }),
        ("demo/objects/modal", { page86() }),
        ("demo/objects/stop_actions", { page87() }),
        ("demo/objects/photos", { page88() }),
        ("demo/objects/notes/log_in", { page89() }),
        ("Routes/", { page90() }),
        ("Routes/books", { page91() }),
        ("Routes/log_in", { page92() }),
        ("Routes/search", { page93() }),
        ("Routes/shop", { page94() }),
        ("Routes/shop/cart", { page95() }),
        ("Routes/shop/thanks", { page96() }),
        ("Routes/slow", { page97() }),
    ]

    private static func page0() -> any Page {
        navPage("Page", poll: .seconds(30), ephemeral: true, start: backButton(rpc("/save"), pop())) { text("Text") }
            .end { button("Edit", push("/edit")) }
    }

    private static func page1() -> any Page {
        navPage("Page", poll: .zero, start: empty()) { text("Text") }
    }

    private static func page2() -> any Page {
        navPage("Page", start: backButton {}) { text("Text") }
    }

    private static func page3() -> any Page {
        plainPage("Welcome", poll: .seconds(5), ephemeral: true) { text("Text") }
    }

    private static func page4() -> any Page {
        plainPage {
            scroll { column {} }.pullToRefresh(false)
        }
    }

    private static func page5() -> any Page {
        plainPage {
            scroll { empty() }
        }
    }

    private static func page6() -> any Page {
        navPage("Page") {
            form {
                button("Button", poll())
                button("Disabled") {}
                formButton("Start", rpc("/a")).align(.start)
                formButton("Center") {}
                formButton("End", rpc("/a"), pop(), push("/b")).align(.end)
                navButton("All", push("/all")).subText("Below").badgeText("12").photoURL("/photo.png")
                navButton("With many modifiers", push("/all")).subText("A long text below the button's own text")
                    .badgeText("New").photoURL("https://example.com/pictures/photo.jpeg")
            }
        }
    }

    private static func page7() -> any Page {
        navPage("Page") {
            form {
                checkbox("I agree", varName: "agree").initialValue(true).actions { rpc("/agree") }.pollDelay(.zero).validated()
                checkbox(varName: "plain")
                checkbox(varName: "several").actions {
                    rpc("/a")
                    poll()
                }
                .pollDelay(.milliseconds(250))
                checkboxButton("Button", rpc("/check")).initialValue(true)
                checkboxButton {}
                checkboxButton("", rpc("/a"), poll())
            }
        }
    }

    private static func page8() -> any Page {
        navPage("Page") {
            column {
                column {
                    text("Text")
                    text("Two")
                }
                column { text("Text") }.align(.end).spacing(0)
            }
            .align(.center)
            .spacing(4.5)
        }
    }

    private static func page9() -> any Page {
        navPage("Page") {
            form {
                formSection("Section") {
                    text("Text")
                    errorText("Wrong: ${INTERACTIVE_ERROR_DETAILS}")
                }
                formSection { text("Text") }
                formSection("") {}
                lastErrorText()
                form {}
            }
        }
    }

    private static func page10() -> any Page {
        navPage("Page") {
            column {
                image("/a.png", aspectRatio: 1.5, disposition: .fit)
                image("/a.png", aspectRatio: 1)
                image("/a.png", aspectRatio: 0.1)
                image("https://example.com/a.jpeg", aspectRatio: 1e-05, disposition: .stretch)
            }
        }
    }

    private static func page11() -> any Page {
        navPage("Page") {
            form {
                groupedRowTable {
                    row(text("a"), nil)
                    row(text("b"), text("c"))
                }
                .spacing(8)
                groupedRowTable {
                    rowGroup { row(text("a")) }
                    rowGroup {
                        row(nil, nil)
                        row {}
                    }
                    rowGroup {}
                }
                groupedRowTable {}
                groupedRowTable { rowGroup {} }.spacing(1.25)
                groupedRowTable {
                    row {
                        formSection("Inside") {
                            text("Text")
                            text("Text")
                        }
                        button("Go", pop(), poll())
                        nil
                        text("a text that is so long that the row doesn't fit on one line with the others")
                    }
                }
            }
        }
    }

    private static func page12() -> any Page {
        navPage("Page") {
            form {
                selector("Size", varName: "size", options: ["S", "M", "L"], initialValue: "M").error("Choose")
                    .pollDelay(.milliseconds(100)).validated()
                selector(varName: "first", options: ["a", "b"], initialValue: "a")
                    .second("second", options: ["c"], initialValue: "c").third("third", options: ["d", "e"], initialValue: "e")
                selector(varName: "bare", options: [], initialValue: nil)
                selector(varName: "empty", options: [], initialValue: "").third("only", options: ["f"], initialValue: nil)
            }
        }
    }

    private static func page13() -> any Page {
        navPage("Page") {
            form {
                textfield("Label", varName: "everything").error("Error").initialValue("Text").allow(.ascii)
                    .autoCapitalize(.names).maxLines(4).maxChars(100).minChars(2).pollDelay(.milliseconds(500)).validated()
                textfield(varName: "allow_all")
                textfield(varName: "allow_email").allow(.email)
                textfield(varName: "allow_numbers").allow(.numbers)
                textfield(varName: "allow_tel").allow(.tel)
                textfield(varName: "sentences").autoCapitalize(.sentences).maxLines(1)
                textfield(varName: "validated").maxChars(0).pollDelay(.milliseconds(4294967295))
            }
        }
    }

    private static func page14() -> any Page {
        navPage("Page") {
            button("Go") {
                push("/terms")
                replaceAll("/")
                pop()
                poll()
                rpc("/save", onUserErrorPoll: true)
                rpc("/other")
                launchURL("https://example.com/?q=a:b")
                copyToClipboard("a: b")
                choosePhoto("/photo")
                takePhoto("/photo", aspectRatio: 1.5)
                takePhoto("/photo?aspect_ratio=1.50")
                choosePhoto("/photo?size=1")
                logout()
            }
        }
    }

    private static func page15() -> any Page {
        navPage("Page") {
            button("Go") {
                push("/terms")
                replaceAll("/")
                pop()
                poll()
                rpc("/save", onUserErrorPoll: true)
                rpc("/other")
                launchURL("tel:+123")
                copyToClipboard("")
                choosePhoto("/photo")
                takePhoto("/photo?size=1", aspectRatio: 0.75)
                resetVar("name")
                stopActions()
                logout()
            }
        }
    }

    private static func page16() -> any Page {
        navPage("Page") {
            form {
                button("Go", onUserErrorPoll(), rpc("/a"))
                button("Go", rpc("/a"), push("/b"), onUserErrorPoll())
            }
        }
    }

    private static func page17() -> any Page {
        navPage("Page") {
            button("Go") {
                rpc("/a")
                modal("Delete the note?") {
                    modalButton("Delete", rpc("/delete"), pop()).destructive()
                    modalButton("!") {}.destructive()
                    modalButton("Cancel") {}.id("cancel")
                    modalButton("More") {
                        modal("Really?") { modalButton("OK", poll()) }
                    }
                }
                .message("It can't be undone.")
            }
        }
    }

    private static func page18() -> any Page {
        navPage("Page") {
            form {
                text("")
                text("\"quotes\"")
                text("a \\ backslash")
                text("\\(exit(1))")
                text("\\#(exit(1))")
                text("\"\"\"")
                text("\"#")
                text("line\nbreaks\r\n\ttabs")
                text("\u{0}\u{1}\u{7}\u{1b}[31m\u{7f}\u{9f}")
                text("émoji 👩‍🚀 é é")
                text("́ begins with an accent")
                text("שלום \u{202e} reversed \u{2066}x\u{2069}")
                text("\u{2028}\u{2029}\u{85}")
                text("*/ /* // #if false")
                text("$0 `class` \\u{41} ${INTERACTIVE_ERROR_DETAILS}")
                text("%@ %s <script>alert(1)</script>")
                text("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
            }
        }
    }

    private static func page19() -> any Page {
        navPage("Page") {
            form {
                textfield(varName: "class")
                textfield(varName: "self")
                textfield(varName: "_")
                textfield(varName: "a b")
                textfield(varName: "a#b")
                textfield(varName: "a%c")
                textfield(varName: "\"")
                textfield(varName: "\\(x)")
                textfield(varName: "1")
                textfield(varName: "日本")
                textfield(varName: "init")
                checkbox(varName: "func")
            }
        }
    }

    private static func page20() -> any Page {
        navPage("Page") {
            column {
                formSection {
                    form {
                        column {
                            formSection {
                                form {
                                    column {
                                        formSection {
                                            form {
                                                column {
                                                    formSection {
                                                        form {
                                                            column {
                                                                formSection {
                                                                    form {
                                                                        column {
                                                                            formSection {
                                                                                form {
                                                                                    column {
                                                                                        formSection {
                                                                                            form {
                                                                                                column {
                                                                                                    formSection {
                                                                                                        form {
                                                                                                            column {
                                                                                                                formSection {
                                                                                                                    form {
                                                                                                                        column {
                                                                                                                            formSection {
                                                                                                                                form {
                                                                                                                                    column {
                                                                                                                                        formSection {
                                                                                                                                            form {
                                                                                                                                                column {
                                                                                                                                                    formSection {
                                                                                                                                                        form {
                                                                                                                                                            column {
                                                                                                                                                                formSection {
                                                                                                                                                                    form {
                                                                                                                                                                        column {
                                                                                                                                                                            formSection {
                                                                                                                                                                                form {
                                                                                                                                                                                    column {
                                                                                                                                                                                        formSection {
                                                                                                                                                                                            form {
                                                                                                                                                                                                column {
                                                                                                                                                                                                    formSection {
                                                                                                                                                                                                        form {
                                                                                                                                                                                                            column {
                                                                                                                                                                                                                formSection {
                                                                                                                                                                                                                    form {
                                                                                                                                                                                                                        column {
                                                                                                                                                                                                                            formSection {
                                                                                                                                                                                                                                form {
                                                                                                                                                                                                                                    column {
                                                                                                                                                                                                                                        formSection {
                                                                                                                                                                                                                                            form {
                                                                                                                                                                                                                                                column {
                                                                                                                                                                                                                                                    text("Text")
                                                                                                                                                                                                                                                }
                                                                                                                                                                                                                                            }
                                                                                                                                                                                                                                        }
                                                                                                                                                                                                                                    }
                                                                                                                                                                                                                                }
                                                                                                                                                                                                                            }
                                                                                                                                                                                                                        }
                                                                                                                                                                                                                    }
                                                                                                                                                                                                                }
                                                                                                                                                                                                            }
                                                                                                                                                                                                        }
                                                                                                                                                                                                    }
                                                                                                                                                                                                }
                                                                                                                                                                                            }
                                                                                                                                                                                        }
                                                                                                                                                                                    }
                                                                                                                                                                                }
                                                                                                                                                                            }
                                                                                                                                                                        }
                                                                                                                                                                    }
                                                                                                                                                                }
                                                                                                                                                            }
                                                                                                                                                        }
                                                                                                                                                    }
                                                                                                                                                }
                                                                                                                                            }
                                                                                                                                        }
                                                                                                                                    }
                                                                                                                                }
                                                                                                                            }
                                                                                                                        }
                                                                                                                    }
                                                                                                                }
                                                                                                            }
                                                                                                        }
                                                                                                    }
                                                                                                }
                                                                                            }
                                                                                        }
                                                                                    }
                                                                                }
                                                                            }
                                                                        }
                                                                    }
                                                                }
                                                            }
                                                        }
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func page21() -> any Page {
        navPage("Page") {
            form {
                navButton("Button 0", push("/button/0"))
                navButton("Button 1", push("/button/1"))
                navButton("Button 2", push("/button/2"))
                navButton("Button 3", push("/button/3"))
                navButton("Button 4", push("/button/4"))
                navButton("Button 5", push("/button/5"))
                navButton("Button 6", push("/button/6"))
                navButton("Button 7", push("/button/7"))
                navButton("Button 8", push("/button/8"))
                navButton("Button 9", push("/button/9"))
                navButton("Button 10", push("/button/10"))
                navButton("Button 11", push("/button/11"))
                navButton("Button 12", push("/button/12"))
                navButton("Button 13", push("/button/13"))
                navButton("Button 14", push("/button/14"))
                navButton("Button 15", push("/button/15"))
                navButton("Button 16", push("/button/16"))
                navButton("Button 17", push("/button/17"))
                navButton("Button 18", push("/button/18"))
                navButton("Button 19", push("/button/19"))
                navButton("Button 20", push("/button/20"))
                navButton("Button 21", push("/button/21"))
                navButton("Button 22", push("/button/22"))
                navButton("Button 23", push("/button/23"))
                navButton("Button 24", push("/button/24"))
                navButton("Button 25", push("/button/25"))
                navButton("Button 26", push("/button/26"))
                navButton("Button 27", push("/button/27"))
                navButton("Button 28", push("/button/28"))
                navButton("Button 29", push("/button/29"))
                navButton("Button 30", push("/button/30"))
                navButton("Button 31", push("/button/31"))
                navButton("Button 32", push("/button/32"))
                navButton("Button 33", push("/button/33"))
                navButton("Button 34", push("/button/34"))
                navButton("Button 35", push("/button/35"))
                navButton("Button 36", push("/button/36"))
                navButton("Button 37", push("/button/37"))
                navButton("Button 38", push("/button/38"))
                navButton("Button 39", push("/button/39"))
                navButton("Button 40", push("/button/40"))
                navButton("Button 41", push("/button/41"))
                navButton("Button 42", push("/button/42"))
                navButton("Button 43", push("/button/43"))
                navButton("Button 44", push("/button/44"))
                navButton("Button 45", push("/button/45"))
                navButton("Button 46", push("/button/46"))
                navButton("Button 47", push("/button/47"))
                navButton("Button 48", push("/button/48"))
                navButton("Button 49", push("/button/49"))
                navButton("Button 50", push("/button/50"))
                navButton("Button 51", push("/button/51"))
                navButton("Button 52", push("/button/52"))
                navButton("Button 53", push("/button/53"))
                navButton("Button 54", push("/button/54"))
                navButton("Button 55", push("/button/55"))
                navButton("Button 56", push("/button/56"))
                navButton("Button 57", push("/button/57"))
                navButton("Button 58", push("/button/58"))
                navButton("Button 59", push("/button/59"))
            }
        }
    }

    private static func page22() -> any Page {
        formPage("New Account") {
            textfield("Username", varName: "username")
            navButton("Terms", push("/terms"))
            navButton("Privacy", push("/privacy"))
            checkbox("I agree", varName: "agree")
            formButton("Create Account", rpc("/create_account"), replaceAll("/"))
        }
    }

    private static func page23() -> any Page {
        formPage("Sign Up") {
            textfield("Name", varName: "sign_up_name").autoCapitalize(.names)
            textfield("E-mail", varName: "sign_up_email").allow(.email)
            selector("Plan", varName: "sign_up_plan", options: ["Free", "Family", "Business"], initialValue: "Free")
            checkbox("I agree", varName: "sign_up_agree")
            formButton("Sign Up", rpc("/sign_up/submit", onUserErrorPoll: true), replaceAll("/"))
        }
    }

    private static func page24() -> any Page {
        formPage("Notes", poll: .seconds(5)) {
            text("Write notes, and find them again while the server runs.")
            navButton("Create an account", push("/notes/new_account"))
            navButton("Log in", push("/notes/log_in"))
            navButton("All demos", replaceAll("/"))
        }
    }

    private static func page25() -> any Page {
        formPage("Mock Routes") {
            text("The files in Routes/ are an app, too: a lending library.")
            text("Its base URL, for clients since 0.31, is http://127.0.0.1:8471/mock/")
            formButton("Copy the URL", copyToClipboard("http://127.0.0.1:8471/mock/"))
            formButton("Open its first page in the browser", launchURL("http://127.0.0.1:8471/mock/"))
        }
    }

    private static func page26() -> any Page {
        formPage("Nav Page") { text("text") }
    }

    private static func page27() -> any Page {
        plainPage("Plain Page", poll: .seconds(30)) {
            scroll {
                column {
                    text("text")
                    button("Back", pop())
                }
            }
        }
    }

    private static func page28() -> any Page {
        formPage("Back Button") {
            navButton("Default Back Button", push("/default_back_button")).subText("The client's own, which pops the page")
            navButton("Disabled Back Button", push("/disabled_back_button")).subText("It shows and does nothing")
            navButton("Removed Back Button", push("/removed_back_button")).subText("There is none")
            navButton("Edit Note", push("/edit_note")).subText("Saves by rpc, then leaves")
            navButton("Failing Back Button", push("/failing_back_button")).subText("Its rpc is refused, so that the page stays")
        }
    }

    private static func page29() -> any Page {
        formPage("Inert") {
            text("This page updates when you load or refresh it (pull to refresh).")
            text("2026-11-22 20:04:45")
        }
    }

    private static func page30() -> any Page {
        formPage("Polled", poll: .seconds(2)) {
            text("This page updates automatically every 2 seconds.")
            text("2026-11-22 20:04:45")
        }
    }

    private static func page31() -> any Page {
        formPage("Ephemeral", ephemeral: true) {
            text("End the app and start it again: it comes back to the page below this one.")
        }
    }

    private static func page32() -> any Page {
        listPage("Page Stack") {
            formSection("Works") {
                navButton("Push a page", push("/page2"))
                navButton("Push two pages", push("/p1"), push("/p2"))
                navButton("Leave this page and push another", pop(), push("/page2"))
                navButton("Make this the only page", replaceAll("/page_stack"))
                navButton("Go home", replaceAll("/"))
            }
            formSection("Fails") {
                navButton("Show the pages that misbehave", rpc("/misbehaviour/show"), poll())
                navButton("Pop twice", pop(), pop()).subText("Fails where only this page and one below are left")
            }
        }
    }

    private static func page33() -> any Page {
        formPage("Text") {
            text("Hello world!")
            text("MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM")
            text("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM")
        }
    }

    private static func page34() -> any Page {
        formPage("Error Text") {
            errorText("Error Message")
            errorText("MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM")
            errorText("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM")
        }
    }

    private static func page35() -> any Page {
        formPage("Last Error Text") {
            text("The last error was:")
            lastErrorText()
        }
    }

    private static func page36() -> any Page {
        formPage("Image") {
            text("Fit")
            image("/image.png", aspectRatio: 2, disposition: .fit)
            text("Cover")
            image("/image.png", aspectRatio: 2)
            text("Stretch")
            image("/image.png", aspectRatio: 2, disposition: .stretch)
            navButton("Show the pages that misbehave", rpc("/misbehaviour/show"), poll())
        }
    }

    private static func page37() -> any Page {
        listPage("Column") {
            formSection("Default") {
                column {
                    text("text")
                    text("text")
                }
            }
            formSection("Start") {
                column {
                    text("text")
                    text("text")
                }
            }
            formSection("Center") {
                column {
                    text("text")
                    text("text")
                }
                .align(.center)
            }
            formSection("End") {
                column {
                    text("text")
                    text("text")
                }
                .align(.end)
            }
            formSection("Spacing") {
                column {
                    text("text")
                    text("text")
                }
                .spacing(16)
            }
        }
    }

    private static func page38() -> any Page {
        formPage("Form") {
            text("text")
            checkbox("Box 1", varName: "box1")
            formButton("Next", rpc("/next"), push("/page2"))
        }
    }

    private static func page39() -> any Page {
        listPage("Form Section") {
            formSection("Section 1") {
                text("text")
                text("text")
            }
            formSection("Section 2") {
                text("text")
                text("text")
            }
        }
    }

    private static func page40() -> any Page {
        formPage("Grouped Row Table") {
            formSection("Two Groups") {
                groupedRowTable {
                    rowGroup {
                        row(text("A1"), text("B1"), text("C1"))
                        row(text("A2"), text("B2"), nil)
                    }
                    rowGroup { row(text("One"), nil, text("Three")) }
                }
                .spacing(8)
            }
            formSection("Long text") {
                groupedRowTable {
                    row {
                        text("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM")
                        text("MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM")
                    }
                    row(text("A2"), text("B2"))
                }
                .spacing(8)
            }
        }
    }

    private static func page41() -> any Page {
        formPage("Table") {
            groupedRowTable {
                row(text("Day"), text("Opens"), text("Closes"))
                row(text("Monday"), text("9:00"), text("17:00"))
                row(text("Sunday"), text("closed"), nil)
            }
            .spacing(8)
        }
    }

    private static func page42() -> any Page {
        formPage("Scroll") {
            text("Line 1")
            text("Line 2")
            text("Line 3")
            text("Line 4")
            text("Line 5")
            text("Line 6")
            text("Line 7")
            text("Line 8")
            text("Line 9")
            text("Line 10")
            text("Line 11")
            text("Line 12")
            text("Line 13")
            text("Line 14")
            text("Line 15")
            text("Line 16")
            text("Line 17")
            text("Line 18")
            text("Line 19")
            text("Line 20")
            text("Line 21")
            text("Line 22")
            text("Line 23")
            text("Line 24")
            text("Line 25")
            text("Line 26")
            text("Line 27")
            text("Line 28")
            text("Line 29")
            text("Line 30")
            text("Line 31")
            text("Line 32")
            text("Line 33")
            text("Line 34")
            text("Line 35")
            text("Line 36")
            text("Line 37")
            text("Line 38")
            text("Line 39")
            text("Line 40")
            text("Line 41")
            text("Line 42")
            text("Line 43")
            text("Line 44")
            text("Line 45")
            text("Line 46")
            text("Line 47")
            text("Line 48")
            text("Line 49")
            text("Line 50")
        }
    }

    private static func page43() -> any Page {
        navPage("No Pull to Refresh") {
            scroll {
                form {
                    text("2026-11-22 20:04:45")
                    formButton("Poll", poll())
                }
            }
            .pullToRefresh(false)
        }
    }

    private static func page44() -> any Page {
        navPage("Empty Page") { empty() }
    }

    private static func page45() -> any Page {
        listPage("Button") {
            button("Button", rpc("/add_item"), pop())
            button("MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM", rpc("/add_item"), pop())
            button("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM", rpc("/add_item"), pop())
            button("Disabled Button") {}
        }
    }

    private static func page46() -> any Page {
        formPage("Form Button") {
            formButton("Button", rpc("/add_item"), pop())
            formButton("MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM", rpc("/add_item"), pop())
            formButton("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM", rpc("/add_item"), pop())
            formButton("Disabled") {}
            formButton("Start Aligned", rpc("/add_item"), pop()).align(.start)
            formButton("Center Aligned", rpc("/add_item"), pop())
            formButton("End Aligned", rpc("/add_item"), pop()).align(.end)
        }
    }

    private static func page47() -> any Page {
        formPage("Nav Button") {
            navButton("Page 1", push("/p1"))
            navButton("Page 2", push("/p2")).subText("A very nice page")
            navButton("Page 3", push("/p3")).badgeText("5")
            navButton("Page 4", push("/p4")).badgeText("123456789012345678901234567890")
            navButton("Page 5", push("/p5")).photoURL("/image.png")
            navButton("Disabled") {}
            navButton("MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM", push("/mmmm_mmmm"))
            navButton("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM", push("/mmmmmmmm"))
            navButton("Show the pages that misbehave", rpc("/misbehaviour/show"), poll())
        }
    }

    private static func page48() -> any Page {
        formPage("Text Field") {
            textfield("Field 1", varName: "field1")
            textfield("Field 2", varName: "field2").error("An error message.")
            textfield("Field 3", varName: "field3").initialValue("initial text")
            textfield("Field 4", varName: "mmmm")
                .initialValue("Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.")
            textfield("F5", varName: "field4").allow(.numbers)
            textfield("F6", varName: "field5").allow(.ascii)
            textfield("F7", varName: "field6").allow(.tel)
            textfield("F8", varName: "field7").allow(.email)
            textfield("F9", varName: "field8").autoCapitalize(.names)
            textfield("F10", varName: "field8_sentences").autoCapitalize(.sentences)
            textfield("F11", varName: "field9").maxLines(1)
            textfield("F12", varName: "field10").maxLines(3)
            textfield("F13, 3 to 8 characters", varName: "field13").maxChars(8).minChars(3)
            textfield("Polls page on change", varName: "field11").pollDelay(.zero)
            textfield("Polls page after change and 1 second delay", varName: "field12").pollDelay(.milliseconds(1000))
        }
    }

    private static func page49() -> any Page {
        formPage("Checkbox") {
            checkbox("Option 1", varName: "option_1")
            checkbox("Option 2", varName: "option_2").initialValue(true)
            checkbox("Option 3", varName: "option_3").actions { rpc("/ok") }
            checkbox("", varName: "no_label")
            checkbox("MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM", varName: "many_words")
            checkbox("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM", varName: "long_word")
            checkbox("Polls page", varName: "poll").actions { poll() }
            checkbox("Polls page after 1 second delay", varName: "poll_delay").pollDelay(.milliseconds(1000))
        }
    }

    private static func page50() -> any Page {
        formPage("Selector") {
            selector("Size", varName: "size", options: ["S", "M", "L"], initialValue: "M")
            selector("Time", varName: "hour", options: ["00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23"], initialValue: "12")
                .second("minute", options: ["00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59"], initialValue: "00")
            selector("Date", varName: "day", options: ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31"], initialValue: "01")
                .second("month", options: ["January", "February", "March"], initialValue: "January")
                .third("year", options: ["2026", "2027", "2028"], initialValue: "2026")
            selector("With an error", varName: "colour", options: ["red", "green"], initialValue: "red").error("Sold out.")
            selector("Polls page on change", varName: "polls", options: ["one", "two"], initialValue: "one").pollDelay(.zero)
            formButton("Send the variables", poll())
            text("The backend got no variables: the page was loaded by GET.")
        }
    }

    private static func page51() -> any Page {
        formPage("Search") {
            textfield("Fruit", varName: "search_term").maxLines(1).pollDelay(.milliseconds(300))
            text("Apple")
            text("Apricot")
            text("Banana")
            text("Blackberry")
            text("Cherry")
            text("Fig")
            text("Grape")
            text("Lemon")
            text("Lime")
            text("Mango")
            text("Melon")
            text("Orange")
            text("Peach")
            text("Pear")
            text("Pineapple")
            text("Plum")
            text("Raspberry")
            text("Strawberry")
        }
    }

    private static func page52() -> any Page {
        formPage("Variables") {
            textfield("Also on the next page", varName: "shared_text").initialValue("set once, while unset")
            checkbox("A boolean", varName: "shared_box")
            navButton("The next page", push("/shared_variable"))
            formButton("Send the variables", poll())
            text("The backend got no variables: the page was loaded by GET.")
        }
    }

    private static func page53() -> any Page {
        formPage("Nested Variables") {
            textfield("Street", varName: "address#street").autoCapitalize(.names)
            textfield("City", varName: "address#city").autoCapitalize(.names)
            checkbox("Cheese", varName: "toppings%cheese")
            checkbox("Olives", varName: "toppings%olives")
            formButton("Order, by rpc", rpc("/nested_variables/order"))
            formButton("Send the variables", poll())
            text("The backend got no variables: the page was loaded by GET.")
        }
    }

    private static func page54() -> any Page {
        formPage("Actions") {
            formButton("launch_url", launchURL("https://www.example.com/support"))
            formButton("poll", poll())
            formButton("pop", pop())
            formButton("push", push("/page2"))
            formButton("replace_all", replaceAll("/"))
            formButton("rpc", rpc("/ok"))
            formButton("rpc, on_user_error_poll", rpc("/ok", onUserErrorPoll: true))
        }
    }

    private static func page55() -> any Page {
        formPage("Failing Actions") {
            text("Each button would leave this page, if its rpc did not fail.")
            text("This page was made at 2026-11-22 20:04:45.")
            formButton("422, a text for the user", rpc("/user_error"), pop())
            formButton("422, and the page is polled first", rpc("/user_error", onUserErrorPoll: true), pop())
            formButton("500", rpc("/server_error"), pop())
            checkbox("Goes back to what it was", varName: "failing_box").actions { rpc("/user_error") }
        }
    }

    private static func page56() -> any Page {
        formPage("Clipboard") {
            formButton("Copy: A word", copyToClipboard("Backlot"))
            formButton("Copy: With colons", copyToClipboard("a:b:c"))
            formButton("Copy: Quotes and backslashes", copyToClipboard("She said \"no\" \\ \"yes\""))
            formButton("Copy: Two lines", copyToClipboard("first\nsecond"))
            formButton("Copy: Letters of the world", copyToClipboard("Grüße, 世界, 🎬"))
            textfield("Paste here", varName: "clipboard_paste").maxLines(3)
        }
    }

    private static func page57() -> any Page {
        listPage("Photos") {
            formSection("Send") {
                navButton("Choose a photo", choosePhoto("/photos/add"), poll())
                navButton("Choose a photo, cut to a square", choosePhoto("/photos/add", aspectRatio: 1), poll())
                navButton("Take a photo", takePhoto("/photos/add"), poll())
            }
            formSection("Be refused") {
                navButton("Forbidden, before it is sent", choosePhoto("/photos/forbidden"))
                    .subText("403 in place of 100 Continue")
                navButton("Too large", choosePhoto("/photos/tiny")).subText("422: 100 bytes are allowed")
            }
            formSection("Everybody's photos") { text("There are none.") }
        }
    }

    private static func page58() -> any Page {
        formPage("Log In") {
            text("This is a demo: any name and any password will do. Use none that you use elsewhere.")
            textfield("Name", varName: "log_in_name").allow(.ascii).maxLines(1)
            textfield("Password", varName: "log_in_password").allow(.ascii).maxLines(1)
            formButton("Log In", rpc("/log_in/submit"), replaceAll("/members"))
        }
    }

    private static func page59() -> any Page {
        formPage("Counter") {
            text("Counted to 0 by somebody who is not logged in.")
            formButton("Count", rpc("/counter/increment"), poll())
        }
    }

    private static func page60() -> any Page {
        formPage("Expired Session") {
            text("You are not logged in.")
            formButton("Let the session expire, and open the members' page", rpc("/expired_session/expire"), push("/members"))
            navButton("Log in", push("/log_in"))
        }
    }

    private static func page61() -> any Page {
        listPage("Statuses") {
            navButton("Show the pages that misbehave", rpc("/misbehaviour/show"), poll())
            formSection("304 Not Modified") {
                text("An error: only pictures are requested conditionally.")
                navButton("rpc", rpc("/status/304"))
                navButton("Upload", choosePhoto("/status/304"))
            }
            formSection("400 Bad Request") {
                text("An error of the app, with the text under its details.")
                navButton("rpc", rpc("/status/400"))
                navButton("Upload", choosePhoto("/status/400"))
            }
            formSection("403 Forbidden") {
                text("The text is for the user.")
                navButton("rpc", rpc("/status/403"))
                navButton("Upload", choosePhoto("/status/403"))
            }
            formSection("404 Not Found") {
                text("An error of the app, with the text under its details.")
                navButton("rpc", rpc("/status/404"))
                navButton("Upload", choosePhoto("/status/404"))
            }
            formSection("409 Conflict") {
                text("An error of the app, with the text under its details.")
                navButton("rpc", rpc("/status/409"))
                navButton("Upload", choosePhoto("/status/409"))
            }
            formSection("422 Unprocessable Content") {
                text("The text is for the user.")
                navButton("rpc", rpc("/status/422"))
                navButton("Upload", choosePhoto("/status/422"))
            }
            formSection("429 Too Many Requests") {
                text("An error of the app; Retry-After says 10 seconds.")
                navButton("rpc", rpc("/status/429"))
                navButton("Upload", choosePhoto("/status/429"))
            }
            formSection("500 Internal Server Error") {
                text("An error of the server.")
                navButton("rpc", rpc("/status/500"))
                navButton("Upload", choosePhoto("/status/500"))
            }
            formSection("502 Bad Gateway") {
                text("An error of the server.")
                navButton("rpc", rpc("/status/502"))
                navButton("Upload", choosePhoto("/status/502"))
            }
            formSection("503 Service Unavailable") {
                text("No body. The server is busy: polling continues, less and less often.")
                navButton("rpc", rpc("/status/503"))
                navButton("Upload", choosePhoto("/status/503"))
            }
            formSection("504 Gateway Timeout") {
                text("An error of the server.")
                navButton("rpc", rpc("/status/504"))
                navButton("Upload", choosePhoto("/status/504"))
            }
            formSection("Redirect") { navButton("303 to the page Text", push("/redirect")) }
        }
    }

    private static func page62() -> any Page {
        listPage("Slow Responses") {
            navButton("Show the pages that misbehave", rpc("/misbehaviour/show"), poll())
            formSection("1 s") {
                navButton("rpc", rpc("/slow/1000/rpc"))
                navButton("rpc that fails then", rpc("/slow/1000/fail"))
            }
            formSection("5 s") {
                navButton("rpc", rpc("/slow/5000/rpc"))
                navButton("rpc that fails then", rpc("/slow/5000/fail"))
            }
            formSection("20 s") {
                navButton("rpc", rpc("/slow/20000/rpc"))
                navButton("rpc that fails then", rpc("/slow/20000/fail"))
            }
            formSection("60 s") {
                navButton("rpc", rpc("/slow/60000/rpc"))
                navButton("rpc that fails then", rpc("/slow/60000/fail"))
            }
        }
    }

    private static func page63() -> any Page {
        formPage("Failing Poll", poll: .seconds(3)) {
            text("This page polls every 3 seconds. From the second poll on it fails.")
            text("Polls until now: 0")
            checkbox("Makes a poll a POST", varName: "failing_poll_box")
        }
    }

    private static func page64() -> any Page {
        formPage("Error Texts") {
            formButton("422: long", rpc("/long_error/long"))
            formButton("422: lines", rpc("/long_error/lines"))
            formButton("422: word", rpc("/long_error/word"))
            formButton("422: letters", rpc("/long_error/letters"))
            formButton("422: none", rpc("/long_error/none"))
            navButton("What the last error was", push("/last_error_text"))
            errorText("The last error in an error text: ${INTERACTIVE_ERROR_DETAILS}")
        }
    }

    private static func page65() -> any Page {
        listPage("Broken Responses") {
            formSection("Pages") { navButton("Show the pages that misbehave", rpc("/misbehaviour/show"), poll()) }
            formSection("rpcs") {
                navButton("A body that is no page", rpc("/broken/not_json"))
                navButton("A page that can't be shown", rpc("/broken/unknown_widget"))
            }
        }
    }

    private static func page66() -> any Page {
        listPage("Backlot Demo", poll: .seconds(30)) {
            text("Actions are strings here, as documented: for clients up to 0.30.")
            formSection("Start here") {
                navButton("New Account", push("/new_account")).subText("The example exchange of the documentation")
                navButton("Sign Up", push("/sign_up")).subText("Errors at the fields, then the home page")
                navButton("Notes", push("/notes")).subText("A whole app: accounts, list, edit, delete")
                navButton("Mock Routes", push("/mock_routes")).subText("An app made of files, without Swift")
            }
            formSection("Pages") {
                navButton("Nav Page", push("/nav_page")).subText("A title bar and the default back button")
                navButton("Plain Page", push("/plain_page")).subText("No title bar; polls every 30 seconds")
                navButton("Back Button", push("/back_button")).subText("Default, disabled, removed, saving, failing")
                navButton("Inert", push("/inert")).subText("Refreshes only by hand")
                navButton("Polled", push("/polled")).subText("Refreshes itself every 2 seconds")
                navButton("Ephemeral", push("/ephemeral")).subText("Not restored when the app starts again")
                navButton("Page Stack", push("/page_stack")).subText("push, pop, replace_all, and what fails")
            }
            formSection("Texts and layout") {
                navButton("Text", push("/text")).subText("Short, many words, one long word")
                navButton("Error Text", push("/error_text")).subText("Messages with a warning sign")
                navButton("Last Error Text", push("/last_error_text")).subText("What went wrong last")
                navButton("Image", push("/image")).subText("Fit, cover, stretch, not found")
                navButton("Column", push("/column")).subText("Alignments and spacing")
                navButton("Form", push("/form")).subText("Widgets with lines between them")
                navButton("Form Section", push("/form_section")).subText("Groups under a title")
                navButton("Grouped Row Table", push("/grouped_row_table")).subText("Two groups, empty cells, long texts")
                navButton("Table", push("/table")).subText("A grouped row table of one group")
                navButton("Scroll", push("/scroll")).subText("Taller than the screen")
                navButton("No Pull to Refresh", push("/no_pull_to_refresh")).subText("Pulling does nothing; a button polls")
                navButton("Empty Page", push("/empty")).subText("Nothing at all")
            }
            formSection("Buttons") {
                navButton("Button", push("/button")).subText("Short, long, disabled")
                navButton("Form Button", push("/form_button")).subText("Lengths and alignments")
                navButton("Nav Button", push("/nav_button")).subText("Sub-texts, badges, photos")
            }
            formSection("Inputs and variables") {
                navButton("Text Field", push("/textfield")).subText("Keyboards, capitals, lines, lengths, polling")
                navButton("Checkbox", push("/checkbox")).subText("Initial value, actions, polling")
                navButton("Selector", push("/selector")).subText("One, two or three choices side by side")
                navButton("Search", push("/search")).subText("A field that polls while you type")
                navButton("Variables", push("/variables")).subText("The sent variables; two pages share one")
                navButton("Nested Variables", push("/nested_variables")).subText("Objects by name#key, arrays by name%item")
            }
            formSection("Actions") {
                navButton("Actions", push("/actions")).subText("The documented ones, a button for each")
                navButton("Failing Actions", push("/failing_actions")).subText("The rest of the list doesn't run")
                navButton("Clipboard", push("/copy_to_clipboard")).subText("Copies texts, awkward ones too")
            }
            formSection("Photos") { navButton("Photos", push("/photos")).subText("Take, choose, send, show, and be refused") }
            formSection("Sessions") {
                navButton("Log In", push("/log_in")).subText("Any name, any password")
                navButton("Members", push("/members")).subText("403 unless you are logged in; log out")
                navButton("Counter", push("/counter")).subText("Kept in the session, also before a log-in")
                navButton("Expired Session", push("/expired_session")).subText("The client's cookie stays, and means nothing")
            }
            formSection("Errors") {
                navButton("Statuses", push("/status")).subText("Errors as pages, rpcs, uploads and pictures")
                navButton("Slow Responses", push("/slow")).subText("Pages and rpcs, 1 to 60 seconds late")
                navButton("Failing Poll", push("/failing_poll")).subText("Fails at the second poll and after")
                navButton("Error Texts", push("/long_error")).subText("Long, of many lines, none at all")
                navButton("Broken Responses", push("/broken")).subText("Bodies that aren't pages, and worse")
            }
        }
    }

    private static func page67() -> any Page {
        formPage("Terms") { text("This is a demo: it doesn't keep your input.") }
    }

    private static func page68() -> any Page {
        formPage("Privacy") { text("This is a demo: it doesn't keep your input.") }
    }

    private static func page69() -> any Page {
        formPage("Shared Variable") {
            textfield("The same variable", varName: "shared_text").initialValue("not shown, since it is set already")
        }
    }

    private static func page70() -> any Page {
        listPage("Default Back Button") { text("The client's own back button pops this page. On iOS, swiping does too.") }
    }

    private static func page71() -> any Page {
        listPage("Disabled Back Button", start: backButton {}) {
            text("text")
            button("Back", pop())
        }
    }

    private static func page72() -> any Page {
        listPage("Removed Back Button", start: empty()) {
            text("text")
            button("Back", pop())
        }
    }

    private static func page73() -> any Page {
        listPage("Edit Note", start: backButton(rpc("/save_note"), pop())) { textfield(varName: "note") }
    }

    private static func page74() -> any Page {
        listPage("Failing Back Button", start: backButton(rpc("/user_error"), pop())) {
            text("The back button calls an rpc that fails with 422: you see its text, and stay here.")
            button("Leave", pop())
        }
    }

    private static func page75() -> any Page {
        formPage("Log In") {
            text("This is a demo: the password isn't checked.")
            textfield("Name", varName: "notes_name").allow(.ascii).maxLines(1)
            textfield("Password", varName: "notes_password").allow(.ascii).maxLines(1)
            formButton("Log In", rpc("/notes/log_in/submit"), replaceAll("/notes"))
            navButton("Create an account", push("/notes/new_account"))
        }
    }

    private static func page76() -> any Page {
        formPage("Create Account") {
            text("This is a demo: the password isn't kept. Use none that you use elsewhere.")
            textfield("Name", varName: "notes_new_name").allow(.ascii).maxLines(1)
            textfield("Password", varName: "notes_new_password").allow(.ascii).maxLines(1)
            formButton("Create Account", rpc("/notes/new_account/submit", onUserErrorPoll: true), replaceAll("/notes"))
        }
    }

    private static func page77() -> any Page {
        formPage("Page Two") { text("This is /page2.") }
    }

    private static func page78() -> any Page {
        formPage("Page 1") { text("This is /p1.") }
    }

    private static func page79() -> any Page {
        formPage("Sign Up") {
            textfield("Name", varName: "sign_up_name").autoCapitalize(.names)
            textfield("E-mail", varName: "sign_up_email").allow(.email)
            selector("Plan", varName: "sign_up_plan", options: ["Free", "Family", "Business"], initialValue: "Free")
            checkbox("I agree", varName: "sign_up_agree")
            formButton("Sign Up", rpc("/sign_up/submit", onUserErrorPoll: true), replaceAll("/"))
        }
    }

    private static func page80() -> any Page {
        formPage("Back Button") {
            navButton("Default Back Button", push("/default_back_button")).subText("The client's own, which pops the page")
            navButton("Disabled Back Button", push("/disabled_back_button")).subText("It shows and does nothing")
            navButton("Removed Back Button", push("/removed_back_button")).subText("There is none")
            navButton("Edit Note", push("/edit_note")).subText("Saves by rpc, then leaves")
            navButton("Failing Back Button", push("/failing_back_button")).subText("Its rpc is refused, so that the page stays")
        }
    }

    private static func page81() -> any Page {
        formPage("Form Button") {
            formButton("Button", rpc("/add_item"), pop())
            formButton("MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM", rpc("/add_item"), pop())
            formButton("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM", rpc("/add_item"), pop())
            formButton("Disabled") {}
            formButton("Start Aligned", rpc("/add_item"), pop()).align(.start)
            formButton("Center Aligned", rpc("/add_item"), pop())
            formButton("End Aligned", rpc("/add_item"), pop()).align(.end)
        }
    }

    private static func page82() -> any Page {
        formPage("Checkbox Button") {
            text("Everybody who uses this server sees the same value.")
            checkboxButton("The light is on", rpc("/checkbox_button/toggle"), poll())
            checkboxButton("Goes back, because its rpc is refused", rpc("/user_error"))
            checkboxButton("Without actions") {}
        }
    }

    private static func page83() -> any Page {
        formPage("Validated") {
            textfield("Code", varName: "validated_code").allow(.numbers).maxChars(4).validated()
            checkbox("Remember it", varName: "validated_box").validated()
            selector("Choice", varName: "validated_choice", options: ["a", "b"], initialValue: "a").validated()
            navButton("Next", push("/page2"))
        }
    }

    private static func page84() -> any Page {
        formPage("Reset Variables") {
            textfield("Text", varName: "reset_text").initialValue("initial text")
            checkbox("Box", varName: "reset_box").initialValue(true)
            selector("Choice", varName: "reset_choice", options: ["one", "two"], initialValue: "two")
            formButton("Reset the text", resetVar("reset_text"))
            formButton("Reset all", resetVar("reset_text"), resetVar("reset_box"), resetVar("reset_choice"))
            text("The text field shows its text until this page is opened anew; what is sent is the initial text.")
        }
    }

    private static func page85() -> any Page {
        formPage("Actions") {
            formButton("launch_url", launchURL("https://www.example.com/support"))
            formButton("poll", poll())
            formButton("pop", pop())
            formButton("push", push("/page2"))
            formButton("replace_all", replaceAll("/"))
            formButton("rpc", rpc("/ok"))
            formButton("rpc, on_user_error_poll", rpc("/ok", onUserErrorPoll: true))
        }
    }

    private static func page86() -> any Page {
        formPage("Modal") {
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
    }

    private static func page87() -> any Page {
        formPage("Stop Actions") {
            formButton("Calls an rpc and stays here", rpc("/ok"), stopActions(), pop())
            formButton("Calls an rpc and leaves", rpc("/ok"), pop())
        }
    }

    private static func page88() -> any Page {
        listPage("Photos") {
            formSection("Send") {
                navButton("Choose a photo", choosePhoto("/photos/add"), poll())
                navButton("Choose a photo, cut to a square", choosePhoto("/photos/add", aspectRatio: 1), poll())
                navButton("Take a photo", takePhoto("/photos/add"), poll())
            }
            formSection("Be refused") {
                navButton("Forbidden, before it is sent", choosePhoto("/photos/forbidden"))
                    .subText("403 in place of 100 Continue")
                navButton("Too large", choosePhoto("/photos/tiny")).subText("422: 100 bytes are allowed")
            }
            formSection("Everybody's photos") { text("There are none.") }
        }
    }

    private static func page89() -> any Page {
        formPage("Log In") {
            text("This is a demo: the password isn't checked.")
            textfield("Name", varName: "notes_name").allow(.ascii).maxLines(1)
            textfield("Password", varName: "notes_password").allow(.ascii).maxLines(1)
            formButton("Log In", rpc("/notes/log_in/submit"), replaceAll("/notes"))
            navButton("Create an account", push("/notes/new_account"))
        }
    }

    private static func page90() -> any Page {
        formPage("Riverside Library") {
            text("This app is made of the files in Routes/. Visit number 2.")
            navButton("Books", push("/books"))
            navButton("Search", push("/search"))
            navButton("Shop", push("/shop")).subText("0 pieces in your cart")
            navButton("My Card", push("/card")).subText("You must be logged in")
            navButton("Log In", push("/log_in"))
            navButton("A Slow Page", push("/slow")).subText("Three seconds")
            formButton("An Rpc That Fails", rpc("/outage"))
        }
    }

    private static func page91() -> any Page {
        formPage("Books") {
            navButton("The River Map", push("/books/1")).subText("A. Fenn")
            navButton("Bread for Beginners", push("/books/2")).subText("M. Okoye")
            navButton("A book that nobody has", push("/books/3"))
        }
    }

    private static func page92() -> any Page {
        navPage("Log In") {
            form {
                textfield("Name", varName: "username")
                formButton("Log In", rpc("/account/log_in"), replaceAll("/"), push("/card"))
            }
        }
    }

    private static func page93() -> any Page {
        navPage("Search") {
            form { textfield("Title", varName: "search").pollDelay(.milliseconds(300)) }
        }
    }

    private static func page94() -> any Page {
        formPage("The Library's Shop") {
            navButton("Your Cart", push("/shop/cart")).subText("0 pieces")
            navButton("A Print of the River Map", push("/shop/goods/1")).subText("12.50 €")
            navButton("A Linen Bag", push("/shop/goods/2")).subText("7.90 €")
            navButton("A Bookmark", push("/shop/goods/3")).subText("1.20 €")
        }
    }

    private static func page95() -> any Page {
        formPage("Your Cart") { text("Your cart is empty.") }
    }

    private static func page96() -> any Page {
        navPage("Thank You") {
            form {
                text("You have ordered nothing yet.")
                navButton("Back to the Shop", replaceAll("/shop"))
            }
        }
    }

    private static func page97() -> any Page {
        navPage("A Slow Page") {
            form { text("That took three seconds.") }
        }
    }
}
