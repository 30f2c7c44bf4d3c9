internal import Backlot
internal import BacklotJSON
internal import Logging
internal import Tracing

/// The value of an attribute: the protocol's `AnyValue`.
enum AttributeValue: Sendable, Equatable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case array([AttributeValue])
    case object([Attribute])

    /// Writes the fields of an `AnyValue`.
    func write<Encoder: OTLPEncoder & ~Copyable>(to encoder: inout Encoder) {
        switch self {
        case .string(let text): encoder.string(OTLPField(1, "stringValue"), text)
        case .bool(let flag): encoder.bool(OTLPField(2, "boolValue"), flag)
        case .integer(let number): encoder.integer(OTLPField(3, "intValue"), number)
        case .double(let number): encoder.double(OTLPField(4, "doubleValue"), number)
        case .array(let values):
            encoder.message(OTLPField(5, "arrayValue")) {
                $0.messages(OTLPField(1, "values"), values) { $1.write(to: &$0) }
            }
        case .object(let members):
            encoder.message(OTLPField(6, "kvlistValue")) { $0.attributes(OTLPField(1, "values"), members) }
        }
    }
}

/// The protocol's `KeyValue`.
struct Attribute: Sendable, Equatable {
    let key: String
    let value: AttributeValue

    init(_ key: String, _ value: AttributeValue) {
        self.key = key
        self.value = value
    }

    init(_ key: String, _ text: String) {
        self.init(key, .string(text))
    }
}

extension OTLPEncoder where Self: ~Copyable {
    /// Writes attributes; nothing where there are none.
    mutating func attributes(_ field: OTLPField, _ attributes: [Attribute]) {
        guard !attributes.isEmpty else { return }
        messages(field, attributes) { encoder, attribute in
            encoder.string(OTLPField(1, "key"), attribute.key)
            encoder.message(OTLPField(2, "value")) { attribute.value.write(to: &$0) }
        }
    }
}

/// How much of the attributes is kept.
struct AttributeLimits: Sendable, Equatable {
    /// How many attributes a span or a record has at most, and how many events and links a span.
    var count = 128
    /// How long a text is at most, in bytes.
    var length = 8 * 1024

    /// The attributes that are sent, sorted, and how many are left out.
    func attributes(_ attributes: SpanAttributes) -> (kept: [Attribute], dropped: Int) {
        var all: [Attribute] = []
        all.reserveCapacity(attributes.count)
        attributes.forEach { all.append(Attribute($0, value($1))) }
        return cut(all)
    }

    /// The metadata of a log record as attributes, as above. Secrets are hidden as in lines of the log.
    func attributes(_ metadata: Logger.Metadata) -> (kept: [Attribute], dropped: Int) {
        cut(members(metadata))
    }

    /// A text, as much of it as is kept.
    func text(_ text: String) -> String {
        guard text.utf8.count > length else { return text }
        // Half a character at the end would not be UTF-8.
        return String(
            String(decoding: text.utf8.prefix(length), as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
        )
    }

    private func cut(_ attributes: [Attribute]) -> (kept: [Attribute], dropped: Int) {
        let sorted = attributes.sorted { $0.key < $1.key }
        return (Array(sorted.prefix(count)), max(0, sorted.count - count))
    }

    private func value(_ attribute: SpanAttribute) -> AttributeValue {
        switch attribute {
        case .string(let text): .string(self.text(text))
        case .bool(let flag): .bool(flag)
        case .int32(let number): .integer(Int64(number))
        case .int64(let number): .integer(number)
        case .double(let number): .double(number)
        case .int32Array(let numbers): .array(numbers.map { .integer(Int64($0)) })
        case .int64Array(let numbers): .array(numbers.map { .integer($0) })
        case .doubleArray(let numbers): .array(numbers.map { .double($0) })
        case .boolArray(let flags): .array(flags.map { .bool($0) })
        case .stringArray(let texts): .array(texts.map { .string(text($0)) })
        case .stringConvertible(let other): .string(text(other.description))
        case .stringConvertibleArray(let others): .array(others.map { .string(text($0.description)) })
        default: .string("")
        }
    }

    private func members(_ metadata: Logger.Metadata) -> [Attribute] {
        metadata.map { Attribute($0.key, Redaction.hides($0.key) ? .string(Redaction.mark) : value($0.value)) }
    }

    private func value(_ value: Logger.Metadata.Value) -> AttributeValue {
        switch value {
        case .string(let text): .string(self.text(text))
        case .stringConvertible(let number as Int): .integer(Int64(number))
        case .stringConvertible(let number as Double): .double(number)
        case .stringConvertible(let flag as Bool): .bool(flag)
        case .stringConvertible(let other): .string(text(other.description))
        case .array(let values): .array(values.map { self.value($0) })
        case .dictionary(let members): .object(self.members(members).sorted { $0.key < $1.key })
        }
    }
}
