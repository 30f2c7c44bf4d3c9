import Backlot
import BacklotJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The items of HttpArena's JSON profile, as they are read when the entry starts.
struct Dataset {
    struct Item: Decodable {
        struct Rating: Decodable {
            var score: Int
            var count: Int
        }

        var id: Int
        var name: String
        var category: String
        var price: Int
        var quantity: Int
        var active: Bool
        var tags: [String]
        var rating: Rating
    }

    let items: [Item]

    /// - Throws: an error that says why the file isn't a list of items.
    init(file: String) throws {
        items = try JSONDecoder().decode([Item].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    /// The answer with the first items, each with its total: price × quantity × `multiplier`.
    func json(first count: Int, times multiplier: Int) throws -> [UInt8] {
        let chosen = items.prefix(count)
        let totals = try chosen.map { try Self.product($0.price, $0.quantity, multiplier) }
        return JSONWriter.document(capacity: 256 * count) { writer in
            writer.object {
                $0.array("items") {
                    for (item, total) in zip(chosen, totals) { item.write(total: total, to: &$0) }
                }
                $0.field("count", count)
            }
        }
    }

    private static func product(_ factors: Int...) throws -> Int {
        try factors.reduce(1) { product, factor in
            let (next, overflows) = product.multipliedReportingOverflow(by: factor)
            guard !overflows else { throw StatusError(.badRequest, "the query's 'm' is too large") }
            return next
        }
    }
}

extension Dataset.Item {
    func write(total: Int, to writer: inout JSONWriter) {
        writer.object {
            $0.field("id", id)
            $0.field("name", name)
            $0.field("category", category)
            $0.field("price", price)
            $0.field("quantity", quantity)
            $0.field("active", active)
            $0.array("tags") { for tag in tags { $0.value(tag) } }
            $0.object("rating") {
                $0.field("score", rating.score)
                $0.field("count", rating.count)
            }
            $0.field("total", total)
        }
    }
}
