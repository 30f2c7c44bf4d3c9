import Backlot

/// How objects of a kind are written in Swift: `name(arguments) { braces }.modifiers`.
///
/// It follows from the vocabulary: the function has the name of the wire, what clients require is an argument or stands between
/// braces, and all else is a modifier. Where the DSL does otherwise, it stands here.
struct DSLForm: Sendable {
    /// The forms of all kinds.
    static let all = Dictionary(uniqueKeysWithValues: ApplinVocabulary.all.kinds.map { ($0, DSLForm($0)) })

    /// The function's name.
    let function: String
    /// The first has no label; others have the key's name.
    let arguments: [Key]
    /// What stands between braces.
    let braces: Key?
    /// In the order of the vocabulary.
    let modifiers: [Key]

    init(_ kind: Kind) {
        function = kind == ModalButton.vocabulary ? "modalButton" : kind.name.lowerCamelCase
        let written = kind.keys.filter(\.isWritten)
        let own = Self.arguments[kind] ?? []
        let arguments = written.filter { !$0.type.isNodes && ($0.isRequired || own.contains($0.name)) }
        let needed = written.first { $0.type.isNodes && ($0.isNeeded || own.contains($0.name)) }
        self.arguments = arguments
        braces = needed
        modifiers = written.filter { key in
            key.name != needed?.name && !arguments.contains { $0.name == key.name }
                && !Self.choices.joined().contains(key.name)
        }
    }

    /// What is an argument, or stands between braces, although clients don't require it.
    private static let arguments: [Kind: [String]] = [
        PlainPage.vocabulary: ["title"],
        FormSection.vocabulary: ["title"],
        CheckboxButton.vocabulary: ["text", "actions"],
        GroupedRowTable.vocabulary: ["row_groups"],
        Image.vocabulary: ["disposition"],
        Selector.vocabulary: ["options", "initial_string"],
        ChoosePhoto.vocabulary: ["aspect_ratio"],
        TakePhoto.vocabulary: ["aspect_ratio"],
        RPC.vocabulary: ["on_user_error_poll"],
    ]

    /// The keys of a selector's further choices, which are one modifier each.
    static let choices = [
        ["var_name1", "options1", "initial_string1"], ["var_name2", "options2", "initial_string2"],
    ]

    /// The modifiers of those choices.
    static let choiceModifiers = [".second", ".third"]

    /// What is written for an argument that the DSL wants and the document hasn't.
    static func absent(_ key: String, of kind: Kind) -> String? {
        guard kind == Selector.vocabulary else { return nil }
        return switch key {
        case "options": "[]"
        case "initial_string": "nil"
        default: nil
        }
    }

    /// A modifier with its argument, which may have braces instead.
    static func modifier(_ key: String, _ value: String) -> String {
        switch (key, value) {
        case ("poll_seconds", _): ".poll(every: \(value == "0" ? ".zero" : ".seconds(\(value))"))"
        case ("poll_delay_ms", _): ".pollDelay(\(value == "0" ? ".zero" : ".milliseconds(\(value))"))"
        case ("ephemeral", "true"), ("validated", "true"): ".\(key)()"
        default: ".\(key.lowerCamelCase)(\(value))"
        }
    }
}

extension Key {
    var isRequired: Bool { if case .required = presence { true } else { false } }
}

extension ValueType {
    /// Whether it is an object of the document's tree, or a list of them.
    fileprivate var isNodes: Bool {
        switch self {
        case .node, .list(.node, _): true
        default: false
        }
    }
}
