import Applin
import Backlot
import DynamicViews
import Floki
import Testing
import Xpedite

/// Pages of Applin where all protocols are imported: functions need no prefix, names of types do.
@Suite(.timeLimit(.minutes(5))) struct SeveralProtocolsTests {
    private struct Card: Applin.Component {
        let text: String
        var body: any Applin.Widget { column { text(text) } }
    }

    @Test func `Functions need no prefix`() {
        let page = navPage("A", start: backButton(rpc("/save"), pop())) {
            scroll {
                form {
                    Card(text: "b")
                    errorText("c")
                    button("d", push("/e"), poll())
                    navButton("f") { replaceAll("/") }
                    image("/g.png", aspectRatio: 1)
                    textfield("h", varName: "h")
                    checkbox("i", varName: "i")
                    selector("j", varName: "j", options: ["k"], initialValue: "k")
                    formSection("l") { empty() }
                    groupedRowTable { row(text("m"), nil) }
                }
            }
        }
        let types = page.widget.children[0].children.map(\.typ.description)
        #expect(
            types == [
                "column", "error_text", "button", "nav_button", "image", "textfield", "checkbox", "selector",
                "form_section",
                "grouped_row_table",
            ]
        )
    }
}
