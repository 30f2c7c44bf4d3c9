import Applin
import Backlot

/// Buttons: one of each length, and a disabled one.
struct ButtonPage: ReadyPage {
    let path = "/button"
    let title = "Button"
    let subText = "Short, long, disabled"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    button("Button") {
                        rpc("/add_item")
                        pop()
                    }
                    button(SampleTexts.manyWords) {
                        rpc("/add_item")
                        pop()
                    }
                    button(SampleTexts.longWord) {
                        rpc("/add_item")
                        pop()
                    }
                    button("Disabled Button") {}
                }
            }
        }
    }
}

/// Buttons in a form: one of each length, a disabled one, and each alignment.
struct FormButtonPage: ReadyPage {
    let path = "/form_button"
    let title = "Form Button"
    let subText = "Lengths and alignments"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formButton("Button") {
                        rpc("/add_item")
                        pop()
                    }
                    formButton(SampleTexts.manyWords) {
                        rpc("/add_item")
                        pop()
                    }
                    formButton(SampleTexts.longWord) {
                        rpc("/add_item")
                        pop()
                    }
                    formButton("Disabled") {}
                    formButton("Start Aligned") {
                        rpc("/add_item")
                        pop()
                    }
                    .align(.start)
                    formButton("Center Aligned") {
                        rpc("/add_item")
                        pop()
                    }
                    .align(.center)
                    formButton("End Aligned") {
                        rpc("/add_item")
                        pop()
                    }
                    .align(.end)
                }
            }
        }
    }
}

/// Buttons that lead to other pages: with sub-texts, badges and photos.
struct NavButtonPage: SessionPage {
    let path = "/nav_button"
    let title = "Nav Button"
    let subText = "Sub-texts, badges, photos"

    func page(_ request: Request, _ session: Session) throws -> any Page {
        let isShown = Misbehaviour.isShown(session)
        return navPage(title) {
            scroll {
                form {
                    navButton("Page 1") { push("/p1") }
                    navButton("Page 2") { push("/p2") }.subText("A very nice page")
                    navButton("Page 3") { push("/p3") }.badgeText("5")
                    navButton("Page 4") { push("/p4") }.badgeText("123456789012345678901234567890")
                    navButton("Page 5") { push("/p5") }.photoUrl("/image.png")
                    if isShown { navButton("Page 6") { push("/p6") }.photoUrl("/nonexistent.png") }
                    navButton("Disabled") {}
                    navButton(SampleTexts.manyWords) { push("/mmmm_mmmm") }
                    navButton(SampleTexts.longWord) { push("/mmmmmmmm") }
                    Misbehaviour.toggle(isShown)
                }
            }
        }
    }
}

/// Checkboxes whose value the backend keeps: a tap calls an rpc.
struct CheckboxButtonPage: WaitingPage {
    let path = "/checkbox_button"
    let title = "Checkbox Button"
    let subText = "The backend keeps the value"
    let clients: ClientVersion = "0.38"
    let dialects = [Dialect.objects]
    let switches: Switches

    func page(_ request: Request) async -> any Page {
        let isOn = await switches.isOn(path)
        return navPage(title) {
            scroll {
                form {
                    text("Everybody who uses this server sees the same value.")
                    checkboxButton("The light is on") {
                        rpc("/checkbox_button/toggle")
                        poll()
                    }
                    .initialBool(isOn)
                    checkboxButton("Goes back, because its rpc is refused") { rpc("/user_error") }
                    checkboxButton("Without actions") {}
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/checkbox_button/toggle") { _ in await switches.toggle(path) }
    }
}

/// Things that are on or off, by name.
actor Switches {
    private var on: Set<String> = []

    func isOn(_ name: String) -> Bool { on.contains(name) }

    func toggle(_ name: String) {
        if on.remove(name) == nil { on.insert(name) }
    }
}
