internal import Backlot
public import BacklotJSON

/// Forgets the user: the client deletes the cookie `session` and all variables, and shows its first page again with nothing
/// else on the stack. The backend doesn't notice: call an rpc first.
///
/// Source: not documented; clients have it in both dialects.
public struct Logout: Action {
    /// `logout`
    public var typ: StaticString { "logout" }
}

extension Logout {
    static let vocabulary = Kind(
        "logout",
        as: [.action],
        "Forgets the user: deletes the session's cookie and all variables, and shows the first page."
    )
}

/// Makes a ``Logout``.
public func logout() -> Logout {
    Logout()
}

extension ResetVar {
    static let vocabulary = Kind(
        "reset_var",
        as: [.action],
        "Makes a variable unset.",
        support: .since("0.36"),
        keys: [
            .required("var_name", .string, "The variable.")
        ]
    )
}

/// Makes a variable unset, so that its initial value is sent again. Text fields go on showing their text until the page is pushed
/// anew.
///
/// Source: not documented; clients since 0.36 have it.
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

/// Ends the list of actions: those after it don't run.
///
/// Source: not documented; clients since 0.35 have it.
public struct StopActions: Action {
    /// `stop_actions`
    public var typ: StaticString { "stop_actions" }

    /// Clients of the documented dialect know no such action.
    public var hasStringForm: Bool { false }
}

extension StopActions {
    static let vocabulary = Kind(
        "stop_actions",
        as: [.action],
        "Ends the list of actions: those after it don't run.",
        support: .since("0.35")
    )
}

/// Makes a ``StopActions``.
public func stopActions() -> StopActions {
    StopActions()
}
