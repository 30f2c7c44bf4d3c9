public import Backlot

/// A box to check, which sets a boolean variable.
///
/// Source: Applin documentation, Widgets, checkbox.
public struct Checkbox: Widget, KeyedObject {
    /// The variable, under which its value is sent to the backend.
    public let varName: String
    var text: String?
    var error: String?
    var initialValue: Bool?
    var actions: [any Action] = []
    var pollDelay: Duration?
    var validated: Bool?

    /// `checkbox`
    public var typ: StaticString { "checkbox" }

    static let vocabulary = Kind(
        Checkbox(varName: ""),
        "A box to check, which sets a boolean variable.",
        misnomers: ["rpc": "Put an rpc action into \"actions\": clients dropped the key \"rpc\" in 0.25."]
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        guard let error else { return writer.write(self) }
        writer.write(Column(widgets: [changing(self) { $0.error = nil }, errorText(error)]))
    }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys.varName(varName)
        keys("text", text).optional("The label next to the box.")
        keys("initial_bool", initialValue).optional("The variable's value until it is set.", default: false)
        keys("actions", actions.isEmpty ? nil : actions).optional(
            "The actions of a tap; when one fails, the box goes back to its former value.",
            default: [],
            support: .since("0.25")
        )
        keys.pollDelay(pollDelay)
        keys.validated(validated)
    }

    /// Shows a label next to the box.
    public consuming func text(_ text: String?) -> Checkbox { changing(self) { $0.text = text } }

    /// Sets the variable's value for as long as the variable is unset.
    public consuming func initialValue(_ value: Bool?) -> Checkbox { changing(self) { $0.initialValue = value } }

    /// The former name of ``initialValue(_:)``.
    @available(*, deprecated, renamed: "initialValue")
    public consuming func initialBool(_ value: Bool?) -> Checkbox { initialValue(value) }

    /// Shows a message below the box, with an alert icon; nil without an error. Clients have no messages for checkboxes, so this
    /// makes a ``Column`` of the box and an ``ErrorText``.
    public consuming func error(_ message: String?) -> Checkbox { changing(self) { $0.error = message } }

    /// Performs actions when the box is tapped. If one fails, the box returns to its former value. Empty braces don't disable the
    /// box, because released clients can't do that.
    public consuming func actions(@ActionListBuilder _ actions: () -> [any Action]) -> Checkbox {
        changing(self) { $0.actions = actions() }
    }

    /// Polls the page this long after the box is tapped; zero polls at once.
    ///
    /// - Parameter delay: whole milliseconds, at most 2³² − 1.
    public consuming func pollDelay(_ delay: Duration?) -> Checkbox { changing(self) { $0.pollDelay = delay } }

    /// Says that the backend checks the variable: `push` and `replace_all` on this page send the variables at once.
    /// Clients before 0.33 ignore it.
    public consuming func validated(_ validated: Bool = true) -> Checkbox {
        changing(self) { $0.validated = validated }
    }
}

/// Makes a ``Checkbox`` with a label, for the boolean variable `varName`.
///
/// ```swift
/// checkbox("I agree", varName: "agree").initialValue(true)
/// ```
public func checkbox(_ text: String? = nil, varName: String) -> Checkbox {
    Checkbox(varName: varName, text: text)
}

/// Makes a ``Checkbox`` with a label, for a boolean variable that a handler reads under the same name.
///
/// ```swift
/// let agree = Variable<Bool>("agree")
/// checkbox("I agree", agree)
/// ```
public func checkbox(_ text: String?, _ variable: Variable<Bool>) -> Checkbox {
    Checkbox(varName: variable.name, text: text)
}

/// The former spelling, with the variable in the place of the label.
@available(*, deprecated, message: "labels come first: write checkbox(\"I agree\", varName: \"agree\")")
public func checkbox(_ varName: String) -> Checkbox { checkbox(varName: varName) }

/// The former spelling, with the variable in the place of the label.
@available(*, deprecated, message: "labels come first: write checkbox(\"I agree\", variable)")
public func checkbox(_ variable: Variable<Bool>) -> Checkbox { checkbox(nil, variable) }

/// A button that looks like a checkbox and has no variable: its actions say what a tap does.
///
/// Source: not documented; clients before 0.38 reject a page that has one.
public struct CheckboxButton: Widget, KeyedObject {
    /// The label next to the box.
    public let text: String?
    /// The actions of a tap. When one fails, the box goes back to its former value.
    public let actions: [any Action]
    var initialValue: Bool?

    /// `checkbox_button`
    public var typ: StaticString { "checkbox_button" }

    static let vocabulary = Kind(
        CheckboxButton(text: nil, actions: []),
        "A button that looks like a checkbox and has no variable.",
        support: .since("0.38")
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("text", text).optional("The label next to the box.")
        keys("initial_bool", initialValue).optional("Whether the box is checked.", default: false)
        keys("actions", actions.isEmpty ? nil : actions).optional("The actions of a tap.", default: [])
    }

    /// Says whether the box is checked.
    public consuming func initialValue(_ value: Bool?) -> CheckboxButton { changing(self) { $0.initialValue = value } }

    /// The former name of ``initialValue(_:)``.
    @available(*, deprecated, renamed: "initialValue")
    public consuming func initialBool(_ value: Bool?) -> CheckboxButton { initialValue(value) }
}

/// Makes a ``CheckboxButton`` with few actions.
///
/// ```swift
/// checkboxButton("Urgent", rpc("/toggle"), poll()).initialValue(true)
/// ```
public func checkboxButton(
    _ text: String?,
    _ first: any Action,
    _ second: (any Action)? = nil,
    _ more: any Action...
) -> CheckboxButton {
    CheckboxButton(text: text, actions: .init(first, second, more))
}

/// Makes a ``CheckboxButton``, with `if` and `for` among its actions. Empty braces don't disable the box, because released clients
/// can't do that.
///
/// ```swift
/// checkboxButton("Urgent") {
///     rpc("/toggle")
///     if isShared { poll() }
/// }
/// ```
public func checkboxButton(_ text: String? = nil, @ActionListBuilder _ actions: () -> [any Action]) -> CheckboxButton {
    CheckboxButton(text: text, actions: actions())
}
