import Applin
import Backlot

/// A list that follows what is typed: the field polls the page.
struct SearchPage: DemoPage {
    let path = "/search"
    let title = "Search"
    let subText = "A field that polls while you type"

    private static let term = Variable<String>("search_term")
    private static let fruits = [
        "Apple", "Apricot", "Banana", "Blackberry", "Cherry", "Fig", "Grape", "Lemon", "Lime", "Mango", "Melon",
        "Orange", "Peach", "Pear", "Pineapple", "Plum", "Raspberry", "Strawberry",
    ]

    func page(_ request: Request) async throws -> any Page {
        let term = request.method == .post ? try await request.variables()[Self.term] : ""
        let found = term.isEmpty ? Self.fruits : Self.fruits.filter { $0.lowercased().contains(term.lowercased()) }
        return navPage(title) {
            scroll {
                form {
                    textfield(Self.term).label("Fruit").maxLines(1).pollDelayMs(300)
                    for fruit in found { text(fruit) }
                    if found.isEmpty { text("Nothing found.") }
                }
            }
        }
    }
}
