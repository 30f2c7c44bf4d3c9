#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONValue {
    /// A value of an app, with members in the order that its type encodes them. `InputDecoder` reads it back: dates, decimals and
    /// URLs become texts in the form that it accepts. A date has whole seconds, because some clients read no others.
    ///
    /// - Throws: the errors of `encode(to:)`; `EncodingError` for a number that isn't finite.
    package init(encoding value: some Encodable) throws {
        let place = EncodedPlace(codingPath: [])
        try place.encode(value)
        self = place.value
    }
}

/// A position in a document under construction, and the encoder for it.
private final class EncodedPlace: Encoder {
    /// The form of the part that was begun. A type that doesn't write anything becomes an object without members.
    private enum Form {
        case value(JSONValue)
        case members
        case elements
    }

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private var form: Form?
    private var members: [(key: String, place: EncodedPlace)] = []
    private var elements: [EncodedPlace] = []

    init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

    /// The written value.
    var value: JSONValue {
        switch form {
        case .value(let value): return value
        case .elements: return .array(elements.map(\.value))
        case .members, nil: return .object(JSONObject(pairs: members.map { ($0.key, $0.place.value) }))
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

    func put(_ value: JSONValue) { form = .value(value) }

    func put(_ number: Double) throws {
        guard let finite = JSONNumber(number) else {
            let context = EncodingError.Context(
                codingPath: codingPath,
                debugDescription: "\(number) isn't a number in JSON"
            )
            throw EncodingError.invalidValue(number, context)
        }
        put(.number(finite))
    }

    private static func number(_ value: some FixedWidthInteger) -> JSONNumber {
        Int64(exactly: value).map { JSONNumber($0) } ?? JSONNumber(UInt64(truncatingIfNeeded: value))
    }

    /// The position of a member.
    func member(_ key: any CodingKey) -> EncodedPlace {
        let place = EncodedPlace(codingPath: codingPath + [key])
        members.append((key.stringValue, place))
        return place
    }

    /// The number of written elements.
    var count: Int { elements.count }

    /// The position of one more element.
    func element() -> EncodedPlace {
        let place = EncodedPlace(codingPath: codingPath + [IndexKey(intValue: count)])
        elements.append(place)
        return place
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if form == nil { form = .members }
        return KeyedEncodingContainer(KeyedOutput<Key>(place: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if form == nil { form = .elements }
        return ListedOutput(place: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension EncodedPlace: SingleValueEncodingContainer {
    func encodeNil() { put(.null) }
}

/// The index of an element, in coding paths.
struct IndexKey: CodingKey {
    let index: Int
    var stringValue: String { "\(index)" }
    var intValue: Int? { index }

    init(intValue: Int) { index = intValue }

    init?(stringValue: String) {
        guard let index = Int(stringValue) else { return nil }
        self.index = index
    }
}

/// The members of an object under construction.
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

/// The elements of an array under construction.
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
