public import Backlot

/// Forgets the user: the client deletes the cookie `session` and all variables, and shows its first page again, as the only one on
/// the stack. The backend doesn't notice: call an rpc first.
///
/// Source: not documented; clients have it in both dialects.
public struct Logout: Action, KeyedObject {
    /// `logout`
    public var typ: StaticString { "logout" }

    static let vocabulary = Kind(
        Logout(),
        "Forgets the user: deletes the session's cookie and all variables, and shows the first page."
    )

    package func keys(_ keys: inout some Keys) {}
}

/// Makes a ``Logout``.
///
/// ```swift
/// formButton("Log out", rpc("/log_out"), logout())
/// ```
public func logout() -> Logout {
    Logout()
}

/// Makes a variable unset, so that its initial value is sent again. Text fields keep their text until the page is pushed again.
///
/// Source: not documented; clients since 0.36 have it.
public struct ResetVar: Action, KeyedObject {
    /// The variable.
    public let varName: String

    /// `reset_var`
    public var typ: StaticString { "reset_var" }

    /// Clients of the documented dialect don't know the action.
    public var hasStringForm: Bool { false }

    static let vocabulary = Kind(ResetVar(varName: ""), "Makes a variable unset.", support: .since("0.36"))

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("var_name", varName).required("The variable.")
    }
}

/// Makes a ``ResetVar``.
///
/// ```swift
/// formButton("Save", rpc("/save"), resetVar("title"), pop())  // the next form begins empty
/// ```
public func resetVar(_ varName: String) -> ResetVar {
    ResetVar(varName: varName)
}

/// Ends the list of actions: those after it don't run.
///
/// Source: not documented; clients since 0.35 have it.
public struct StopActions: Action, KeyedObject {
    /// `stop_actions`
    public var typ: StaticString { "stop_actions" }

    /// Clients of the documented dialect don't know the action.
    public var hasStringForm: Bool { false }

    static let vocabulary = Kind(
        StopActions(),
        "Ends the list of actions: those after it don't run.",
        support: .since("0.35")
    )

    package func keys(_ keys: inout some Keys) {}
}

/// Makes a ``StopActions``.
///
/// ```swift
/// button("Send") {
///     rpc("/send")
///     if isLastPage { stopActions() }
///     push("/next")
/// }
/// ```
public func stopActions() -> StopActions {
    StopActions()
}
