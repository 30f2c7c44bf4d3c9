/// A value of a JSON document.
///
/// Values compare as the data that they stand for: objects regardless of the order of their keys, numbers by value (`8`
/// equals `8.0`), strings by their code points.
///
/// Source: RFC 8259 (The JavaScript Object Notation Data Interchange Format).
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

extension JSONValue: Hashable {
    /// Compares two values as data.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the value; equal values have equal hashes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The value as compact JSON, in UTF-8.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes a value, with the members of objects in their order.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): self.value(value)
        case .number(let number): number.write(into: &self)
        case .string(let value): self.value(value)
        case .array(let elements):
            array { writer in
                for element in elements {
                    writer.value(element)
                }
            }
        case .object(let object):
            self.object { writer in
                for member in object.members {
                    writer.member(member.key, member.value)
                }
            }
        }
    }

    /// Writes a field with any key, and any value, `null` included.
    public mutating func member(_ key: String, _ value: JSONValue) {
        name(key)
        self.value(value)
    }

    /// Writes the key of an object's field, any text, and the colon. The value must follow.
    public mutating func name(_ key: String) {
        value(key)
        writeColon()
    }
}
