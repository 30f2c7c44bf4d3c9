/// Leaves the page for the one below it on the stack. On the last page it fails.
///
/// Source: Applin documentation, Actions, pop.
public struct Pop: Action {
    /// `pop`
    public var typ: StaticString { "pop" }
}

/// Makes a ``Pop``.
public func pop() -> Pop {
    Pop()
}
