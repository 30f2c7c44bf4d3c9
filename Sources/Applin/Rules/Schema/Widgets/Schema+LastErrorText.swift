extension Schema {
    /// What a last_error_text accepts.
    static let lastErrorText = Schema("last_error_text")
}
