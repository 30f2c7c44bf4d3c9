import Xpedite

/// The menu that every page has. Clients keep it: it goes out whole once.
enum CustomerMenu {
    static var navigation: Navigation {
        slideFrom(.left, id: "main-menu", icon: "line.3.horizontal") {
            menuEntry("Home", "home")
            menuEntry("Customers", "customers")
            menuEntry("Search", "search")
            menuDivider()
            menuHeader("Account")
            menuEntry("Log in", "login")
            menuEntry("Log out", "logout")
            menuEntry("About", "about").icon("logo")
        }
        .shade(40)
    }
}
