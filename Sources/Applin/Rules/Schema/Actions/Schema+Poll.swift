extension Schema {
    /// What a poll accepts.
    static let poll = Schema("poll")
}
