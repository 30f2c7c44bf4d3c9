/// A value that can be set by an option, by a variable of the environment or of a .env file, or by default.
///
/// ```swift
/// let rooms = Setting(name: "rooms", defaultText: "4", allowed: "a number from 1 to 100") { text in
///     Int(text).flatMap { (1...100).contains($0) ? $0 : nil }
/// }
/// ```
public struct Setting<Value: Sendable>: Sendable {
    /// The option's name without its dashes: `drain-delay`. The variable has the same name in capitals: `DRAIN_DELAY`.
    public let name: String
    /// The default value; nil for none.
    public let defaultText: String?
    /// The allowed texts, for messages about wrong ones.
    public let allowed: String
    /// Whether the value must never be shown.
    public let isSecret: Bool
    /// Hides the secret part of the text; nil if the whole text may be shown.
    let shown: (@Sendable (String) -> String)?
    /// Reads the value; nil for a text that is not allowed.
    let read: @Sendable (String) -> Value?

    /// Creates a setting.
    ///
    /// - Parameters:
    ///   - name: the option's name without its dashes.
    ///   - defaultText: the default value; nil for none.
    ///   - allowed: the allowed texts, for messages about wrong ones: `a number of seconds from 0 to 3600`.
    ///   - isSecret: whether the value must never be shown.
    ///   - shown: hides the secret part of the text, such as the password of a URL; nil if the whole text may be shown.
    ///   - read: reads the value; nil for a text that is not allowed.
    public init(
        name: String,
        defaultText: String? = nil,
        allowed: String,
        isSecret: Bool = false,
        shown: (@Sendable (String) -> String)? = nil,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.defaultText = defaultText
        self.allowed = allowed
        self.isSecret = isSecret
        self.shown = shown
        self.read = read
    }
}

/// A setting of any type, for lists.
///
/// ```swift
/// let rooms = Setting(name: "rooms", defaultText: "4", allowed: "a number") { Int($0) }
/// let settings: [any ListedSetting] = [rooms]
/// ```
public protocol ListedSetting: Sendable {
    /// The option's name without its dashes.
    var name: String { get }
    /// The default value; nil for none.
    var defaultText: String? { get }
    /// Whether the value must never be shown.
    var isSecret: Bool { get }
    /// Whether the value is or may contain a secret, so that it may also come from a file: `ADMIN_TOKEN_FILE`.
    var isConfidential: Bool { get }
    /// The text in a form that may be shown.
    func display(_ text: String) -> String
    /// Whether the text is an allowed value.
    func accepts(_ text: String) -> Bool
    /// The allowed texts.
    var allowed: String { get }
}

extension Setting: ListedSetting {
    /// Whether the text is an allowed value.
    public func accepts(_ text: String) -> Bool { read(text) != nil }
    /// The text in a form that may be shown.
    public func display(_ text: String) -> String { isSecret ? "(hidden)" : shown?(text) ?? text }
    /// Whether the value is or may contain a secret.
    public var isConfidential: Bool { isSecret || shown != nil }
}

extension ListedSetting {
    /// The option in its written form.
    var option: String { "--\(name)" }
    /// The variable of the environment.
    var variable: String { name.replacing("-", with: "_").uppercased() }
}
