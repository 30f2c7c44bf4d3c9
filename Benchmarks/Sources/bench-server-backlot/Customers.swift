import Backlot
import BacklotJSON
import Xpedite

/// An Xpedite app with a table of a hundred customers and one of a million.
enum Customers {
    static func register(on router: Router) {
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { _ in
                page("Customers") {
                    table("listCustomers") { cell("name") }
                }
            }
            app.table("listCustomers", batch: 25) { offset, limit, _ in rows(1_000_000, from: offset, limit) }
            app.table("hundred", batch: 25) { offset, limit, _ in rows(100, from: offset, limit) }
        }
    }

    /// Some of so many customers, made as they are asked for.
    private static func rows(_ count: Int, from offset: Int, _ limit: Int) -> [TableRow] {
        (offset..<max(offset, min(count, offset + limit))).map { index in
            ["id": .string("\(index)"), "name": "Alice", "score": .number(JSONNumber(Int64(index % 100)))]
        }
    }
}
