/// One value that can be set: by an option, or a variable of the environment or of a file .env, or else by default.
struct Setting<Value: Sendable>: Sendable {
    /// The option's name without its dashes: `drain-delay`. The variable is the same in capitals: `DRAIN_DELAY`.
    let name: String
    /// What counts where nothing else is set; nil for nothing.
    let standard: String?
    /// What may be written, for whoever wrote something else.
    let allowed: String
    /// Whether it must never be shown.
    var isSecret = false
    /// Makes something of the text that may be shown.
    var shown: @Sendable (String) -> String = { $0 }
    /// The value; nil where the text is none.
    let read: @Sendable (String) -> Value?
}

/// A setting of any type, to be listed.
protocol ListedSetting: Sendable {
    var name: String { get }
    var standard: String? { get }
    var isSecret: Bool { get }
    /// The text as it may be shown.
    func display(_ text: String) -> String
    /// Whether the text is a value.
    func accepts(_ text: String) -> Bool
    /// What may be written.
    var allowed: String { get }
}

extension Setting: ListedSetting {
    func accepts(_ text: String) -> Bool { read(text) != nil }
    func display(_ text: String) -> String { isSecret ? "(hidden)" : shown(text) }
}

extension ListedSetting {
    /// The option as it is written.
    var option: String { "--\(name)" }
    /// The variable of the environment.
    var variable: String { components.joined(separator: "_").uppercased() }
    /// The parts of the name.
    var components: [String] { name.split(separator: "-").map(String.init) }
}
