/// When an action of this list fails because the backend refused the input (403 or 422), polls the page before it shows the
/// error, so that the page can mark the inputs.
///
/// Source: Applin documentation, Actions, on_user_error_poll.
public struct OnUserErrorPoll: Action {
    /// `on_user_error_poll`
    public var typ: StaticString { "on_user_error_poll" }
}

/// Makes an ``OnUserErrorPoll``.
public func onUserErrorPoll() -> OnUserErrorPoll {
    OnUserErrorPoll()
}
