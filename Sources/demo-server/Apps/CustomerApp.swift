import Backlot
import Xpedite

/// An Xpedite app as a whole: customers to list, view, add, change and search, with a log-in, a menu and pictures.
struct CustomerApp: Sendable {
    /// The app's base path.
    static let path = "/xpedite"
    /// The app's version. When you raise it, clients drop the pages that they keep.
    static let version = 1

    let customers: CustomerStore

    /// Adds the app's beginning, methods and tables.
    func register(on router: Router, sessions: any SessionStore) {
        router.xpedite(Self.path, version: Self.version, sessions: sessions) { app in
            app.frame { _ in CustomerPages.menu }
            app.connect { _, call in CustomerPages.start(user: call.session.user, begins: true) }
            app.method(CustomerMethods.home) { call in CustomerPages.start(user: call.session.user) }
            app.method(CustomerMethods.customers) { _ in CustomerPages.list }
            app.table(CustomerMethods.rows, batch: 25) { offset, limit, call in
                let text = call.parameter("search")?.string ?? ""
                return await customers.customers(matching: text, from: offset, limit: limit).map(\.row)
            }
            app.method(CustomerMethods.view, selected: \.id) { input, _ in
                CustomerPages.view(try await customer(input.id))
            }
            app.group(RequireLogin("Please log in first.")) { members in registerChanges(members) }
            registerSearch(app)
            registerLogIn(app)
            app.method(CustomerMethods.about) { _ in CustomerPages.about }
        }
    }

    private func registerChanges(_ app: XpediteApp) {
        app.method(CustomerMethods.add) { _ in CustomerPages.edit() }
        app.method(CustomerMethods.edit) { input, _ in
            CustomerPages.edit(try await customer(input.id))
        }
        app.method(CustomerMethods.save, form: CustomerPages.customerForm) { entry, call in
            await errors(in: entry, of: Self.id(in: call))
        } handler: { entry, call in
            if let id = Self.id(in: call) {
                try await customers.change(id, to: entry)
                return CustomerPages.view(try await customer(id))
            }
            guard let added = try await customers.add(entry) else { throw UserError("There are too many customers.") }
            return CustomerPages.view(added)
        }
    }

    private func registerSearch(_ app: XpediteApp) {
        app.method(CustomerMethods.search) { _ in CustomerPages.search(nil, []) }
        app.method(CustomerMethods.find) { input, _ in
            let found = await customers.customers(matching: input.search, from: 0, limit: 10)
            return CustomerPages.search(input.search, found)
        }
    }

    private func registerLogIn(_ app: XpediteApp) {
        app.method(CustomerMethods.logIn) { _ in CustomerPages.logIn }
        app.method(CustomerMethods.submitLogIn, form: CustomerPages.logInForm) { entry, _ in
            var errors = FormErrors()
            if entry.user.isBlank { errors[\LogInEntry.user] = "must not be empty" }
            if entry.password != CustomerPages.demoPassword { errors[\LogInEntry.password] = "is not right" }
            return errors
        } handler: { entry, call in
            try call.session.logIn(user: entry.user)
            return CustomerPages.start(user: entry.user)
        }
        app.method(CustomerMethods.logOut) { call in
            try call.session.logOut()
            return CustomerPages.start(user: nil)
        }
    }

    private func customer(_ id: Int) async throws -> Customer {
        guard let customer = await customers.customer(id) else { throw UserError("There is no customer \(id).") }
        return customer
    }

    /// The customer that a call concerns; nil for a new one.
    private static func id(in call: Call) -> Int? { call.parameter("id")?.string.flatMap { Int($0) } }

    private func errors(in entry: CustomerEntry, of id: Int?) async -> FormErrors {
        var errors = FormErrors()
        if entry.name.isBlank { errors[\CustomerEntry.name] = "must not be empty" }
        if !entry.email.contains("@") {
            errors[\CustomerEntry.email] = "must have an @"
        } else if await customers.isTaken(entry.email, butBy: id) {
            errors[\CustomerEntry.email] = CustomerStore.takenText
        }
        let texts = [
            ("name", entry.name), ("email", entry.email), ("pin", entry.pin ?? ""), ("notes", entry.notes ?? ""),
            ("country", entry.country), ("plan", entry.plan),
        ]
        for (name, text) in texts where text.utf8.count > 2000 { errors[name] = "must have at most 2000 bytes" }
        return errors
    }
}

/// The methods of the app.
enum CustomerMethods {
    static let home = Method("home")
    static let customers = Method("customers")
    static let rows = TableMethod("listCustomers")
    static let view = Method<CustomerID>("viewCustomer")
    static let add = Method("addCustomer")
    static let edit = Method<CustomerID>("editCustomer")
    static let save = Method<CustomerEntry>("saveCustomer")
    static let search = Method("search")
    static let find = Method<SearchText>("find")
    static let logIn = Method("login")
    static let submitLogIn = Method<LogInEntry>("submitLogin")
    static let logOut = Method("logout")
    static let about = Method("about")
}

/// The customer that a row or a button names.
struct CustomerID: Codable, Sendable {
    let id: Int

    /// Writes the id as a text, as the protocol's reference does.
    func encode(to encoder: any Encoder) throws { try ["id": "\(id)"].encode(to: encoder) }
}

/// A search for customers.
struct SearchText: Decodable, Sendable {
    let search: String
}

/// The values of the form to log in.
struct LogInEntry: Decodable, Sendable {
    let user: String
    let password: String
}
