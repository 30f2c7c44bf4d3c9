import Xpedite

/// What the app is. Clients keep it for good.
struct AboutPage {
    var page: Page {
        Xpedite.page("About") {
            CustomerMenu.navigation
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
