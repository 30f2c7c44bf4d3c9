/// The words of a protocol: every kind of object that clients read, with its keys.
///
/// A vocabulary is data. ``DocumentInspector`` compares documents with it. Each kind is declared by the type that writes it, as a
/// ``KeyedObject``:
/// ```swift
/// static let vocabulary = Kind(Text(text: ""), "A text to read.")
/// ```
package struct Vocabulary: Sendable {
    /// Every kind, in the order of the documentation.
    package private(set) var kinds: [Kind]
    /// The audiences that an app can choose from, such as one for each dialect.
    package let audiences: [Audience]
    /// The reaction of clients to a document that they can't read, as the end of a sentence, such as `reject the whole page`.
    package let refusal: String
    /// The word for the readers of documents in findings, such as `clients`.
    let readers: String
    /// Whether clients refuse a whole document because of a part that they can't read.
    let refusesWhole: Bool
    /// Writes a document in Swift; nil for a protocol without a DSL.
    package let swiftSource: (@Sendable (JSONValue) throws(DocumentError) -> SwiftSource)?

    private var kindsByName: [String: [Kind]]
    private let sharedKeys: [SharedKeys]
    /// Keys for tools, which any object may have and clients ignore.
    package let anywhere: [Key]

    /// - Parameters:
    ///   - shared: the roles of objects that clients decode into one type. Clients then read each key of one such object on all of
    ///     them.
    ///   - anywhere: keys for tools, which any object may have.
    package init(
        _ kinds: [Kind],
        for audiences: [Audience],
        refusal: String,
        readers: String = "clients",
        refusesWhole: Bool = true,
        shared: [SharedKeys] = [],
        anywhere: [Key] = [],
        swiftSource: (@Sendable (JSONValue) throws(DocumentError) -> SwiftSource)? = nil
    ) {
        self.kinds = kinds
        self.audiences = audiences
        self.refusal = refusal
        self.readers = readers
        self.refusesWhole = refusesWhole
        self.swiftSource = swiftSource
        self.anywhere = anywhere
        kindsByName = Dictionary(grouping: kinds, by: \.name)
        sharedKeys = shared.map { $0.filled(from: kinds) }
    }

    /// This vocabulary with further kinds. The new kinds add no shared keys.
    package func adding(_ more: [Kind]) -> Vocabulary {
        changing(self) {
            $0.kinds += more
            $0.kindsByName = Dictionary(grouping: $0.kinds, by: \.name)
        }
    }

    /// This vocabulary with further keys for the kinds in a role.
    package func adding(_ keys: [Key], to role: Role) -> Vocabulary {
        changing(self) {
            $0.kinds = kinds.map { $0.roles.contains(role) ? $0.adding(keys) : $0 }
            $0.kindsByName = Dictionary(grouping: $0.kinds, by: \.name)
        }
    }

    /// The kind with a name in a role; nil for an unknown name.
    package func kind(_ name: String, as role: Role) -> Kind? {
        kindsByName[name]?.first { kind in kind.roles.contains(role) }
    }

    /// The kinds in a role.
    package func kinds(as role: Role) -> [Kind] {
        kinds.filter { kind in kind.roles.contains(role) }
    }

    /// Whether clients decode all objects of a role into one type.
    func sharesKeys(_ role: Role) -> Bool { sharedKeys.contains { $0.roles.contains(role) } }

    /// Whether clients decode all objects of two kinds into one type.
    func sharesKeys(of kind: Kind, _ other: Kind) -> Bool {
        sharedKeys.contains {
            $0.roles.contains(where: kind.roles.contains) && $0.roles.contains(where: other.roles.contains)
        }
    }

    /// A key that clients read on every object of a role, although the object's kind has no such key.
    func sharedKey(_ name: String, of role: Role, for audience: Audience) -> Key? {
        for shared in sharedKeys where shared.roles.contains(role) {
            return shared.key(name, for: audience)
        }
        return nil
    }
}

/// Roles of objects that clients decode into one type. If an object has any key of that type, the value must be valid, even if the
/// object's own kind doesn't use the key.
package struct SharedKeys: Sendable {
    let roles: [Role]
    /// Keys that clients still decode, although no kind uses them.
    private let leftovers: [Key]
    private var keysByName: [String: [(key: Key, support: Support)]] = [:]

    package init(_ roles: [Role], leftovers: [Key] = []) {
        self.roles = roles
        self.leftovers = leftovers
    }

    fileprivate func filled(from kinds: [Kind]) -> SharedKeys {
        var filled = self
        for key in leftovers { filled.keysByName[key.name, default: []].append((key, .all)) }
        for kind in kinds where kind.roles.contains(where: roles.contains) {
            for key in kind.keys {
                filled.keysByName[key.name, default: []].append((key, kind.support))
            }
        }
        return filled
    }

    fileprivate func key(_ name: String, for audience: Audience) -> Key? {
        keysByName[name]?.first { $0.key.support.overlaps(audience) && $0.support.overlaps(audience) }?.key
    }
}
