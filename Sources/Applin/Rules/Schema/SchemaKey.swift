/// A key that clients read.
struct SchemaKey: Sendable {
    /// What happens without the key. `null` counts as absent.
    enum Presence: Sendable {
        /// Every client rejects the page.
        case required
        /// At least one known parser rejects the page. The others assume the value, which is given as JSON.
        case recommended(otherwise: String)
        /// Nothing happens.
        case optional
    }

    let name: String
    let type: ValueType
    let presence: Presence
    /// The dialects whose clients read it; those of the others ignore it.
    let dialects: [Dialect]

    static func required(_ name: String, _ type: ValueType) -> SchemaKey {
        SchemaKey(name: name, type: type, presence: .required, dialects: Dialect.allCases)
    }

    static func recommended(_ name: String, _ type: ValueType, otherwise json: String) -> SchemaKey {
        SchemaKey(name: name, type: type, presence: .recommended(otherwise: json), dialects: Dialect.allCases)
    }

    static func optional(_ name: String, _ type: ValueType, dialects: [Dialect] = Dialect.allCases) -> SchemaKey {
        SchemaKey(name: name, type: type, presence: .optional, dialects: dialects)
    }
}
