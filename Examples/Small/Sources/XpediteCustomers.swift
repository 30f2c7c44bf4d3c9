// Xpedite: methods as values, a table that loads its rows in batches, a form with errors at its fields.
// Run it with `swift run --package-path Examples/Small xpedite-customers`. Clients connect to http://127.0.0.1:8080/xpedite.
import Backlot
import Xpedite

struct Customer: Codable, Sendable { var id: Int, name: String, email: String }
struct CustomerID: Codable, Sendable { let id: Int }
struct NewCustomer: Codable, Sendable { var name = "", email = "" }

actor Customers {
    private var all = (1...120).map { Customer(id: $0, name: "Customer \($0)", email: "\($0)@example.com") }

    func rows(from offset: Int, limit: Int) -> [Customer] { Array(all.dropFirst(offset).prefix(limit)) }

    func customer(_ id: Int) throws -> Customer {
        guard let customer = all.first(where: { $0.id == id }) else { throw UserError("This customer has left.") }
        return customer
    }

    func add(_ new: NewCustomer) { all.insert(Customer(id: all.count + 1, name: new.name, email: new.email), at: 0) }
}

func makeRouter(_ customers: Customers = Customers()) -> Router {
    let router = Router()
    router.xpedite("/xpedite", version: 1) { app in
        let viewCustomer = Method<CustomerID>("viewCustomer")
        let newCustomer = Method("newCustomer")
        let addCustomer = Method<NewCustomer>("addCustomer")
        let rows = TableMethod("customerRows")
        @Sendable func list() -> Page {
            page("Customers") {
                barButton(.right, icon: "plus") { menuEntry(newCustomer) }
                table(rows) { cell("name") }.refresh("Pull to refresh").clickRow(viewCustomer, by: \.id)
            }
        }
        app.connect { _ in list() }
        app.table(rows, batch: 50) { offset, limit, _ in await customers.rows(from: offset, limit: limit) }
        app.method(viewCustomer, selected: \.id) { input, _ in
            let customer = try await customers.customer(input.id)
            return page(customer.name) { label(customer.email) }
        }
        app.method(newCustomer) { _ in
            page("New customer") {
                form(id: "customer") {
                    textbox(\.name, of: NewCustomer()).title("Name")
                    textbox(\.email, of: NewCustomer()).title("Email")
                }
                .save(addCustomer)
            }
        }
        app.method(addCustomer, form: "customer") { customer, _ in
            customer.email.contains("@") ? [:] : FormErrors(\NewCustomer.email, "must have an @")
        } handler: { customer, _ in
            await customers.add(customer)
            return list().notice("Saved.")
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
