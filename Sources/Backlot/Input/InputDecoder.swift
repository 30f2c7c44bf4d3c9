#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The conventions of a client's input.
enum InputForm: Sendable {
    /// JSON of a program: a string is neither a number nor missing.
    case strict
    /// JSON of a page: booleans are JSON booleans, and typed input is a string.
    case json
    /// JSON that refreshes a page: a string or boolean that is missing or of another type is unset.
    case page
    /// Fields of a form: a text may stand for a boolean, and a number for a text.
    case fields
    /// Pairs: like a form, but an array may consist of a single pair.
    case pairs

    /// Whether the types of JSON count.
    var isJSON: Bool { self == .json || self == .strict || self == .page }

    /// The value for an unset variable; nil if the variable is required.
    func unset<Value>(_ type: Value.Type) -> Value? {
        guard self == .page else { return nil }
        return type == String.self ? "" as? Value : type == Bool.self ? false as? Value : nil
    }
}

/// Decodes Swift values from a client's input. Forms send texts, so it converts texts to the requested types.
package struct InputDecoder: Decoder {
    let value: JSONValue
    package let codingPath: [any CodingKey]
    var form = InputForm.fields
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes the values of a form.
    ///
    /// - Throws: `InputError` with the name of the value that is missing or of another type.
    package static func decode<Input: Decodable>(_ type: Input.Type, from object: JSONObject) throws -> Input {
        try decode(type, from: .object(object), as: .fields)
    }

    /// Decodes a value from a text.
    ///
    /// - Throws: `InputError` without a name.
    static func decode<Input: Decodable>(_ type: Input.Type, fromText text: String) throws -> Input {
        try decode(type, from: .string(text), as: .fields)
    }

    /// Decodes values from pairs, which may repeat a name.
    ///
    /// - Parameter source: the source of the pairs, for people: `the query`.
    /// - Throws: `StatusError` with 400 and the name of the value that is missing or of another type.
    static func decode<Input: Decodable>(
        _ type: Input.Type,
        from pairs: [NamedValue],
        of source: String
    ) throws -> Input {
        do {
            return try decode(type, from: .object(JSONObject(grouping: pairs)), as: .pairs)
        } catch let error as InputError {
            throw StatusError(.badRequest, "\(source)'s \(error)")
        }
    }

    private static func decode<Input: Decodable>(
        _ type: Input.Type,
        from value: JSONValue,
        as form: InputForm
    ) throws -> Input {
        do {
            return try InputDecoder(value: value, codingPath: [], form: form).decode(type)
        } catch let error as DecodingError {
            throw InputError(error)
        }
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.object else { throw mismatch(JSONObject.self, "must be an object") }
        return KeyedDecodingContainer(KeyedInput(object: IndexedObject(object), codingPath: codingPath, form: form))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array ?? (form == .pairs ? [value] : nil) else {
            throw mismatch([JSONValue].self, "must be a list")
        }
        return ListedInput(elements: elements, codingPath: codingPath, form: form)
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ type: Any.Type, _ problem: String) -> DecodingError {
        let problem = form == .pairs && value.array != nil ? "must come once" : problem
        return .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: problem))
    }
}

extension InputDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { value.isNull }

    package func decode(_ type: Bool.Type) throws -> Bool {
        guard let isOn = form.isJSON ? value.bool : Self.isOn(value) else {
            throw mismatch(type, form.isJSON ? "must be true or false" : "must be on or off")
        }
        return isOn
    }

    /// Whether a checkbox is on, for clients that send it as a text or as a number; nil for a value that checkboxes don't send.
    package static func isOn(_ value: JSONValue) -> Bool? {
        switch value {
        case .bool(let value): value
        case "1", 1, "true": true
        case "0", 0, "false", "": false
        default: nil
        }
    }

    package func decode(_ type: String.Type) throws -> String {
        switch value {
        case .string(let text): return text
        case .number where !form.isJSON: return value.description
        default: throw mismatch(type, "must be a text")
        }
    }

    package func decode(_ type: Double.Type) throws -> Double {
        guard let number = value.number?.double ?? numeral.flatMap({ Double($0) }), number.isFinite else {
            throw mismatch(type, "must be a number")
        }
        return number
    }

    package func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Not `as? Value` at once: that would cast nil to an optional type.
        if let text = value.string, let any = try converted(text, to: type), let converted = any as? Value {
            return converted
        }
        // A number would count as seconds since 2001, which no client means.
        if type == Date.self { throw mismatch(type, Self.dateProblem) }
        if type == Decimal.self {
            guard value.number != nil, let number = Decimal(string: value.description) as? Value else {
                throw mismatch(type, "must be a number")
            }
            return number
        }
        do {
            return try Value(from: self)
        } catch DecodingError.dataCorrupted(let context)
            where type is any RawRepresentable.Type && context.codingPath.count == codingPath.count
        {
            throw mismatch(type, Self.choice(of: type))
        }
    }

    private static var dateProblem: String { "must be a date, such as 2026-12-31" }

    /// A value of a Foundation type; nil for other types.
    private func converted(_ text: String, to type: Any.Type) throws -> Any? {
        if type == Date.self {
            guard let seconds = ISODate.seconds(text) else { throw mismatch(type, Self.dateProblem) }
            return Date(timeIntervalSince1970: seconds)
        }
        if type == Decimal.self {
            guard form != .strict, let numeral, Double(numeral) != nil, let number = Decimal(string: numeral) else {
                throw mismatch(type, "must be a number")
            }
            return number
        }
        if type == URL.self {
            guard let url = URL(string: text) else { throw mismatch(type, "must be a web address") }
            return url
        }
        if type == UUID.self {
            guard let id = UUID(uuidString: text) else {
                throw mismatch(type, "must be a UUID, such as 6F9619FF-8B86-D011-B42D-00CF4FC964FF")
            }
            return id
        }
        return nil
    }

    /// The most bytes of a number in digits.
    private static let longestNumeral = 64

    /// The text without blanks around it, if it is a number in digits. It reads bytes, because some characters, such as flags, can
    /// only be found from the beginning of the text.
    private var numeral: String? {
        guard form != .strict, let text = value.string else { return nil }
        let blank = UInt8(ascii: " ")
        var bytes = text.utf8.drop { $0 == blank }
        while bytes.last == blank { bytes.removeLast() }
        let isNumeral =
            bytes.count <= Self.longestNumeral && bytes.contains(where: \.isDigit)
            && bytes.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
        return isNumeral ? String(Substring(bytes)) : nil
    }

    /// The problem with a text that isn't one of an enumeration's values.
    private static func choice(of type: Any.Type) -> String {
        guard let type = type as? any CaseIterable.Type else { return "must be one of the choices" }
        func names<Choice: CaseIterable>(_ type: Choice.Type) -> [String] {
            type.allCases.prefix(10).compactMap { choice in
                (choice as? any RawRepresentable).map { "\($0.rawValue)" }
            }
        }
        return "must be one of \(names(type).joined(separator: ", "))"
    }

    // The implementation for all integer types.
    package func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        let number = value.number.flatMap {
            $0.int64.flatMap(Value.init(exactly:)) ?? $0.uint64.flatMap(Value.init(exactly:))
        }
        guard let number = number ?? numeral.flatMap({ Value($0) }) else {
            throw mismatch(type, "must be a whole number")
        }
        return number
    }
}

extension JSONObject {
    /// Creates an object with a text for each name that occurs once, and a list of texts for each repeated name.
    fileprivate init(grouping pairs: [NamedValue]) {
        var values: [String: [JSONValue]] = [:]
        for pair in pairs { values[pair.name, default: []].append(.string(pair.value)) }
        self.init()
        for (name, texts) in values { append(name, texts.count == 1 ? texts[0] : .array(texts)) }
    }
}

extension InputError {
    init(_ error: DecodingError) {
        func name(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(name: name(context.codingPath + [key]), problem: "is missing")
        case .typeMismatch(_, let context), .dataCorrupted(let context):
            self.init(name: name(context.codingPath), problem: context.debugDescription)
        case .valueNotFound(_, let context):
            self.init(name: name(context.codingPath), problem: "is missing")
        @unknown default:
            self.init(name: "", problem: "\(error)")
        }
    }
}

/// The members of an object from a client. An empty field counts as absent unless a text is requested.
struct KeyedInput<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: IndexedObject
    let codingPath: [any CodingKey]
    let form: InputForm

    var allKeys: [Key] { object.plain.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

    /// - Parameter type: the expected type, for the error's text.
    private func value(_ key: Key, _ type: (any Any.Type)? = nil) throws -> InputDecoder {
        guard let value = object[key.stringValue] else {
            let expected = type.map(describe) ?? "a value"
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: expected)
            )
        }
        return InputDecoder(value: value, codingPath: codingPath + [key], form: form)
    }

    /// A value that is neither absent nor empty.
    private func present(_ key: Key) throws -> InputDecoder? {
        guard let value = object[key.stringValue], !value.isNull, form == .strict || value != "" else { return nil }
        return InputDecoder(value: value, codingPath: codingPath + [key], form: form)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        do {
            return try value(key, type).decode(type)
        } catch {
            guard let unset = form.unset(type) else { throw error }
            return unset
        }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key)?.decode(type)
    }

    // The protocol has default implementations of these, which don't treat empty fields as absent.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        // An empty text is an unchecked checkbox.
        !form.isJSON && object[key.stringValue] == "" ? false : try present(key)?.decode(type)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try present(key)?.decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        InputDecoder(value: .object(object.plain), codingPath: codingPath, form: form)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}

/// The elements of an array from a client.
struct ListedInput: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    let form: InputForm
    private(set) var currentIndex = 0

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private mutating func next() throws -> InputDecoder {
        let path = codingPath + [IndexKey(intValue: currentIndex)]
        guard !isAtEnd else {
            let context = DecodingError.Context(codingPath: path, debugDescription: "is missing")
            throw DecodingError.valueNotFound(JSONValue.self, context)
        }
        defer { currentIndex += 1 }
        return InputDecoder(value: elements[currentIndex], codingPath: path, form: form)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try next() }
}
