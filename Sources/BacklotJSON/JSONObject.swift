/// An object of a JSON document: its members in wire order, each key once.
///
/// Members are kept in a flat array, the fastest form for the few fields of most objects. Two objects are equal if they have the
/// same members in any order. Keys are equal if their bytes are: unlike in Swift strings, `é` as one code point and as two are
/// different keys (RFC 8259, section 8.3).
public struct JSONObject: Sendable {
    /// One field.
    public struct Member: Sendable {
        /// The key.
        public let key: String
        /// The value.
        public var value: JSONValue

        /// Whether it has a key, to the byte.
        package func hasKey(_ key: String) -> Bool { self.key.hasSameBytes(as: key) }
    }

    /// The members, in wire order.
    public private(set) var members: [Member] = []

    /// Up to this many members, a linear search is faster than hashing.
    fileprivate static let fewMembers = 20

    /// Makes an object without members.
    public init() {}

    /// Makes an object of many members. If a key occurs twice, the last value counts.
    package init(pairs: [(String, JSONValue)]) {
        guard pairs.count > Self.fewMembers else {
            for (key, value) in pairs { self[key] = value }
            return
        }
        var places: [ExactKey: Int] = [:]
        for (key, value) in pairs {
            if let place = places[ExactKey(text: key)] {
                members[place].value = value
            } else {
                places[ExactKey(text: key)] = count
                append(key, value)
            }
        }
    }

    /// The keys, in wire order.
    public var keys: [String] { members.map(\.key) }

    /// The number of members.
    public var count: Int { members.count }

    /// The value of `key`; nil if the object has no such key. Setting nil removes the member, setting a new key appends.
    public subscript(key: String) -> JSONValue? {
        get { index(of: key).map { members[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Appends a member with a new key. The caller guarantees that it is new.
    package mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }

    /// The places of all keys, for reading many of them: a search takes a time in proportion to the number of members.
    package var places: [ExactKey: Int] {
        Dictionary(uniqueKeysWithValues: members.enumerated().map { (ExactKey(text: $1.key), $0) })
    }

    /// The members of this object and another: `value` makes each value of a key of the other from the old and the other's; nil
    /// removes the member.
    package func merged(with other: JSONObject, _ value: (JSONValue?, JSONValue) -> JSONValue?) -> JSONObject {
        let places = places
        var merged: [Member?] = members
        for member in other.members {
            let place = places[ExactKey(text: member.key)]
            let new = value(place.map { members[$0].value }, member.value).map { Member(key: member.key, value: $0) }
            if let place { merged[place] = new } else { merged.append(new) }
        }
        var result = JSONObject()
        result.members = merged.compactMap { $0 }
        return result
    }

    /// Whether one is a copy of the other, so that nothing needs to be compared.
    private func sharesMembers(with other: JSONObject) -> Bool {
        members.span.isIdentical(to: other.members.span)
    }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.hasKey(key) }
    }
}

extension JSONObject: Hashable {
    /// Compares the members regardless of their order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        if left.sharesMembers(with: right) { return true }
        let sameOrder = zip(left.members, right.members).allSatisfy { $0.key.hasSameBytes(as: $1.key) }
        if sameOrder { return zip(left.members, right.members).allSatisfy { $0.value == $1.value } }
        let others = IndexedObject(right)
        return left.members.allSatisfy { $0.value == others[$0.key] }
    }

    /// Hashes the members regardless of their order.
    public func hash(into hasher: inout Hasher) {
        var combined = 0
        for member in members {
            var memberHasher = Hasher()
            member.key.hashBytes(into: &memberHasher)
            memberHasher.combine(member.value)
            combined ^= memberHasher.finalize()
        }
        hasher.combine(combined)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object from a literal. If a key occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (key, value) in elements { self[key] = value }
    }
}

/// An object that looks up a key among many in the same time as among few.
package struct IndexedObject: Sendable {
    /// The object.
    package let plain: JSONObject
    /// The places of the keys; nil for few members.
    private let places: [ExactKey: Int]?

    package init(_ object: JSONObject) {
        plain = object
        places = object.count > JSONObject.fewMembers ? object.places : nil
    }

    /// The value of `key`; nil if the object has no such key.
    package subscript(key: String) -> JSONValue? {
        guard let places else { return plain[key] }
        return places[ExactKey(text: key)].map { plain.members[$0].value }
    }
}

/// A key that equals another only if their bytes are the same.
package struct ExactKey: Hashable, Sendable {
    let text: String

    package init(text: String) {
        self.text = text
    }

    package static func == (left: ExactKey, right: ExactKey) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// Whether the UTF-8 of both strings is the same. `==` on strings also accepts different bytes that look alike.
    func hasSameBytes(as other: String) -> Bool {
        let (own, others) = (utf8Span.span, other.utf8Span.span)
        guard own.count == others.count else { return false }
        for index in own.indices where own[index] != others[index] { return false }
        return true
    }

    /// Hashes the UTF-8. A string's own hash is that of its normal form (Unicode Standard Annex #15): a client could send any number
    /// of keys that differ and have the same one.
    func hashBytes(into hasher: inout Hasher) {
        unsafe utf8Span.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        // No UTF-8 has this byte, so that two strings in a row differ from others with the same bytes.
        hasher.combine(0xFF as UInt8)
    }
}
