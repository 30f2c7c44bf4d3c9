/// Why a note can't be saved.
enum NoteError: Error, Equatable {
    /// There is no such note, or not any more.
    case notFound
    /// Somebody has saved another text meanwhile.
    case changedMeanwhile
    /// The user has as many notes as can be.
    case tooMany(limit: Int)
}

/// Something that a user has written down.
struct Note: Sendable, Equatable, Identifiable {
    /// The most characters that a note can have.
    static let maximumLength = 2000
    /// How many earlier versions are remembered, to tell an edit from a text that was only shown.
    static let rememberedVersions = 10

    /// No other note ever has it, not even after the server has restarted: clients keep variables by it.
    let id: String
    /// The user whose note it is.
    let owner: String
    var text = ""
    /// How often it has been saved; 0 for one that was begun and never was.
    var version = 0
    /// The texts of the versions before this one, but for those long ago.
    var earlier: [Int: String] = [:]
    /// When it was saved last, for people.
    var changed = ""

    /// The first line that has something in it.
    var title: String {
        let line = text.split(separator: "\n").first { !String($0).isBlank } ?? "Untitled"
        return line.count > 40 ? line.prefix(39) + "…" : String(line)
    }
}

/// Notes in the memory of the process.
actor NoteStore {
    /// The most notes of one user.
    static let maximumCount = 50

    private var notes: [Note.ID: Note] = [:]
    /// The notes of each user, those changed last first.
    private var saved: [String: [Note.ID]] = [:]
    private var drafts: [String: Note.ID] = [:]

    /// The notes that a user has saved, those changed last first.
    func notes(of owner: String) -> [Note] {
        saved[owner, default: []].compactMap { notes[$0] }
    }

    /// A note, also one that was begun and never saved; nil for an unknown id.
    func note(_ id: Note.ID) -> Note? { notes[id] }

    /// The note that a user's next one will be. It stays the same until it is saved.
    func draft(of owner: String) -> Note {
        if let draft = drafts[owner].flatMap({ notes[$0] }) { return draft }
        let draft = Note(id: Self.makeID(), owner: owner)
        notes[draft.id] = draft
        drafts[owner] = draft.id
        return draft
    }

    /// Saves a text in a note. A text that it has already changes nothing, so that saving twice does no harm.
    ///
    /// - Parameters:
    ///   - version: the version that the text was made from. Its own text, to which nothing was done, changes nothing either.
    /// - Throws: `NoteError`; then nothing has changed.
    func save(_ text: String, in id: Note.ID, version: Int) throws(NoteError) {
        guard var note = notes[id] else { throw .notFound }
        guard note.text != text, note.earlier[version] != text else { return }
        guard note.version == version else { throw .changedMeanwhile }
        var ids = saved[note.owner, default: []]
        if note.version == 0 {
            guard ids.count < Self.maximumCount else { throw .tooMany(limit: Self.maximumCount) }
            drafts[note.owner] = nil
        }
        note.earlier[note.version] = note.text
        note.earlier[note.version - Note.rememberedVersions] = nil
        note.text = text
        note.version += 1
        note.changed = ClockText.now
        notes[id] = note
        ids.removeAll { $0 == id }
        ids.insert(id, at: 0)
        saved[note.owner] = ids
    }

    /// Removes a note. Does nothing for an unknown id.
    func remove(_ id: Note.ID) {
        guard let note = notes.removeValue(forKey: id) else { return }
        saved[note.owner]?.removeAll { $0 == id }
        if drafts[note.owner] == id { drafts[note.owner] = nil }
    }

    private static func makeID() -> Note.ID { String(UInt64.random(in: .min ... .max), radix: 36) }
}

/// Why there can't be such a user.
enum AccountError: String, Error {
    case nameTaken = "This name is taken."
    case tooMany = "This demo has no room for more accounts until it is started again."
}

/// The users of the notes app in the memory of the process. Passwords are not kept, since the demo checks none.
actor AccountStore {
    /// The most users.
    static let maximumCount = 1000

    private var names: Set<String> = []

    /// Whether there is a user of that name.
    func contains(_ name: String) -> Bool { names.contains(name) }

    /// Adds a user.
    ///
    /// - Throws: `AccountError`; then there is no new user.
    func create(_ name: String) throws(AccountError) {
        guard !names.contains(name) else { throw .nameTaken }
        guard names.count < Self.maximumCount else { throw .tooMany }
        names.insert(name)
    }
}
