import Backlot
import Testing

@testable import Applin

/// A page that is left with its entry in the variables.
@Suite(.timeLimit(.minutes(5))) struct EntryRuleTests {
    private func findings(
        clients: PartialRangeFrom<ClientVersion>? = nil,
        dialect: Dialect = .objects,
        initial: String? = nil,
        @ActionListBuilder _ actions: () -> [any Action]
    ) -> [Finding] {
        let page = navPage("New note") {
            form {
                textfield(varName: "title").initialValue(initial)
                checkbox(varName: "pin")
                formButton("Save", actions)
            }
        }
        return ApplinInspector(dialect: dialect, clients: clients)
            .findings(inBody: page.responseBody(dialect: dialect), path: "/new", app: nil)
            .filter { $0.rule == "entry-is-kept" }
    }

    @Test func `A create page that pops and keeps its entry is a warning`() throws {
        let found = findings {
            rpc("/save")
            pop()
        }
        #expect(found.map(\.severity) == [.warning])
        #expect(
            found.first?.message
                == #"The button calls an rpc and leaves the page, but "title" and 1 more keep their values: "#
                + "somebody who opens the page again sees the last entry."
        )
        #expect(found.first?.fix.contains(#"{"typ":"reset_var","var_name":"title"}"#) == true)
        #expect(found.first?.fix.contains(#"(in Swift: resetVar("title"))"#) == true)
        #expect(found.first?.path.pointer == "/page/widget/widgets/2/actions")
    }

    @Test func `Where some variables are reset, the others are named`() {
        let found = findings {
            rpc("/save")
            resetVar("title")
            pop()
        }
        #expect(found.first?.message.contains(#""pin" keeps its value:"#) == true)
    }

    @Test func `Nothing is found where the entry isn't kept, isn't seen again, or can't be reset`() {
        let all = findings {
            rpc("/save")
            resetVar("title")
            resetVar("pin")
            pop()
        }
        let stays = findings { rpc("/save") }
        let edit = findings(initial: "Tea") {
            rpc("/save")
            pop()
        }
        let old = findings(clients: "0.35"...) {
            rpc("/save")
            pop()
        }
        let documented = findings(dialect: .documented) {
            rpc("/save")
            pop()
        }
        #expect(all + stays + edit + old + documented == [])
    }
}
