public import Backlot

/// A field to type into, which sets a string variable.
///
/// Source: Applin documentation, Widgets, textfield; `max_chars`, `min_chars` and `validated` are not documented, but read
/// by clients.
public struct TextField: Widget, KeyedObject {
    /// The keyboard for a field. Clients still send any text, so the backend must check it.
    public enum Allow: String, Sendable, CaseIterable {
        /// Any text and symbols.
        case all
        /// ASCII only: no emoji, no letters beyond English.
        case ascii
        /// Characters of email addresses.
        case email
        /// Digits only.
        case numbers
        /// Characters of telephone numbers.
        case tel
    }

    /// The letters that the client capitalizes automatically.
    public enum AutoCapitalize: String, Sendable, CaseIterable {
        /// The first letter of each word.
        case names
        /// The first letter of each sentence.
        case sentences
    }

    /// The variable, under which its value is sent to the backend.
    public let varName: String
    var label: String?
    var error: String?
    var initialValue: String?
    var allow: Allow?
    var autoCapitalize: AutoCapitalize?
    var maxLines: Int?
    var maxChars: Int?
    var minChars: Int?
    var pollDelay: Duration?
    var validated: Bool?

    /// `textfield`
    public var typ: StaticString { "textfield" }

    static let vocabulary = Kind(TextField(varName: ""), "A field to type into, which sets a string variable.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys.varName(varName)
        keys.label(label)
        keys.error(error)
        keys("initial_string", initialValue).optional("The variable's value until it is set.", default: "")
        keys("allow", allow?.rawValue).optional(
            "The keyboard; clients send any text, so the backend checks it.",
            .names(
                [
                    "all": "Any text and symbols.",
                    "ascii": "ASCII only: no emoji, no letters beyond English.",
                    "email": "Characters of email addresses.",
                    "numbers": "Digits only.",
                    "tel": "Characters of telephone numbers.",
                ],
                ifUnknown: .warning("use their default")
            ),
            default: "all"
        )
        keys("auto_capitalize", autoCapitalize?.rawValue).optional(
            "The letters that the client capitalizes automatically.",
            .names(
                ["names": "The first letter of each word.", "sentences": "The first letter of each sentence."],
                ifUnknown: .warning("use their default")
            )
        )
        keys("max_lines", maxLines).optional("The lines that are shown; clients send longer texts too.", .unsigned)
        keys("max_chars", maxChars).optional("The largest number of characters; clients don't enforce it.", .unsigned)
        keys("min_chars", minChars).optional("The smallest number of characters; clients don't enforce it.", .unsigned)
        keys.pollDelay(pollDelay)
        keys.validated(validated)
    }

    /// Shows a label next to the field.
    public consuming func label(_ label: String?) -> TextField { changing(self) { $0.label = label } }

    /// Shows a message next to the field, with an alert icon and a red border; nil without an error.
    public consuming func error(_ message: String?) -> TextField { changing(self) { $0.error = message } }

    /// Sets the variable's value for as long as the variable is unset.
    public consuming func initialValue(_ value: String?) -> TextField { changing(self) { $0.initialValue = value } }

    /// The former name of ``initialValue(_:)``.
    @available(*, deprecated, renamed: "initialValue")
    public consuming func initialString(_ value: String?) -> TextField { initialValue(value) }

    /// Chooses the keyboard. Clients still send any text, so check it in the backend.
    public consuming func allow(_ allow: Allow?) -> TextField { changing(self) { $0.allow = allow } }

    /// Turns the first letters of words or sentences into capitals.
    public consuming func autoCapitalize(_ autoCapitalize: AutoCapitalize?) -> TextField {
        changing(self) { $0.autoCapitalize = autoCapitalize }
    }

    /// Sets the number of lines that are shown. Clients send longer texts too, so check them in the backend.
    public consuming func maxLines(_ lines: Int?) -> TextField { changing(self) { $0.maxLines = lines } }

    /// Names the largest number of characters. Clients don't enforce it, so check it in the backend.
    public consuming func maxChars(_ characters: Int?) -> TextField { changing(self) { $0.maxChars = characters } }

    /// Names the smallest number of characters. Clients don't enforce it, so check it in the backend.
    public consuming func minChars(_ characters: Int?) -> TextField { changing(self) { $0.minChars = characters } }

    /// Polls the page this long after the text changes; zero polls at once, as a search box does.
    ///
    /// - Parameter delay: whole milliseconds, at most 2³² − 1.
    public consuming func pollDelay(_ delay: Duration?) -> TextField { changing(self) { $0.pollDelay = delay } }

    /// Says that the backend checks the variable: `push` and `replace_all` on this page send the variables at once.
    /// Clients before 0.33 ignore it.
    public consuming func validated(_ validated: Bool = true) -> TextField {
        changing(self) { $0.validated = validated }
    }
}

/// Makes a ``TextField`` with a label, for the string variable `varName`.
///
/// ```swift
/// textfield("Phone", varName: "phone").allow(.tel).maxChars(20)
/// ```
public func textfield(_ label: String? = nil, varName: String) -> TextField {
    TextField(varName: varName, label: label)
}

/// Makes a ``TextField`` with a label, for a string variable that a handler reads under the same name.
///
/// ```swift
/// let city = Variable<String>("city")
/// textfield("City", city)
/// ```
public func textfield(_ label: String?, _ variable: Variable<String>) -> TextField {
    TextField(varName: variable.name, label: label)
}

/// The former spelling, with the variable in the place of the label.
@available(*, deprecated, message: "labels come first: write textfield(\"Name\", varName: \"name\")")
public func textfield(_ varName: String) -> TextField { textfield(varName: varName) }

/// The former spelling, with the variable in the place of the label.
@available(*, deprecated, message: "labels come first: write textfield(\"Name\", variable)")
public func textfield(_ variable: Variable<String>) -> TextField { textfield(nil, variable) }

/// Keys that several inputs have.
extension KeyVisitor where Self: ~Copyable {
    @inline(__always) mutating func varName(_ name: String) {
        self("var_name", name).required("The variable, under which its value is sent to the backend.")
    }

    @inline(__always) mutating func label(_ label: String?) {
        self("label", label).optional("A label next to the input.")
    }

    @inline(__always) mutating func error(_ message: String?) {
        self("error", message).optional("A message next to the input, with an alert icon.")
    }

    @inline(__always) mutating func pollDelay(_ delay: Duration?) {
        self("poll_delay_ms", delay.map { Int($0.milliseconds) }).optional(
            "Polls the page when the value has changed, after this many milliseconds; 0 polls at once.",
            .unsigned,
            support: .since("0.25")
        )
    }

    @inline(__always) mutating func validated(_ validated: Bool?) {
        self("validated", validated).optional(
            "Whether the backend checks the variable: push and replace_all on this page send the variables at once.",
            default: false,
            support: .since("0.33")
        )
    }
}
