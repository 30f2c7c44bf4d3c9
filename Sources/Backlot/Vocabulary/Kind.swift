/// One kind of object that clients read, such as a `checkbox`, with its keys.
package final class Kind: Sendable {
    /// The name on the wire. A kind whose objects bear no name has the name of its role.
    package let name: String
    /// Where objects of this kind can stand.
    package let roles: [Role]
    /// What the object is, in one sentence.
    package let meaning: String
    /// Every key but the one that names the kind. A key may be there several times, each time for other clients.
    package let keys: [Key]
    /// Keys of which some or only one must be there.
    package let groups: [KeyGroup]
    /// The clients that know the kind.
    package let support: Support
    /// The key whose value is the whole of an object that is written as a text, as in `"push:/terms"`.
    package let argument: String?
    /// Keys that people write although no client reads them, each with what to do about it.
    package let misnomers: [String: String]
    /// Names that people write instead of this one, each with what to do about it.
    package let formerNames: [String: String]
    /// What to do instead, for clients that don't know the kind, as a sentence.
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
        self.misnomers = misnomers
        self.formerNames = formerNames
        self.instead = instead
        self.noun = noun ?? name.withArticle
    }

    /// The declaration of a key for some clients; nil when none of them reads it.
    package func key(_ name: String, for audience: Audience) -> Key? {
        keys.first { $0.name == name && $0.support.overlaps(audience) }
    }
}

extension Kind: Hashable {
    /// Each kind is declared once.
    package static func == (left: Kind, right: Kind) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Kind: CustomStringConvertible {
    package var description: String { name }
}

/// A place that objects stand in, and how clients find out which kind stands there.
@usableFromInline package final class Role: Sendable {
    /// How clients find out an object's kind.
    package enum Naming: Sendable {
        /// By a key of the object: `typ`.
        case key(String)
        /// By a key of the object around it: `class_type`.
        case parentKey(String)
        /// There is one kind only.
        case single
    }

    /// What stands there, in sentences: `widget`.
    package let noun: String
    package let naming: Naming
    /// The keys whose text tells one object from another, for the steps of a finding's path.
    package let labels: [String]
    /// A kind to name where none is named, for the texts of findings.
    let example: String?
    /// Whether what stands there is a step of a finding's path.
    let hasStep: Bool
    /// Reads an object that is written as a text in words of a vocabulary; nil where clients read objects only.
    package let readText: (@Sendable (String, Vocabulary) -> JSONObject)?
    /// The rule that is broken by a kind that no client knows.
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
    /// Each role is declared once.
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
    /// What happens without the key. `null` counts as absent.
    package enum Presence: Sendable {
        /// Clients refuse the document.
        case required
        /// At least one known parser refuses the document. The others assume a value.
        case recommended(otherwise: JSONValue)
        /// Nothing happens.
        case optional
        /// Nothing happens. Clients read the key, and this library never writes it.
        case unwritten
    }

    /// The name on the wire.
    package let name: String
    package let type: ValueType
    package let presence: Presence
    /// What the value means, in one sentence.
    package let meaning: String
    /// What clients assume without the key; nil when that can't be said as a value.
    package let defaultValue: JSONValue?
    /// The clients that read the key.
    package let support: Support
    /// What clients do about a value of a type that they don't expect.
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

/// What clients do about a value that they don't expect.
@usableFromInline package enum Consequence: Sendable {
    /// They refuse the whole document, which is an error.
    case refusal
    /// They go on, which is worth a warning. The text is the end of a sentence: `use their default`.
    case warning(String)
}

extension Key {
    /// Whether an object without the key is refused, at least by some parsers.
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
