import BacklotJSON
import Xpedite

/// A field to search by, in no form, and what was found.
struct CustomerSearchPage {
    /// What was looked for; nil at first.
    let text: String?
    let results: [Customer]

    var page: Page {
        Xpedite.page("Search") {
            CustomerMenu.navigation
            textbox("search").placeholder("Part of a name").value(text).returnkey(.search).focus()
                .size(width: .percent(70))
            button(icon: "magnifyingglass").method(Method("find").formdata())
                .size(width: .relative(100), x: .after(10))
            for customer in results {
                button(customer.entry.name).method(Method("viewCustomer", ["id": .string("\(customer.id)")]))
            }
            if let text, results.isEmpty {
                label("Nobody is called “\(text)”.")
            }
        }
    }
}
