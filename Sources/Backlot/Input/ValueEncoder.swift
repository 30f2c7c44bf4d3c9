#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONValue {
    /// A value of an app, with members in the order in which its type encodes them. `InputDecoder` reads it back: dates, decimals
    /// and URLs are written as the texts that it takes.
    ///
    /// - Throws: what `encode(to:)` throws; `EncodingError` for a number that isn't finite.
    package init(encoding value: some Encodable) throws {
        let place = EncodedPlace(codingPath: [])
        try place.encode(value)
        self = place.value
    }
}

/// A place of a document that is being written, and the encoder for it.
private final class EncodedPlace: Encoder {
    private enum Content {
        case value(JSONValue)
        case members([(key: String, place: EncodedPlace)])
        case elements([EncodedPlace])
    }

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private var content: Content?

    init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

    /// What was written; a type that writes nothing is an object without members.
    var value: JSONValue {
        switch content {
        case nil: return .object(JSONObject())
        case .value(let value)?: return value
        case .elements(let places)?: return .array(places.map(\.value))
        case .members(let members)?:
            var object = JSONObject()
            for member in members { object[member.key] = member.place.value }
            return .object(object)
        }
    }

    func encode(_ value: some Encodable) throws {
        switch value {
        case let date as Date: put(.string(date.formatted(.iso8601)))
        case let number as Decimal: put(.string("\(number)"))
        case let url as URL: put(.string(url.absoluteString))
        case let flag as Bool: put(.bool(flag))
        case let text as String: put(.string(text))
        case let number as Double: try put(number)
        case let number as Float: try put(Double(number))
        case let number as any FixedWidthInteger: put(.number(Self.number(number)))
        default: try value.encode(to: self)
        }
    }

    func put(_ value: JSONValue) { content = .value(value) }

    func put(_ number: Double) throws {
        guard let finite = JSONNumber(number) else {
            let context = EncodingError.Context(
                codingPath: codingPath,
                debugDescription: "\(number) is no number of JSON"
            )
            throw EncodingError.invalidValue(number, context)
        }
        put(.number(finite))
    }

    private static func number(_ value: some FixedWidthInteger) -> JSONNumber {
        Int64(exactly: value).map { JSONNumber($0) } ?? JSONNumber(UInt64(truncatingIfNeeded: value))
    }

    /// The place of a member.
    func member(_ key: any CodingKey) -> EncodedPlace {
        let place = EncodedPlace(codingPath: codingPath + [key])
        var members: [(key: String, place: EncodedPlace)] = []
        if case .members(let earlier)? = content { members = earlier }
        // The list is taken out first, so that it isn't copied for each member.
        content = nil
        members.append((key.stringValue, place))
        content = .members(members)
        return place
    }

    /// How many elements were written.
    var count: Int {
        if case .elements(let places)? = content { places.count } else { 0 }
    }

    /// The place of one more element.
    func element() -> EncodedPlace {
        let place = EncodedPlace(codingPath: codingPath + [IndexKey(intValue: count)])
        var places: [EncodedPlace] = []
        if case .elements(let earlier)? = content { places = earlier }
        content = nil
        places.append(place)
        content = .elements(places)
        return place
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if content == nil { content = .members([]) }
        return KeyedEncodingContainer(KeyedOutput<Key>(place: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if content == nil { content = .elements([]) }
        return ListedOutput(place: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleOutput(place: self) }
}

/// The index of an element, in coding paths.
private struct IndexKey: CodingKey {
    let index: Int
    var stringValue: String { "\(index)" }
    var intValue: Int? { index }

    init(intValue: Int) { index = intValue }

    init?(stringValue: String) {
        guard let index = Int(stringValue) else { return nil }
        self.index = index
    }
}

/// The members of an object that is being written.
private struct KeyedOutput<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: EncodedPlace
    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil(forKey key: Key) { place.member(key).put(.null) }

    func encode(_ value: some Encodable, forKey key: Key) throws { try place.member(key).encode(value) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Inner> { place.member(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        place.member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { place }

    func superEncoder(forKey key: Key) -> any Encoder { place.member(key) }
}

/// The elements of an array that is being written.
private struct ListedOutput: UnkeyedEncodingContainer {
    let place: EncodedPlace
    var codingPath: [any CodingKey] { place.codingPath }
    var count: Int { place.count }

    func encodeNil() { place.element().put(.null) }

    func encode(_ value: some Encodable) throws { try place.element().encode(value) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        place.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { place.element().unkeyedContainer() }

    func superEncoder() -> any Encoder { place.element() }
}

/// One value that is being written.
private struct SingleOutput: SingleValueEncodingContainer {
    let place: EncodedPlace
    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil() { place.put(.null) }
    func encode(_ value: some Encodable) throws { try place.encode(value) }
}
