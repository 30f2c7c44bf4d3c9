import Applin
import Testing

/// back_button, button, form_button and nav_button.
@Suite(.timeLimit(.minutes(5))) struct ButtonTests {
    @Test func `A back button has actions, also when they are empty`() {
        #expect(encoded(StartWidget { pop() }) == #"{"typ":"back_button","actions":["pop"]}"#)
        #expect(encoded(StartWidget {}) == #"{"typ":"back_button","actions":[]}"#)
    }

    @Test func `A button has a text and actions, also when they are empty`() {
        let enabled = button("Add") {
            rpc("/add_item")
            pop()
        }
        #expect(encoded(enabled) == #"{"typ":"button","text":"Add","actions":["rpc:/add_item","pop"]}"#)
        #expect(encoded(button("Add") {}) == #"{"typ":"button","text":"Add","actions":[]}"#)
    }

    @Test func `A form button has a text and actions, also when they are empty`() {
        #expect(encoded(formButton("Next") { pop() }) == #"{"typ":"form_button","text":"Next","actions":["pop"]}"#)
        #expect(encoded(formButton("Next") {}) == #"{"typ":"form_button","text":"Next","actions":[]}"#)
    }

    @Test(arguments: [(Align.start, "start"), (.center, "center"), (.end, "end")])
    func `A form button can be aligned`(_ align: Align, wire: String) {
        #expect(
            encoded(formButton("Next") {}.align(align))
                == #"{"typ":"form_button","text":"Next","align":"\#(wire)","actions":[]}"#
        )
    }

    @Test func `A nav button has a text and actions, also when they are empty`() {
        #expect(
            encoded(navButton("Page 1") { push("/p1") })
                == #"{"typ":"nav_button","text":"Page 1","actions":["push:/p1"]}"#
        )
        #expect(encoded(navButton("Page 1") {}) == #"{"typ":"nav_button","text":"Page 1","actions":[]}"#)
    }

    @Test func `Options of a nav button are written, and nil removes them`() {
        let all = navButton("Page 1") {}.subText("sub").badgeText("5").photoURL("/image.png")
        #expect(
            encoded(all) == #"{"typ":"nav_button","text":"Page 1","sub_text":"sub","badge_text":"5","#
                + #""photo_url":"/image.png","actions":[]}"#
        )
        #expect(encoded(all.subText(nil).badgeText(nil).photoURL(nil)) == encoded(navButton("Page 1") {}))
    }

    /// `any Widget` has room for three words. A larger button needs an allocation, and most pages have several buttons.
    @Test func `A button fits into an existential without an allocation`() {
        let most = 3 * MemoryLayout<Int>.size
        #expect(MemoryLayout<Button>.size <= most)
        #expect(MemoryLayout<FormButton>.size <= most)
        #expect(MemoryLayout<NavButton>.size <= most)
    }
}
