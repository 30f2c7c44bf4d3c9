import Backlot
import BacklotJSON
import BacklotTesting
import Testing
import Xpedite

/// Code of the article "Xpedite".
enum XpediteCode {
    struct NewCustomer: Decodable {
        var name: String
        var active: Bool  // a checkbox sends "1" or "0"
        var dob: Day?  // a date sends yyyy-MM-dd
    }

    actor Customers {
        private var names: [String] = []

        func rows(offset: Int, limit: Int) throws -> [JSONObject] {
            names.dropFirst(offset).prefix(limit).map { ["name": .string($0)] }
        }

        func isFree(_ name: String) -> Bool { !names.contains(name) }

        func add(_ customer: NewCustomer) throws { names.append(customer.name) }
    }

    static func mount(on router: Router, _ customers: Customers) {
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { device in
                page("Home") { button("Customers").method("customers") }
            }
            app.method("customers") { call in
                page("Customers") {
                    barButton(.right, icon: "plus") { menuEntry("addCustomer") }
                    table("listCustomers") { cell("name") }.refresh("Pull to refresh")
                }
            }
            app.table("listCustomers", batch: 50) { offset, limit, call in
                try await customers.rows(offset: offset, limit: limit)  // `max` is added by itself
            }
            app.method("addCustomer") { call in
                page("New customer") {
                    form(id: "customer") {
                        textbox(name: "name").title("Name")
                        checkbox(name: "active").title("Active")
                        date(name: "dob").title("Born")
                    }
                    .save("saveCustomer")
                }
            }
            app.method("saveCustomer", NewCustomer.self, form: "customer") { input, call in
                await customers.isFree(input.name) ? [:] : ["name": "is taken"]
            } handler: { input, call in
                try await customers.add(input)
                return page("Customers") { table("listCustomers") { cell("name") } }
            }
        }
    }

    static func test(_ router: Router) async throws {
        let app = try XpediteClient(router)
        try await app.connect()
        try await app.tap("Customers")
        try await app.loadMore()
        try await app.tapRow(0)
        #expect(app.title == "Alice")
    }
}
