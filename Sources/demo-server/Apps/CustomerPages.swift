import Xpedite

/// The pages of the customers' app.
enum CustomerPages {
    static let logInForm = "login-form"
    /// The password of every user.
    static let demoPassword = "secret"
    static let customerForm = "customer-form"
    private static let logo = Preload(id: "logo", url: "https://www.example.com/backlot/logo.png", load: .critical)
    private static let countries = ["AU": "Australia", "NZ": "New Zealand", "US": "United States"]
    private static let plans = ["S": "Small", "M": "Medium", "L": "Large"]

    /// The first page. It gives a session its defaults and its pictures.
    ///
    /// - Parameter begins: whether a session begins with it.
    static func start(user: String?, begins: Bool = false) -> Page {
        var start = Xpedite.page("Backlot Customers") {
            image(id: "logo").size(width: .percent(50), x: .center)
            label(user.map { "Welcome, \($0)" } ?? "Welcome").fontsize(24).align(.center)
            button("Customers").method(CustomerMethods.customers).style(.button)
                .size(width: .percent(60), height: 44, x: .center)
            if user == nil { button("Log in to change them").method(CustomerMethods.logIn).color("#0057B7") }
            button("About this app").method(CustomerMethods.about)
        }
        if begins {
            start = start.setDefaults(Defaults(font: "Helvetica", fontsize: 16, background: "#FFFFFF"))
        }
        return start.images([logo])
    }

    /// The menu that every page has. Clients keep it, so the whole menu is sent once.
    static var menu: Navigation {
        slideFrom(.left, id: "main-menu", icon: "line.3.horizontal") {
            menuEntry("Home", CustomerMethods.home)
            menuEntry("Customers", CustomerMethods.customers)
            menuEntry("Search", CustomerMethods.search)
            menuDivider()
            menuHeader("Account")
            menuEntry("Log in", CustomerMethods.logIn)
            menuEntry("Log out", CustomerMethods.logOut)
            menuEntry("About", CustomerMethods.about).icon("logo")
        }
        .shade(40)
    }

    /// The page to log in, with any name.
    static var logIn: Page {
        Xpedite.page("Log in") {
            label("Any name will do. The password is “\(demoPassword)”.")
            form(id: logInForm) {
                textbox(name: "user").title("User name").autotextDisabled().id("user-field").onEnter("password-field")
                password(name: "password").title("Password").id("password-field").returnkey(.done)
            }
            .style(.dialog)
            .title("Log in")
            .save(CustomerMethods.submitLogIn, "Log in")
            .cancel(CustomerMethods.home, "Not now")
        }
    }

    /// All customers, batch by batch. Clients keep the page.
    static var list: Page {
        Xpedite.page("Customers") {
            barButton(.right, icon: "ellipsis.circle") {
                menuEntry("Add", CustomerMethods.add).symbol("plus")
                menuEntry("Search", CustomerMethods.search).symbol("magnifyingglass")
            }
            table(CustomerMethods.rows) {
                cell("name").width(60)
                cell("score").width(40).align(.right).color("#007AFF")
            }
            .header {
                heading("Name").width(60).font("headline").scroll(.off)
                heading("Score").width(40).align(.right)
            }
            .clickRow(CustomerMethods.view, by: \.id)
            .refresh("Pull to refresh")
        }
        .id("customer-list")
        .disposition(.expiry(.seconds(3600)))
    }

    /// A search field outside of a form, and the customers that were found.
    ///
    /// - Parameter text: the text of the search; nil before the first search.
    static func search(_ text: String?, _ results: [Customer]) -> Page {
        Xpedite.page("Search") {
            textbox(name: "search").placeholder("Part of a name").value(text).returnkey(.search).focus()
                .size(width: .percent(70))
            button(icon: "magnifyingglass").method(CustomerMethods.find.formdata())
                .size(width: .relative(100), x: .after(10))
            for customer in results {
                button(customer.entry.name).method(CustomerMethods.view(CustomerID(id: customer.id)))
            }
            if let text, results.isEmpty {
                label("Nobody is called “\(text)”.")
            }
        }
    }

    /// One customer.
    static func view(_ customer: Customer) -> Page {
        let entry = customer.entry
        return Xpedite.page(entry.name) {
            barButton(.right, icon: "pencil") {
                menuEntry(CustomerMethods.edit(CustomerID(id: customer.id)))
            }
            scrollview {
                label(entry.name).fontsize(24).color("#333333")
                label(entry.email)
                if let day = entry.dob { label("Born on \(day)") }
                if let notes = entry.notes, !notes.isBlank { label(notes).background("#F5F5F5").align(.justify) }
                label(entry.active ? "Active" : "Not active")
                label("Country: \(countries[entry.country] ?? entry.country)")
                label("Plan: \(plans[entry.plan] ?? entry.plan)")
            }
            .size(width: .percent(100), height: .percent(60))
            button("All customers").method(CustomerMethods.customers).size(y: .after(10))
        }
    }

    /// A form with every kind of field, for a new or an existing customer.
    static func edit(_ customer: Customer? = nil) -> Page {
        let entry = customer?.entry ?? CustomerEntry(name: "")
        let title = customer == nil ? "Add Customer" : "Change Customer"
        return Xpedite.page(title) {
            form(id: customerForm) {
                section("Personal details")
                textbox(\.name, of: entry).title("Name").placeholder("Enter name").id("name-field")
                    .onEnter("email-field").returnkey(.next).focus()
                textbox(\.email, of: entry).title("Email").id("email-field").keyboard(.email)
                    .autotextDisabled()
                password(\CustomerEntry.pin).title("PIN").placeholder("For the shop")
                date(\.dob, of: entry).title("Date of birth")
                textview(\.notes, of: entry).title("Notes").placeholder("Enter notes")
                section("Account")
                checkbox(\.active, of: entry).title("Active customer")
                select(\.country, of: entry, options: countries).title("Country")
                radio(\.plan, of: entry, options: plans).title("Plan")
            }
            .style(.inline)
            .title(title)
            .save(CustomerMethods.save.with(customer.map { CustomerID(id: $0.id) }))
            .cancel(CustomerMethods.customers)
        }
    }

    /// A description of the app. Clients keep it for good.
    static var about: Page {
        Xpedite.page("About") {
            web(content: "<h1>Backlot</h1><p>A backend for mobile apps, in Swift.</p>")
                .size(width: .percent(100), height: 200)
            image(url: "https://www.example.com/backlot/banner.png").size(width: .percent(100))
            web(url: "https://www.example.com/").size(width: .percent(100), height: .percent(40))
        }
        .id("about")
        .disposition(.permanent)
        .background("#F5F5F5")
    }
}
