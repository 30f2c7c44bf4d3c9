import Applin
import Backlot
import FoundationEssentials
import Testing

/// A component is a widget like any other, and is judged by itself.
@Suite(.timeLimit(.minutes(5))) struct ComponentTests {
    private struct PriceTag: Component {
        var name = "Tea"
        var price = 0

        var body: any Widget {
            column {
                text(name)
                if price == 0 { text("free") } else { text("\(price) kr") }
            }
        }
    }

    private struct Choice: Component {
        let isText: Bool

        var body: any Widget {
            if isText { text("a") } else { empty() }
        }
    }

    private struct Search: Component {
        var names = ["q"]
        var target = "/found"

        var body: any Widget {
            form {
                for name in names { textfield("Search", varName: name) }
                formButton("Search") { push(target) }
            }
        }
    }

    /// Its properties have the names of functions.
    private struct Card: Component {
        let text = "Tea"
        let image = "/tea.png"
        let button = "Buy"
        let column = 2
        let form = true

        var body: any Widget {
            form {
                column {
                    text(text)
                    image(image, aspectRatio: Double(column))
                }
                button(button, push("/buy"))
                button(button) { if form { pop() } }
            }
        }
    }

    @Test func `Its properties may have the names of functions`() {
        let expected = """
            {"typ":"form","widgets":[{"typ":"column","align":"start","widgets":[{"typ":"text","text":"Tea"},\
            {"typ":"image","url":"/tea.png","aspect_ratio":2,"disposition":"cover"}]},\
            {"typ":"button","text":"Buy","actions":["push:/buy"]},{"typ":"button","text":"Buy","actions":["pop"]}]}
            """
        #expect(encoded(Card()) == expected)
    }

    @Test(arguments: Dialect.allCases)
    func `It is written as what it is made of`(dialect: Dialect) {
        let parts = column {
            text("Tea")
            text("free")
        }
        #expect(encoded(PriceTag(), dialect: dialect) == encoded(parts, dialect: dialect))
        #expect(PriceTag().typ.description == "column")
        #expect(PriceTag().children.map(\.typ.description) == ["text", "text"])
        #expect(encoded(Choice(isText: true)) == #"{"typ":"text","text":"a"}"#)
        #expect(encoded(Choice(isText: false)) == #"{"typ":"empty"}"#)
    }

    @Test func `It stands wherever a widget can stand`() {
        let page = navPage("Shop") {
            scroll {
                form {
                    PriceTag()
                    for price in [1, 2] { PriceTag(price: price) }
                    if true { Choice(isText: true) }
                }
            }
        }
        let one = navPage("Shop") { PriceTag() }
        #expect(encoded(page).components(separatedBy: "\"typ\":\"column\"").count == 4)
        #expect(encoded(one).hasSuffix(#""widget":\#(encoded(PriceTag()))}"#))
    }

    @Test func `Without mistakes there are no findings`() {
        #expect(PriceTag().findings() == [])
        #expect(Search().findings() == [])
        #expect(Choice(isText: true).findings(dialect: .documented) == [])
        #expect(text("any widget").findings() == [])
    }

    @Test func `A mistake is named with its place in the component`() throws {
        let finding = try #require(Search(names: ["q", "q"]).findings().first)
        #expect(finding.rule == "duplicate-var-name")
        #expect(finding.path.page == "Search")
        #expect(finding.path.pointer == "/widgets/1/var_name")
        #expect(finding.path.description.hasPrefix("Search › form"))
        #expect(Search(target: "found").findings().map(\.path.page) == ["Search"])
    }

    @Test func `It is judged for the oldest client of the app`() {
        let all = Search(names: ["a#b", "a%b"])
        #expect(all.findings(clients: "0.34"...).contains { $0.rule == "colliding-var-names" })
    }
}
