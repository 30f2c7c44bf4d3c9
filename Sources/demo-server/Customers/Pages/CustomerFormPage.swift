import BacklotJSON
import Xpedite

/// A form with every kind of field, for a new customer or one there is.
struct CustomerFormPage {
    static let formID = "customer-form"
    static let countries = ["AU": "Australia", "NZ": "New Zealand", "US": "United States"]
    static let plans = ["S": "Small", "M": "Medium", "L": "Large"]

    /// Who is changed; nil for a new one.
    let customer: Customer?

    var page: Page {
        let entry = customer?.entry
        let id = customer.map { customer -> JSONObject in ["id": .string("\(customer.id)")] }
        return Xpedite.page(customer == nil ? "Add Customer" : "Change Customer") {
            CustomerMenu.navigation
            form(Self.formID) {
                section("Personal details")
                textbox("name").title("Name").placeholder("Enter name").value(entry?.name).id("name-field")
                    .onEnter("email-field").returnkey(.next).focus()
                textbox("email").title("Email").value(entry?.email).id("email-field").keyboard(.email)
                    .autotextDisabled()
                password("pin").title("PIN").placeholder("For the shop")
                date("dob").title("Date of birth").value(entry?.dob)
                textview("notes").title("Notes").placeholder("Enter notes").value(entry?.notes)
                section("Account")
                checkbox("active").title("Active customer").value(entry?.active ?? true)
                select("country", options: Self.countries).title("Country").value(entry?.country ?? "NZ")
                radio("plan", options: Self.plans).title("Plan").value(entry?.plan ?? "M")
            }
            .style(.inline)
            .title(customer == nil ? "Add Customer" : "Change Customer")
            .save(Method("saveCustomer", id))
            .cancel("customers")
        }
    }
}
