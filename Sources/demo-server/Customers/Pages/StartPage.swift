import Xpedite

/// The first page. With it a session gets its defaults and its pictures.
struct StartPage {
    static let logo = Preload(id: "logo", url: "https://www.example.com/backlot/logo.png", load: .critical)

    let user: String?
    /// Whether a session begins with it.
    var begins = false

    var page: Page {
        var start = Xpedite.page("Backlot Customers") {
            CustomerMenu.navigation
            image(id: "logo").size(width: .percent(50), x: .centre)
            label(user.map { "Welcome, \($0)" } ?? "Welcome").fontsize(24).align(.centre)
            button("Customers").method("customers").style(.button).size(width: .percent(60), height: 44, x: .centre)
            if user == nil {
                button("Log in to change them").method("login").color("#0057B7")
            }
            button("About this app").method("about")
        }
        if begins {
            start = start.setDefaults(Defaults(font: "Helvetica", fontsize: 16, background: "#FFFFFF"))
        }
        return start.images([Self.logo])
    }
}
