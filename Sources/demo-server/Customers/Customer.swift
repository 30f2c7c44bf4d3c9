import BacklotJSON
import Xpedite

/// Somebody who buys.
struct Customer: Sendable, Equatable {
    let id: Int
    var entry: CustomerEntry

    /// The customer as a row of the list.
    var row: TableRow {
        ["id": .string("\(id)"), "name": .string(entry.name), "score": .number(JSONNumber(Int64(entry.score ?? 0)))]
    }
}

/// What the form holds.
struct CustomerEntry: Decodable, Sendable, Equatable {
    var name: String
    var email = ""
    var pin: String?
    var notes: String?
    var active = true
    var dob: Day?
    var country = "NZ"
    var plan = "M"
    var score: Int?
}
