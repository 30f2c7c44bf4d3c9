import Backlot
import Xpedite

/// An Xpedite app as a whole: customers to list, view, add, change and search, with a log-in, a menu and pictures.
struct CustomerApp: Sendable {
    /// Where it is mounted.
    static let path = "/xpedite"
    /// Its version: raise it, and clients drop what they have kept.
    static let version = 1

    let customers: CustomerStore

    /// Adds the app's beginning, methods and tables.
    func register(on router: Router, sessions: any SessionStore) {
        router.xpedite(Self.path, version: Self.version, sessions: sessions) { app in
            app.connect { _, call in
                StartPage(user: call.session.user, begins: true).page
            }
            app.method("home") { call in StartPage(user: call.session.user).page }
            app.method("customers") { _ in CustomerListPage().page }
            app.table("listCustomers", batch: 25) { offset, limit, call in
                let text = call.parameter("search")?.string ?? ""
                return await customers.customers(matching: text, from: offset, limit: limit).map(\.row)
            }
            registerCustomers(app)
            registerSearch(app)
            registerLogIn(app)
            app.method("about") { _ in AboutPage().page }
        }
    }

    private func registerCustomers(_ app: XpediteApp) {
        app.method("viewCustomer", CustomerID.self, selected: "id") { input, _ in
            CustomerPage(customer: try await customer(input.id)).page
        }
        app.method("addCustomer") { call in
            try Self.requireLogIn(call)
            return CustomerFormPage(customer: nil).page
        }
        app.method("editCustomer", CustomerID.self) { input, call in
            try Self.requireLogIn(call)
            return CustomerFormPage(customer: try await customer(input.id)).page
        }
        app.method("saveCustomer", CustomerEntry.self, form: CustomerFormPage.formID) { entry, call in
            try Self.requireLogIn(call)
            return await errors(in: entry, of: Self.id(in: call))
        } handler: { entry, call in
            if let id = Self.id(in: call) {
                await customers.change(id, to: entry)
                return CustomerPage(customer: try await customer(id)).page
            }
            guard let added = await customers.add(entry) else { throw UserError("There are too many customers.") }
            return CustomerPage(customer: added).page
        }
    }

    private func registerSearch(_ app: XpediteApp) {
        app.method("search") { _ in CustomerSearchPage(text: nil, results: []).page }
        app.method("find", SearchText.self) { input, _ in
            let found = await customers.customers(matching: input.search, from: 0, limit: 10)
            return CustomerSearchPage(text: input.search, results: found).page
        }
    }

    private func registerLogIn(_ app: XpediteApp) {
        app.method("login") { _ in LogInFormPage().page }
        app.method("submitLogin", LogInEntry.self, form: LogInFormPage.formID) { entry, _ in
            var errors = FormErrors()
            if entry.user.isBlank { errors["user"] = "must not be empty" }
            if entry.password != LogInFormPage.demoPassword { errors["password"] = "is not right" }
            return errors
        } handler: { entry, call in
            try call.session.logIn(user: entry.user)
            return StartPage(user: entry.user).page
        }
        app.method("logout") { call in
            try call.session.logOut()
            return StartPage(user: nil).page
        }
    }

    private func customer(_ id: Int) async throws -> Customer {
        guard let customer = await customers.customer(id) else { throw UserError("There is no customer \(id).") }
        return customer
    }

    /// The customer that a call is about; nil for a new one.
    private static func id(in call: Call) -> Int? { call.parameter("id")?.string.flatMap { Int($0) } }

    private func errors(in entry: CustomerEntry, of id: Int?) async -> FormErrors {
        var errors = FormErrors()
        if entry.name.isBlank { errors["name"] = "must not be empty" }
        if !entry.email.contains("@") {
            errors["email"] = "must have an @"
        } else if await customers.isTaken(entry.email, butBy: id) {
            errors["email"] = "belongs to somebody else"
        }
        return errors
    }

    private static func requireLogIn(_ call: Call) throws {
        guard call.session.user != nil else { throw UserError("Please log in first.") }
    }
}

/// The customer that a row or a button names.
struct CustomerID: Decodable, Sendable {
    let id: Int
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
