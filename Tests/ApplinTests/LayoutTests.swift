import Applin
import Testing

/// column, empty, form, form_section and scroll.
@Suite(.timeLimit(.minutes(5))) struct LayoutTests {
    @Test func `A column has its alignment and its widgets`() {
        #expect(encoded(column {}) == #"{"typ":"column","align":"start","widgets":[]}"#)
        let two = column {
            text("a")
            empty()
        }
        #expect(
            encoded(two) == #"{"typ":"column","align":"start","widgets":[{"typ":"text","text":"a"},{"typ":"empty"}]}"#
        )
        #expect(two.children.map(\.typ.description) == ["text", "empty"])
    }

    @Test(arguments: [(Align.start, "start"), (.center, "center"), (.end, "end")])
    func `A column can be aligned`(_ align: Align, wire: String) {
        #expect(encoded(column {}.align(align)) == #"{"typ":"column","align":"\#(wire)","widgets":[]}"#)
    }

    @Test(arguments: [(16.0, "16"), (0, "0"), (8.5, "8.5")])
    func `A whole spacing is written without a fraction`(_ spacing: Double, wire: String) {
        #expect(
            encoded(column {}.spacing(spacing)) == #"{"typ":"column","align":"start","spacing":\#(wire),"widgets":[]}"#
        )
    }

    @Test func `An empty widget has only its type`() {
        #expect(encoded(empty()) == #"{"typ":"empty"}"#)
    }

    @Test func `A form has its widgets`() {
        #expect(encoded(form {}) == #"{"typ":"form","widgets":[]}"#)
        let one = form { text("a") }
        #expect(encoded(one) == #"{"typ":"form","widgets":[{"typ":"text","text":"a"}]}"#)
        #expect(one.children.map(\.typ.description) == ["text"])
    }

    @Test func `A form section has its title and its widgets`() {
        #expect(encoded(formSection {}) == #"{"typ":"form_section","widgets":[]}"#)
        let titled = formSection("Section 1") { empty() }
        #expect(encoded(titled) == #"{"typ":"form_section","title":"Section 1","widgets":[{"typ":"empty"}]}"#)
        #expect(titled.children.map(\.typ.description) == ["empty"])
    }

    @Test func `A scroll has its widget, and can turn pull to refresh off`() {
        let plain = scroll { empty() }
        #expect(encoded(plain) == #"{"typ":"scroll","widget":{"typ":"empty"}}"#)
        #expect(plain.children.map(\.typ.description) == ["empty"])
        #expect(
            encoded(plain.pullToRefresh(false)) == #"{"typ":"scroll","pull_to_refresh":false,"widget":{"typ":"empty"}}"#
        )
        #expect(encoded(plain.pullToRefresh(nil)) == encoded(plain))
    }
}
