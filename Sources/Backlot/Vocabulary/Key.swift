/// A key that clients read.
package struct Key: Sendable {
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

    package static func required(
        _ name: String,
        _ type: ValueType,
        _ meaning: String,
        support: Support = .all,
        ifWrong consequence: Consequence = .refusal,
        rule: String? = nil
    ) -> Key {
        Key(.required, name, type, meaning, nil, support, consequence, rule)
    }

    package static func recommended(
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

    package static func optional(
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
package enum Consequence: Sendable {
    /// They refuse the whole document, which is an error.
    case refusal
    /// They go on, which is worth a warning. The text is the end of a sentence: `use their default`.
    case warning(String)
}
