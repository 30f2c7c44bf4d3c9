/// One value that can be set: by an option, or a variable of the environment or of a file .env, or else by default.
public struct Setting<Value: Sendable>: Sendable {
    /// The option's name without its dashes: `drain-delay`. The variable is the same in capitals: `DRAIN_DELAY`.
    public let name: String
    /// The default value; nil for none.
    public let standard: String?
    /// The allowed texts, for messages about others.
    public let allowed: String
    /// Whether it must never be shown.
    public let isSecret: Bool
    /// Hides the secret part of the text; nil where all of it may be shown.
    let shown: (@Sendable (String) -> String)?
    /// Reads the value; nil for a text that is not allowed.
    let read: @Sendable (String) -> Value?

    /// A setting.
    ///
    /// - Parameters:
    ///   - name: the option's name without its dashes.
    ///   - standard: the default value; nil for none.
    ///   - allowed: the allowed texts, for messages about others: `a number of seconds from 0 to 3600`.
    ///   - isSecret: whether it must never be shown.
    ///   - shown: hides the secret part of the text, such as the password of a URL; nil where all of it may be shown.
    ///   - read: reads the value; nil for a text that is not allowed.
    public init(
        name: String,
        standard: String? = nil,
        allowed: String,
        isSecret: Bool = false,
        shown: (@Sendable (String) -> String)? = nil,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.standard = standard
        self.allowed = allowed
        self.isSecret = isSecret
        self.shown = shown
        self.read = read
    }
}

/// A setting of any type, to be listed.
public protocol ListedSetting: Sendable {
    /// The option's name without its dashes.
    var name: String { get }
    /// The default value; nil for none.
    var standard: String? { get }
    /// Whether it must never be shown.
    var isSecret: Bool { get }
    /// Whether it is a secret or may hold one, so that a file may hold its value: `ADMIN_TOKEN_FILE`.
    var isConfidential: Bool { get }
    /// The text as it may be shown.
    func display(_ text: String) -> String
    /// Whether the text is a value.
    func accepts(_ text: String) -> Bool
    /// The allowed texts.
    var allowed: String { get }
}

extension Setting: ListedSetting {
    /// Whether the text is a value.
    public func accepts(_ text: String) -> Bool { read(text) != nil }
    /// The text as it may be shown.
    public func display(_ text: String) -> String { isSecret ? "(hidden)" : shown?(text) ?? text }
    /// Whether it is a secret or may hold one.
    public var isConfidential: Bool { isSecret || shown != nil }
}

extension ListedSetting {
    /// The option as it is written.
    var option: String { "--\(name)" }
    /// The variable of the environment.
    var variable: String { name.replacing("-", with: "_").uppercased() }
}
