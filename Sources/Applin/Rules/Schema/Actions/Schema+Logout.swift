extension Schema {
    /// What a logout accepts.
    static let logout = Schema("logout")
}
