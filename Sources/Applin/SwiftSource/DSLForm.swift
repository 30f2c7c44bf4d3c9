import Backlot

/// The Swift form of objects of a kind: `name(arguments) { braces }.modifiers`.
///
/// It follows from the vocabulary. The function has the wire's name; required keys are arguments or go between braces; all other keys
/// are modifiers. Exceptions of the DSL are declared here.
struct DSLForm: Sendable {
    /// The forms of all kinds.
    static let all = Dictionary(uniqueKeysWithValues: ApplinVocabulary.all.kinds.map { ($0, DSLForm($0)) })

    /// The function's name.
    let function: String
    /// The first argument has no label; others have the key's name, or another.
    let arguments: [Key]
    /// The key between braces. A list of actions can also be written as further arguments.
    let braces: Key?
    /// The modifiers, in the order of the vocabulary.
    let modifiers: [Key]

    init(_ kind: Kind) {
        function = kind == ModalButton.vocabulary ? "modalButton" : kind.name.lowerCamelCase
        let written = kind.keys.filter(\.isWritten)
        let own = Self.arguments[kind] ?? []
        let arguments =
            written.filter { own.first == $0.name && Self.labels.contains($0.name) }
            + written.filter { key in
                let isLabel = own.first == key.name && Self.labels.contains(key.name)
                return !isLabel && !key.type.isNodes && (key.isRequired || own.contains(key.name))
            }
        let needed = written.first { $0.type.isNodes && ($0.isNeeded || own.contains($0.name)) }
        self.arguments = arguments
        braces = needed
        modifiers = written.filter { key in
            key.name != needed?.name && !arguments.contains { $0.name == key.name }
                && !Self.choices.joined().contains(key.name)
        }
    }

    /// Keys that are arguments, or go between braces, although clients don't require them.
    private static let arguments: [Kind: [String]] = [
        NavPage.vocabulary: ["poll_seconds", "ephemeral"],
        PlainPage.vocabulary: ["title", "poll_seconds", "ephemeral"],
        TextField.vocabulary: ["label"],
        Checkbox.vocabulary: ["text"],
        FormSection.vocabulary: ["title"],
        CheckboxButton.vocabulary: ["text", "actions"],
        GroupedRowTable.vocabulary: ["row_groups"],
        Image.vocabulary: ["disposition"],
        Selector.vocabulary: ["label", "options", "initial_string"],
        ChoosePhoto.vocabulary: ["aspect_ratio"],
        TakePhoto.vocabulary: ["aspect_ratio"],
        RPC.vocabulary: ["on_user_error_poll"],
    ]

    /// The keys of an input's label, which comes first.
    private static let labels: Set = ["label", "text"]

    /// The keys of a selector's further choices; each choice is one modifier.
    static let choices = [
        ["var_name1", "options1", "initial_string1"], ["var_name2", "options2", "initial_string2"],
    ]

    /// The modifiers of those choices.
    static let choiceModifiers = [".second", ".third"]

    /// The source for an argument that the DSL requires and the document lacks.
    static func absent(_ key: String, of kind: Kind) -> String? {
        guard kind == Selector.vocabulary else { return nil }
        return switch key {
        case "options": "[]"
        case "initial_string": "nil"
        default: nil
        }
    }

    /// The name of a key in Swift.
    static func name(_ key: String) -> String {
        switch key {
        case "poll_seconds": "poll"
        case "poll_delay_ms": "pollDelay"
        case "initial_string", "initial_bool": "initialValue"
        default: key.lowerCamelCase
        }
    }

    /// The value of a key in Swift.
    static func value(_ key: String, _ value: String) -> String {
        switch key {
        case "poll_seconds": value == "0" ? ".zero" : ".seconds(\(value))"
        case "poll_delay_ms": value == "0" ? ".zero" : ".milliseconds(\(value))"
        default: value
        }
    }

    /// A modifier with its argument.
    static func modifier(_ key: String, _ value: String) -> String {
        key == "validated" && value == "true" ? ".validated()" : ".\(name(key))(\(Self.value(key, value)))"
    }
}

extension Key {
    var isRequired: Bool { if case .required = presence { true } else { false } }
}

extension ValueType {
    /// Whether the value is an object of the document's tree, or a list of them.
    fileprivate var isNodes: Bool {
        switch self {
        case .node, .list(.node, _): true
        default: false
        }
    }
}
