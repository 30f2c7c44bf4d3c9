/// Ends the list of actions: those after it don't run.
///
/// Source: not documented; clients since 0.31 have it.
public struct StopActions: Action {
    /// `stop_actions`
    public var typ: StaticString { "stop_actions" }

    /// Clients of the documented dialect know no such action.
    public var hasStringForm: Bool { false }
}

/// Makes a ``StopActions``.
public func stopActions() -> StopActions {
    StopActions()
}
