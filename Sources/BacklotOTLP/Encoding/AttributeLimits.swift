internal import Backlot
internal import Logging
internal import Tracing

extension OTLPMessage {
    /// The protocol's `KeyValue`.
    ///
    /// - Parameter value: the field of its `AnyValue`.
    static func attribute(_ key: String, _ value: OTLPField) -> OTLPMessage {
        [OTLPField(1, "key", .string(key)), OTLPField(2, "value", .message([value]))]
    }

    /// The protocol's `KeyValue` with a text.
    static func attribute(_ key: String, _ text: String) -> OTLPMessage { attribute(key, .any(text)) }

    /// Adds attributes, if there are any.
    mutating func add(_ number: UInt64, attributes: [OTLPMessage]) {
        if !attributes.isEmpty { append(OTLPField(number, "attributes", .messages(attributes))) }
    }
}

/// The protocol's `AnyValue`, which has one of these fields.
extension OTLPField {
    static func any(_ text: String) -> OTLPField { OTLPField(1, "stringValue", .string(text)) }
    static func any(_ flag: Bool) -> OTLPField { OTLPField(2, "boolValue", .bool(flag)) }
    static func any(_ number: Int64) -> OTLPField { OTLPField(3, "intValue", .int64(number)) }
    static func any(_ number: Double) -> OTLPField { OTLPField(4, "doubleValue", .double(number)) }
    static func any(_ values: [OTLPField]) -> OTLPField { list(5, "arrayValue", values.map { [$0] }) }
    static func any(_ attributes: [OTLPMessage]) -> OTLPField { list(6, "kvlistValue", attributes) }

    private static func list(_ number: UInt64, _ name: StaticString, _ values: [OTLPMessage]) -> OTLPField {
        OTLPField(number, name, .message([OTLPField(1, "values", .messages(values))]))
    }
}

/// The limits of attributes.
struct AttributeLimits: Sendable, Equatable {
    /// The maximum number of attributes of a span or a record, and of events and links of a span.
    var count = 128
    /// The maximum length of a text, in bytes.
    var length = 8 * 1024

    /// The attributes to send, sorted, and the number of those left out.
    func attributes(_ attributes: SpanAttributes) -> (kept: [OTLPMessage], dropped: Int) {
        var all: [String: OTLPField] = [:]
        attributes.forEach { all[$0] = value($1) }
        return cut(all)
    }

    /// The metadata of a log record as attributes, within the limits. Secrets are hidden like in log lines.
    func attributes(_ metadata: Logger.Metadata) -> (kept: [OTLPMessage], dropped: Int) {
        cut(members(metadata))
    }

    /// A text, cut to the maximum length.
    func text(_ text: String) -> String {
        guard text.utf8.count > length else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: length)
        // A cut character at the end would not be UTF-8.
        while text.utf8[end] & 0xC0 == 0x80 { text.utf8.formIndex(before: &end) }
        return String(decoding: text.utf8[..<end], as: UTF8.self)
    }

    private func cut(_ attributes: [String: OTLPField]) -> (kept: [OTLPMessage], dropped: Int) {
        (Array(sorted(attributes).prefix(count)), max(0, attributes.count - count))
    }

    private func sorted(_ attributes: [String: OTLPField]) -> [OTLPMessage] {
        attributes.sorted { $0.key < $1.key }.map { .attribute($0.key, $0.value) }
    }

    private func value(_ attribute: SpanAttribute) -> OTLPField {
        switch attribute {
        case .string(let text): .any(self.text(text))
        case .bool(let flag): .any(flag)
        case .int32(let number): .any(Int64(number))
        case .int64(let number): .any(number)
        case .double(let number): .any(number)
        case .int32Array(let numbers): .any(numbers.map { .any(Int64($0)) })
        case .int64Array(let numbers): .any(numbers.map { .any($0) })
        case .doubleArray(let numbers): .any(numbers.map { .any($0) })
        case .boolArray(let flags): .any(flags.map { .any($0) })
        case .stringArray(let texts): .any(texts.map { .any(text($0)) })
        case .stringConvertible(let other): .any(text(other.description))
        case .stringConvertibleArray(let others): .any(others.map { .any(text($0.description)) })
        default: .any("")
        }
    }

    private func members(_ metadata: Logger.Metadata) -> [String: OTLPField] {
        Dictionary(
            uniqueKeysWithValues: metadata.map { ($0, LogRedaction.hides($0) ? .any(LogRedaction.mark) : value($1)) }
        )
    }

    private func value(_ value: Logger.Metadata.Value) -> OTLPField {
        switch value {
        case .string(let text): .any(self.text(text))
        case .stringConvertible(let number as Int): .any(Int64(number))
        case .stringConvertible(let number as Double): .any(number)
        case .stringConvertible(let flag as Bool): .any(flag)
        case .stringConvertible(let other): .any(text(other.description))
        case .array(let values): .any(values.map { self.value($0) })
        case .dictionary(let members): .any(sorted(self.members(members)))
        }
    }
}
