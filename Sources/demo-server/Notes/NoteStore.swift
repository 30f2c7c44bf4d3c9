/// Where notes are kept.
protocol NoteStore: Sendable {
    /// The notes that a user has saved, those changed last first.
    func notes(of owner: String) async -> [Note]

    /// A note, also one that was begun and never saved; nil where there is none.
    func note(_ id: Note.ID) async -> Note?

    /// The note that a user's next one will be. It stays the same until it is saved.
    func draft(of owner: String) async -> Note

    /// Saves a text in a note. A text that it has already changes nothing, so that saving twice does no harm.
    ///
    /// - Parameters:
    ///   - version: the version that the text was made from.
    /// - Throws: `NoteError`; then nothing has changed.
    func save(_ text: String, in id: Note.ID, version: Int) async throws(NoteError)

    /// Removes a note. Does nothing where there is none.
    func remove(_ id: Note.ID) async
}

/// Why a note can't be saved.
enum NoteError: Error, Equatable {
    /// There is no such note, or not any more.
    case notFound
    /// Somebody has saved another text meanwhile.
    case changedMeanwhile
    /// The user has as many notes as can be.
    case tooMany(limit: Int)
}
