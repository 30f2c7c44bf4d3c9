public import Backlot
public import BacklotJSON

/// A box to check, which sets a boolean variable.
///
/// Source: Applin documentation, Widgets, checkbox.
public struct Checkbox: Widget {
    /// The variable, under which its value is sent to the backend.
    public let varName: String
    var text: String?
    var initialBool: Bool?
    var actions: [any Action] = []
    var pollDelayMs: UInt32?
    var validated: Bool?

    /// `checkbox`
    public var typ: StaticString { "checkbox" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("var_name", varName)
            $0.field("text", text)
            $0.field("initial_bool", initialBool)
            if !actions.isEmpty {
                $0.field("actions", actions)
            }
            $0.field("poll_delay_ms", pollDelayMs)
            $0.field("validated", validated)
        }
    }

    /// Shows a label next to the box.
    public consuming func text(_ text: String?) -> Checkbox {
        self.text = text
        return consume self
    }

    /// Sets the variable's value for as long as the variable is unset.
    public consuming func initialBool(_ value: Bool?) -> Checkbox {
        initialBool = value
        return consume self
    }

    /// Performs actions when the box is tapped. If one fails, the box goes back to its former value.
    public consuming func actions(@ActionListBuilder _ actions: () -> [any Action]) -> Checkbox {
        self.actions = actions()
        return consume self
    }

    /// Polls the page when the box has been tapped, after this many milliseconds; 0 polls at once.
    public consuming func pollDelayMs(_ milliseconds: UInt32?) -> Checkbox {
        pollDelayMs = milliseconds
        return consume self
    }

    /// Says that the backend checks the variable: `push` and `replace_all` on this page send the variables at once.
    /// Clients before 0.31 ignore it.
    public consuming func validated(_ validated: Bool = true) -> Checkbox {
        self.validated = validated
        return consume self
    }
}

/// Makes a ``Checkbox`` for the boolean variable `varName`.
public func checkbox(_ varName: String) -> Checkbox {
    Checkbox(varName: varName)
}

/// Makes a ``Checkbox`` for a boolean variable that a handler reads under the same name.
public func checkbox(_ variable: Variable<Bool>) -> Checkbox {
    Checkbox(varName: variable.name)
}
