extension Schema {
    /// What an on_user_error_poll accepts.
    ///
    /// An action of its own in the documented dialect only; in the other one it is a key of rpc.
    static let onUserErrorPoll = Schema("on_user_error_poll", dialects: [.documented])
}
