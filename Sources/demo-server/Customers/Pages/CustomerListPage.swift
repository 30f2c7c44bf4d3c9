import Xpedite

/// All customers, batch by batch. Clients keep the page.
struct CustomerListPage {
    var page: Page {
        Xpedite.page("Customers") {
            CustomerMenu.navigation
            barButton(.right, icon: "ellipsis.circle") {
                menuEntry("Add", "addCustomer").symbol("plus")
                menuEntry("Search", "search").symbol("magnifyingglass")
            }
            table("listCustomers") {
                cell("name").width(60)
                cell("score").width(40).align(.right).color("#007AFF")
            }
            .header {
                heading("Name").width(60).font("headline").scroll(.off)
                heading("Score").width(40).align(.right)
            }
            .clickRow("viewCustomer", selected: "id")
            .refresh("Pull to refresh")
        }
        .id("customer-list")
        .disposition(.expiry(seconds: 3600))
    }
}
