/// One kind of object that clients read, such as a `checkbox`, with its keys.
package final class Kind: Sendable {
    /// The name on the wire. A kind with nameless objects has the name of its role.
    package let name: String
    /// The roles of the kind's objects.
    package let roles: [Role]
    /// The meaning of the object, in one sentence.
    package let meaning: String
    /// Every key except the key with the kind's name. A key may occur several times, each time for other clients.
    package let keys: [Key]
    /// Groups of keys that require or exclude each other.
    package let groups: [KeyGroup]
    /// The clients that support the kind.
    package let support: Support
    /// For objects that may be written as a text: the key that gets the whole text, as in `"push:/terms"`.
    package let argument: String?
    /// For documents that may be a list: the key that gets the whole list.
    package let listKey: String?
    /// Keys that people write although clients don't read them, each with advice.
    package let misnomers: [String: String]
    /// Names that people write instead of this one, each with advice.
    package let formerNames: [String: String]
    /// Advice for clients without support for the kind, as a sentence.
    package let instead: String?
    /// The kind in sentences, with its article: `a checkbox`.
    package let noun: String

    package init(
        _ name: String,
        as roles: [Role],
        _ meaning: String,
        support: Support = .all,
        noun: String? = nil,
        instead: String? = nil,
        argument: String? = nil,
        listKey: String? = nil,
        misnomers: [String: String] = [:],
        formerNames: [String: String] = [:],
        groups: [KeyGroup] = [],
        keys: [Key] = []
    ) {
        self.name = name
        self.roles = roles
        self.meaning = meaning
        self.keys = keys
        self.groups = groups
        self.support = support
        self.argument = argument
        self.listKey = listKey
        self.misnomers = misnomers
        self.formerNames = formerNames
        self.instead = instead
        self.noun = noun ?? name.withArticle
    }

    /// This kind with further keys.
    func adding(_ more: [Key]) -> Kind {
        Kind(
            name,
            as: roles,
            meaning,
            support: support,
            noun: noun,
            instead: instead,
            argument: argument,
            listKey: listKey,
            misnomers: misnomers,
            formerNames: formerNames,
            groups: groups,
            keys: keys + more
        )
    }

    /// The declaration of a key for some clients; nil if they don't read it.
    package func key(_ name: String, for audience: Audience) -> Key? {
        keys.first { $0.name == name && $0.support.overlaps(audience) }
    }
}

extension Kind: Hashable {
    /// Compares identities: each kind is declared once.
    package static func == (left: Kind, right: Kind) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Kind: CustomStringConvertible {
    package var description: String { name }
}

/// A position for objects, and the way that clients find their kind.
@usableFromInline package final class Role: Sendable {
    /// The way that clients find an object's kind.
    package enum Naming: Sendable {
        /// By a key of the object: `typ`.
        case key(String)
        /// By a key of the object around it: `class_type`.
        case parentKey(String)
        /// There is only one kind.
        case single
    }

    /// The kind's noun in sentences, such as `widget`.
    package let noun: String
    package let naming: Naming
    /// The keys that distinguish one object from another by their text, for the steps of a finding's path.
    package let labels: [String]
    /// A kind to suggest in findings when an object doesn't name its kind.
    let example: String?
    /// Whether the role's objects are steps of a finding's path.
    let hasStep: Bool
    /// Reads an object that is written as a text in words of a vocabulary; nil if clients read objects only.
    package let readText: (@Sendable (String, Vocabulary) -> JSONObject)?
    /// The rule that an unknown kind breaks.
    let unknownRule: String

    package init(
        _ noun: String,
        _ naming: Naming = .single,
        labels: [String] = [],
        example: String? = nil,
        hasStep: Bool = true,
        unknownRule: String? = nil,
        readText: (@Sendable (String, Vocabulary) -> JSONObject)? = nil
    ) {
        self.noun = noun
        self.naming = naming
        self.labels = labels
        self.example = example
        self.hasStep = hasStep
        self.readText = readText
        switch naming {
        case .key(let key), .parentKey(let key): self.unknownRule = unknownRule ?? "unknown-\(key.ruleName)"
        case .single: self.unknownRule = "unknown-\(noun)"
        }
    }

    /// The key of the object itself that names its kind.
    var ownKey: String? {
        if case .key(let key) = naming { key } else { nil }
    }
}

extension Role: Equatable {
    /// Compares identities: each role is declared once.
    @usableFromInline package static func == (left: Role, right: Role) -> Bool { left === right }
}

/// Keys of an object that depend on each other.
package struct KeyGroup: Sendable {
    package enum Rule: Sendable {
        case atLeastOne, exactlyOne, atMostOne
    }

    package let rule: Rule
    package let keys: [String]
    /// The name of the finding; nil: `missing-key` or `contradicting-keys`.
    package let name: String?

    package static func atLeastOne(_ keys: String..., name: String? = nil) -> KeyGroup {
        KeyGroup(rule: .atLeastOne, keys: keys, name: name)
    }

    package static func exactlyOne(_ keys: String..., name: String? = nil) -> KeyGroup {
        KeyGroup(rule: .exactlyOne, keys: keys, name: name)
    }

    package static func atMostOne(_ keys: [String], name: String? = nil) -> KeyGroup {
        KeyGroup(rule: .atMostOne, keys: keys, name: name)
    }
}

/// A key that clients read.
@usableFromInline package struct Key: Sendable {
    /// The effect of a missing key. `null` counts as absent.
    package enum Presence: Sendable {
        /// Clients refuse the document.
        case required
        /// At least one known parser refuses the document. The others assume a value.
        case recommended(otherwise: JSONValue)
        /// No effect.
        case optional
        /// No effect. Clients read the key, and this library never writes it.
        case unwritten
    }

    /// The name on the wire.
    package let name: String
    package let type: ValueType
    package let presence: Presence
    /// The meaning of the value, in one sentence.
    package let meaning: String
    /// The value that clients assume without the key; nil if it isn't a simple value.
    package let defaultValue: JSONValue?
    /// The clients that read the key.
    package let support: Support
    /// The effect of a value of an unexpected type.
    package let consequence: Consequence
    /// The rule that a missing or wrong value breaks; nil: the general one, such as `wrong-type`.
    package let rule: String?

    private init(
        _ presence: Presence,
        _ name: String,
        _ type: ValueType,
        _ meaning: String,
        _ defaultValue: JSONValue?,
        _ support: Support,
        _ consequence: Consequence,
        _ rule: String?
    ) {
        self.name = name
        self.type = type
        self.presence = presence
        self.meaning = meaning
        self.defaultValue = defaultValue
        self.support = support
        self.consequence = consequence
        self.rule = rule
    }

    @usableFromInline package static func required(
        _ name: String,
        _ type: ValueType,
        _ meaning: String,
        support: Support = .all,
        ifWrong consequence: Consequence = .refusal,
        rule: String? = nil
    ) -> Key {
        Key(.required, name, type, meaning, nil, support, consequence, rule)
    }

    @usableFromInline package static func recommended(
        _ name: String,
        _ type: ValueType,
        otherwise value: JSONValue,
        _ meaning: String,
        support: Support = .all,
        ifWrong consequence: Consequence = .refusal,
        rule: String? = nil
    ) -> Key {
        Key(.recommended(otherwise: value), name, type, meaning, value, support, consequence, rule)
    }

    @usableFromInline package static func optional(
        _ name: String,
        _ type: ValueType,
        _ meaning: String,
        default value: JSONValue? = nil,
        support: Support = .all,
        ifWrong consequence: Consequence = .refusal,
        rule: String? = nil
    ) -> Key {
        Key(.optional, name, type, meaning, value, support, consequence, rule)
    }

    package static func unwritten(
        _ name: String,
        _ type: ValueType,
        _ meaning: String,
        support: Support = .all,
        ifWrong consequence: Consequence = .refusal,
        rule: String? = nil
    ) -> Key {
        Key(.unwritten, name, type, meaning, nil, support, consequence, rule)
    }
}

/// The reaction of clients to an unexpected value.
@usableFromInline package enum Consequence: Sendable {
    /// Clients refuse the whole document, which is an error.
    case refusal
    /// They continue, which is worth a warning. The text is the end of a sentence: `use their default`.
    case warning(String)
}

extension Key {
    /// Whether at least some parsers refuse an object without the key.
    package var isNeeded: Bool {
        switch presence {
        case .required, .recommended: true
        case .optional, .unwritten: false
        }
    }

    /// Whether this library writes the key.
    package var isWritten: Bool {
        if case .unwritten = presence { false } else { true }
    }
}
