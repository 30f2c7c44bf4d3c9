import Backlot
import Xpedite

/// The customers, in the memory of the process.
actor CustomerStore {
    private static let names = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi"]
    /// The maximum number of customers.
    static let maximumCount = 10_000
    /// The message at an address that belongs to another customer.
    static let takenText = "belongs to somebody else"

    private var customers: [Customer]

    /// Creates a store that begins with some customers.
    init(count: Int = 120) {
        customers = (0..<count).map { index in
            let name = "\(Self.names[index % Self.names.count]) \(index + 1)"
            let email = "customer\(index + 1)@example.com"
            return Customer(id: index + 1, entry: CustomerEntry(name: name, email: email, score: index * 37 % 100))
        }
    }

    /// The number of customers.
    var count: Int { customers.count }

    /// The customers with a text in their names, from an offset on.
    func customers(matching text: String, from offset: Int, limit: Int) -> [Customer] {
        guard !text.isEmpty else { return Array(customers.dropFirst(offset).prefix(limit)) }
        let text = text.lowercased()
        return Array(
            customers.lazy.filter { $0.entry.name.contains(lowercase: text) }.dropFirst(offset).prefix(limit)
        )
    }

    /// The customer with that id; nil for an unknown id.
    func customer(_ id: Int) -> Customer? { customers.first { $0.id == id } }

    /// Adds a customer; nil if there are too many.
    ///
    /// - Throws: `FormErrors` if the address belongs to another customer.
    func add(_ entry: CustomerEntry) throws(FormErrors) -> Customer? {
        try checkEmail(in: entry, of: nil)
        guard customers.count < Self.maximumCount else { return nil }
        let customer = Customer(id: (customers.last?.id ?? 0) + 1, entry: entry)
        customers.append(customer)
        return customer
    }

    /// Changes a customer if it exists.
    ///
    /// - Throws: `FormErrors` if the address belongs to another customer.
    func change(_ id: Int, to entry: CustomerEntry) throws(FormErrors) {
        try checkEmail(in: entry, of: id)
        guard let index = customers.firstIndex(where: { $0.id == id }) else { return }
        customers[index].entry = entry
    }

    /// Whether an address belongs to a customer other than the given one.
    func isTaken(_ email: String, butBy id: Int?) -> Bool {
        customers.contains { $0.entry.email == email && $0.id != id }
    }

    private func checkEmail(in entry: CustomerEntry, of id: Int?) throws(FormErrors) {
        if isTaken(entry.email, butBy: id) { throw FormErrors(\CustomerEntry.email, Self.takenText) }
    }
}

/// A customer.
struct Customer: Sendable, Equatable {
    let id: Int
    var entry: CustomerEntry

    /// The customer as a row of the list.
    var row: CustomerRow { CustomerRow(id: "\(id)", name: entry.name, score: entry.score ?? 0) }
}

/// The values in the columns of the list.
struct CustomerRow: Encodable {
    let id: String
    let name: String
    let score: Int
}

/// The values of the form.
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
