/// Where the users of the notes app are kept.
protocol AccountStore: Sendable {
    /// Whether there is a user of that name.
    func contains(_ name: String) async -> Bool

    /// Adds a user.
    ///
    /// - Throws: `AccountError`; then there is no new user.
    func create(_ name: String) async throws(AccountError)
}

/// Why there can't be such a user.
enum AccountError: Error, Equatable {
    /// There is one already.
    case nameTaken
    /// There are as many as can be.
    case tooMany
}
