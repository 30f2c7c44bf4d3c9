import BacklotJSON
import Xpedite

/// One customer.
struct CustomerPage {
    let customer: Customer

    var page: Page {
        let entry = customer.entry
        return Xpedite.page(entry.name) {
            CustomerMenu.navigation
            barButton(.right, icon: "pencil") {
                menuEntry(Method("editCustomer", ["id": .string("\(customer.id)")]))
            }
            scrollview {
                label(entry.name).fontsize(24).color("#333333")
                label(entry.email)
                if let day = entry.dob { label("Born on \(day)") }
                if let notes = entry.notes, !notes.isBlank { label(notes).background("#F5F5F5").align(.justify) }
                label(entry.active ? "Active" : "Not active")
                label("Country: \(CustomerFormPage.countries[entry.country] ?? entry.country)")
                label("Plan: \(CustomerFormPage.plans[entry.plan] ?? entry.plan)")
            }
            .size(width: .percent(100), height: .percent(60))
            button("All customers").method("customers").size(y: .after(10))
        }
    }
}
