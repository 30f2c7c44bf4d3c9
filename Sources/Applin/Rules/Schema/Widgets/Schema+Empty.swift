extension Schema {
    /// What an empty accepts.
    static let empty = Schema("empty")
}
