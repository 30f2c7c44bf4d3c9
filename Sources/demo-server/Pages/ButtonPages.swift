import Applin
import Backlot

extension DemoSection {
    /// Buttons of each kind.
    static func buttons(_ switches: Switches) -> DemoSection {
        DemoSection("Buttons") {
            DemoPage("/button", "Button", "Short, long, disabled", in: .column) {
                for text in ["Button", SampleTexts.manyWords, SampleTexts.longWord] {
                    button(text, rpc("/add_item"), pop())
                }
                button("Disabled Button") {}
            }

            DemoPage("/form_button", "Form Button", "Lengths and alignments") {
                for text in ["Button", SampleTexts.manyWords, SampleTexts.longWord] { itemButton(text) }
                formButton("Disabled") {}
                itemButton("Start Aligned").align(.start)
                itemButton("Center Aligned").align(.center)
                itemButton("End Aligned").align(.end)
            }

            // Buttons that lead to other pages: with sub-texts, badges and photos.
            DemoPage.ofSession("/nav_button", "Nav Button", "Sub-texts, badges, photos") { session in
                let isShown = Misbehaviour.isShown(session)
                return formPage("Nav Button") {
                    navButton("Page 1", push("/p1"))
                    navButton("Page 2", push("/p2")).subText("A very nice page")
                    navButton("Page 3", push("/p3")).badgeText("5")
                    navButton("Page 4", push("/p4")).badgeText("123456789012345678901234567890")
                    navButton("Page 5", push("/p5")).photoURL("/image.png")
                    if isShown { navButton("Page 6", push("/p6")).photoURL("/nonexistent.png") }
                    navButton("Disabled") {}
                    navButton(SampleTexts.manyWords, push("/mmmm_mmmm"))
                    navButton(SampleTexts.longWord, push("/mmmmmmmm"))
                    Misbehaviour.toggle(isShown)
                }
            }

            // Checkboxes with values that the backend keeps: a tap calls an rpc.
            DemoPage.waiting("/checkbox_button", "Checkbox Button", "The backend keeps the value") { _ in
                let isOn = await switches.isOn("light")
                return formPage("Checkbox Button") {
                    text("Everybody who uses this server sees the same value.")
                    checkboxButton("The light is on", rpc("/checkbox_button/toggle"), poll()).initialValue(isOn)
                    checkboxButton("Goes back, because its rpc is refused", rpc("/user_error"))
                    checkboxButton("Without actions") {}
                }
            }
            .clients("0.38").only(.objects)
            .targets { app in
                app.rpc("/checkbox_button/toggle") { _ in await switches.toggle("light") }
            }
        }
    }

    private static func itemButton(_ text: String) -> FormButton {
        formButton(text, rpc("/add_item"), pop())
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
