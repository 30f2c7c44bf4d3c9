import BacklotJSON

/// A value as Foundation's decoder reads it.
enum PeerValue: Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([PeerValue])
    case object([String: PeerValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([PeerValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: PeerValue].self))
        }
    }

    func equals(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null): true
        case (.bool(let own), .bool(let other)): own == other
        case (.number(let own), .number(let other)): own == other.double
        case (.string(let own), .string(let other)): own.utf8.elementsEqual(other.utf8)
        case (.array(let own), .array(let other)):
            own.count == other.count && zip(own, other).allSatisfy { $0.equals($1) }
        case (.object(let own), .object(let other)):
            // A dictionary takes two spellings of one text (é) for one key.
            own.count < other.count || other.members.allSatisfy { own[$0.key]?.equals($0.value) ?? false }
        default: false
        }
    }
}
