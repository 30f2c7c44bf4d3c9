/// A decoder that gives a type example values, and notes the keys and types that it requests.
final class SchemaProbe: Decoder {
    let codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// The requested keys, in their order.
    private(set) var properties: [SchemaWriter.Property] = []
    fileprivate let writer: SchemaWriter
    private var nested: [String: SchemaProbe] = [:]
    private var single: JSONValue?
    private var element: SchemaProbe?

    init(_ writer: SchemaWriter) { self.writer = writer }

    /// The schema of a type.
    ///
    /// - Throws: the error of the type's `init(from:)` for the example.
    static func schema(of type: any Decodable.Type, _ writer: SchemaWriter) throws -> JSONValue {
        let probe = SchemaProbe(writer)
        _ = try probe.example(type)
        return probe.schema
    }

    /// A value of a type that decodes itself from this decoder.
    func example<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

    private var schema: JSONValue {
        if let single { return single }
        if let element { return ["type": "array", "items": element.schema] }
        var members = JSONObject()
        for property in properties { members[property.name] = nested[property.name]?.schema ?? property.schema }
        var schema: JSONObject = ["type": "object", "properties": .object(members)]
        let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return .object(schema)
    }

    fileprivate func note(_ key: any CodingKey, _ schema: JSONValue, isRequired: Bool) {
        guard !properties.contains(where: { $0.name == key.stringValue }) else { return }
        properties.append(SchemaWriter.Property(name: key.stringValue, schema: schema, isRequired: isRequired))
    }

    fileprivate func probe(of key: any CodingKey) -> SchemaProbe {
        note(key, [:], isRequired: true)
        let probe = nested[key.stringValue] ?? SchemaProbe(writer)
        nested[key.stringValue] = probe
        return probe
    }

    fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let value = SchemaWriter.example(type) as? Value { return value }
        return try Value(from: SchemaProbe(writer))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedExample<Key>(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        let probe = element ?? SchemaProbe(writer)
        element = probe
        return ListedExample(probe: probe)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension SchemaProbe: SingleValueDecodingContainer {
    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if single == nil { single = writer.schema(of: type) }
        return try value(type)
    }
}

private struct KeyedExample<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: SchemaProbe
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        probe.note(key, probe.writer.schema(of: type), isRequired: true)
        return try probe.value(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
        probe.note(key, probe.writer.schema(of: type), isRequired: false)
        return nil
    }

    // The protocol has default implementations of these, which would make the keys required.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? { optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? { optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? { optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? { optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? { optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? { optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? { optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? { optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? { optional(type, key) }

    private func optional<Value>(_ type: Value.Type, _ key: Key) -> Value? {
        probe.note(key, probe.writer.schema(of: type), isRequired: false)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { probe.probe(of: key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        probe.probe(of: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { probe }

    func superDecoder(forKey key: Key) -> any Decoder { probe.probe(of: key) }
}

/// An array with one example element.
private struct ListedExample: UnkeyedDecodingContainer {
    let probe: SchemaProbe
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }
    private(set) var currentIndex = 0

    init(probe: SchemaProbe) { self.probe = probe }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        return try probe.singleValueContainer().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        currentIndex += 1
        return probe.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        currentIndex += 1
        return probe.unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder {
        currentIndex += 1
        return probe
    }
}
