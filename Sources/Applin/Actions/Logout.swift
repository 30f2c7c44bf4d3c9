/// Forgets the user: the client deletes the cookie `session` and all variables, and shows its first page again with nothing
/// else on the stack. The backend is not told: call an rpc first.
///
/// Source: not documented; clients have it in both dialects.
public struct Logout: Action {
    /// `logout`
    public var typ: StaticString { "logout" }
}

/// Makes a ``Logout``.
public func logout() -> Logout {
    Logout()
}
