public import BacklotJSON

/// Makes a variable unset, so that its input shows the initial value again.
///
/// Source: not documented; clients since 0.31 have it.
public struct ResetVar: Action {
    /// The variable.
    public let varName: String

    /// `reset_var`
    public var typ: StaticString { "reset_var" }

    /// Clients of the documented dialect know no such action.
    public var hasStringForm: Bool { false }

    /// Writes the fields after `typ` where actions are objects.
    public func encodeFields(into writer: inout JSONWriter) {
        writer.field("var_name", varName)
    }
}

/// Makes a ``ResetVar``.
public func resetVar(_ varName: String) -> ResetVar {
    ResetVar(varName: varName)
}
