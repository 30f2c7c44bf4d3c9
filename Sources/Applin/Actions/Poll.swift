/// Gets the page again and shows what changed. The page's variables are sent along, if it has any.
///
/// Source: Applin documentation, Actions, poll.
public struct Poll: Action {
    /// `poll`
    public var typ: StaticString { "poll" }
}

/// Makes a ``Poll``.
public func poll() -> Poll {
    Poll()
}
