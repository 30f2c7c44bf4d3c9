import BacklotJSON

/// Decodes Swift values from a client's input. Forms send texts, so texts are converted to the requested types.
struct InputDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<Input: Decodable>(_ type: Input.Type, from object: JSONObject) throws -> Input {
        do {
            return try InputDecoder(value: .object(object), codingPath: []).decode(type)
        } catch let error as DecodingError {
            throw InputError(error)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.object else { throw mismatch(JSONObject.self, "must be an object") }
        return KeyedDecodingContainer(KeyedInput(object: object, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else { throw mismatch([JSONValue].self, "must be a list") }
        return ListedInput(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ type: Any.Type, _ problem: String) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: problem))
    }
}

extension InputDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch value {
        case .bool(let value): return value
        case "1", "true": return true
        case "0", "false": return false
        default: throw mismatch(type, "must be on or off")
        }
    }

    func decode(_ type: String.Type) throws -> String {
        switch value {
        case .string(let text): return text
        case .number: return value.description
        default: throw mismatch(type, "must be a text")
        }
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let number = value.number?.double ?? value.string.flatMap({ Double($0) }), number.isFinite else {
            throw mismatch(type, "must be a number")
        }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

    private func integer<Value: FixedWidthInteger>() throws -> Value {
        let number = value.number.flatMap {
            $0.int64.flatMap(Value.init(exactly:)) ?? $0.uint64.flatMap(Value.init(exactly:))
        }
        guard let number = number ?? value.string.flatMap({ Value($0) }) else {
            throw mismatch(Value.self, "must be a whole number")
        }
        return number
    }

    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
}

extension InputError {
    fileprivate init(_ error: DecodingError) {
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
