import Testing

@testable import Xpedite

/// The statements that a list accepts between its braces.
@Suite(.timeLimit(.minutes(5))) struct BuilderTests {
    private func texts(_ page: Page) -> [String] { page.components.compactMap { ($0 as? Label)?.text } }

    @Test(arguments: [(true, 1), (false, 2)])
    func `Conditions, loops and lists made elsewhere`(isOn: Bool, number: Int) {
        let made: [any Component] = [label("x"), label("y")]
        let page = page {
            if isOn { label("on") }
            if isOn { label("either") } else { label("or") }
            switch number {
            case 1: label("one")
            default: label("many")
            }
            for index in 0..<2 { label("\(index)") }
            made
            if let text = Int("7") { label("\(text)") }
        }
        let expected = isOn ? ["on", "either", "one"] : ["or", "many"]
        #expect(texts(page) == expected + ["0", "1", "x", "y", "7"])
    }

    @Test func `A builder may be empty`() {
        #expect(page {}.components.isEmpty)
        #expect(form {}.fields.isEmpty)
        #expect(table("t").cells.isEmpty)
    }
}
