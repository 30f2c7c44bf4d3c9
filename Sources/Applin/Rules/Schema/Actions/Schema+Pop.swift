extension Schema {
    /// What a pop accepts.
    static let pop = Schema("pop")
}
