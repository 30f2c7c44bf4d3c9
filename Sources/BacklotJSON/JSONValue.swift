/// A value of a JSON document.
///
/// Values compare as data: objects regardless of the order of their keys, numbers by value (`8` equals `8.0`), strings by their
/// code points.
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
        case .string(let value): value.hashBytes(into: &hasher)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

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
                for element in elements { writer.value(element) }
            }
        case .object(let object):
            self.object { writer in
                for member in object.members { writer.member(member.key, member.value) }
            }
        }
    }

    /// Writes a field with any key, and any value, including `null`.
    public mutating func member(_ key: String, _ value: JSONValue) {
        name(key)
        self.value(value)
    }

    /// Writes the key of an object's field, which may be any text, and the colon. The value must follow.
    public mutating func name(_ key: String) {
        value(key)
        writeColon()
    }
}

/// Access to the parts of a value. It returns nil for a missing part or another type, so you can chain it:
/// `document["page"]?["widgets"]?[0]?["text"]?.string`.
extension JSONValue {
    /// The value of an object's key; nil if this isn't an object, or has no such key.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// An array's element; nil if this isn't an array, or has no such index.
    public subscript(index: Int) -> JSONValue? {
        guard let elements = array, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// `true` or `false`; nil for other types.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number; nil for other types.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

    /// The string; nil for other types.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements; nil for other types.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The object; nil for other types.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
}

extension JSONValue: ExpressibleByNilLiteral {
    /// Makes `null` from `nil`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Makes a whole number.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Makes a number; a literal too large for a `Double` makes `null`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Makes an object. If a key occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
}

extension JSONValue {
    /// The value as JSON for people: a line for each member, but arrays of plain values on a single line.
    package var indented: String {
        var text = ""
        write(into: &text, indent: "")
        return text
    }

    private func write(into text: inout String, indent: String) {
        let inner = indent + "  "
        switch self {
        case .array(let elements) where !elements.allSatisfy(\.isPlain):
            text += "[\n"
            for (index, element) in elements.enumerated() {
                text += inner
                element.write(into: &text, indent: inner)
                text += index < elements.count - 1 ? ",\n" : "\n"
            }
            text += indent + "]"
        case .array(let elements): text += "[" + elements.map(\.description).joined(separator: ", ") + "]"
        case .object(let object) where object.count > 0:
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                text += "\(inner)\(JSONValue.string(member.key)): "
                member.value.write(into: &text, indent: inner)
                text += index < object.count - 1 ? ",\n" : "\n"
            }
            text += indent + "}"
        default: text += description
        }
    }

    private var isPlain: Bool { array == nil && object == nil }
}

extension JSONValue {
    /// The approximate size of the value in memory, in bytes.
    package var footprint: Int {
        switch self {
        case .null, .bool, .number: 32
        case .string(let text): 32 + text.utf8.count
        case .array(let elements): elements.reduce(48) { $0 + $1.footprint }
        case .object(let object): object.members.reduce(48) { $0 + 16 + $1.key.utf8.count + $1.value.footprint }
        }
    }
}
