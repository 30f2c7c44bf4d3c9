import Backlot
import Xpedite

/// Code of the article "Xpedite" about methods as values, tables, groups and frames.
enum XpediteMethodsCode {
    struct CustomerID: Codable, Sendable { let id: Int }
    struct Customer: Codable, Sendable { var name = "", email = "", active = true }

    struct CustomerQuery: Codable, Sendable { var text: String }

    struct RequireAdmin: CallGuard {
        func check(_ call: Call) async throws {
            guard call.session.user == "ann" else { throw UserError("Only Ann may do that.") }
        }
    }

    actor Customers {
        func customer(_ id: Int) throws -> Customer { Customer() }
        func change(_ id: Int, to customer: Customer) throws -> Customer { customer }
        func matching(_ text: String, from offset: Int, limit: Int) throws -> [Customer] { [] }
    }

    static let search = Method<CustomerQuery>("search")

    static func customerPage(_ customer: Customer) -> Page { page(customer.name) { label(customer.email) } }

    static func mount(on app: XpediteApp, _ customers: Customers) {
        let home = Method("home")  // takes no input
        let viewCustomer = Method<CustomerID>("viewCustomer")
        let saveCustomer = Method<Customer>("saveCustomer")

        app.method(home) { call in
            page("Home") { button("Ann").method(viewCustomer(CustomerID(id: 7))) }
        }
        app.method(viewCustomer, selected: \.id) { input, call in  // `selected` where a tapped row calls it
            let customer = try await customers.customer(input.id)
            return page(customer.name) {
                form(id: "customer") {
                    textbox(\.name, of: customer).title("Name")  // named and filled by a property
                    textbox(\.email, of: customer).title("Email")
                    checkbox(\.active, of: customer).title("Active")
                }
                .save(saveCustomer.with(input))  // `with`: values besides the form's
            }
        }
        app.method(saveCustomer, form: "customer") { customer, call in
            customer.email.contains("@") ? [:] : FormErrors(\Customer.email, "must have an @")
        } handler: { customer, call in
            let id = try call.decode(CustomerID.self).id
            return try await customerPage(customers.change(id, to: customer)).notice("Saved.")
        }
    }

    static func addTable(to app: XpediteApp, _ customers: Customers) {
        let viewCustomer = Method<CustomerID>("viewCustomer")
        let customerRows = TableMethod<CustomerQuery>("customerRows")

        app.table(customerRows, batch: 50) { query, offset, limit, call in
            try await customers.matching(query.text, from: offset, limit: limit)
        }
        app.method(search) { input, call in
            page("Found") {
                table(customerRows, CustomerQuery(text: input.text)) { cell("name") }
                    .clickRow(viewCustomer, by: \.id)
            }
        }
    }

    static func addGroup(to app: XpediteApp) {
        app.group(RequireLogin("Please log in first."), RequireAdmin()) { members in
            members.method("secrets") { call in page("Secrets") { label("Only for Ann") } }
        }
    }

    static func addFrame(to app: XpediteApp) {
        let mainMenu = label("Clinic")
        app.frame { call in
            mainMenu
            if let user = call.session.user { label("Logged in as \(user)").align(.right) }
        } below: { call in
            label("© 2026")
        }
    }
}
