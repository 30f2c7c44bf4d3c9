/// The reasons why a note can't be saved.
enum NoteError: Error, Equatable {
    /// The note doesn't exist, or was removed.
    case notFound
    /// Another device has saved another text in the meantime.
    case changedMeanwhile
    /// The user already has as many notes as allowed.
    case tooMany(limit: Int)
}

/// A text that a user has written.
struct Note: Sendable, Equatable, Identifiable {
    /// The maximum number of characters in a note.
    static let maximumLength = 2000
    /// The number of earlier versions to remember, to distinguish an edit from an unchanged text.
    static let rememberedVersions = 10

    /// The id is unique, even after a restart of the server: clients name variables after it.
    let id: String
    /// The user who wrote the note.
    let owner: String
    /// The draft that the note was written in, if another device has saved that draft first.
    var origin: String?
    var text = ""
    /// The number of times that it was saved; 0 for a new note.
    var version = 0
    /// The texts of the versions before this one, except the oldest.
    var earlier: [Int: String] = [:]
    /// The time of the last save, for people.
    var changed = ""

    /// The first line that isn't blank.
    var title: String {
        let line = text.split(separator: "\n").first { !String($0).isBlank } ?? "Untitled"
        return line.count > 40 ? line.prefix(39) + "…" : String(line)
    }
}

/// Notes in the memory of the process.
actor NoteStore {
    /// The maximum number of notes of one user.
    static let maximumCount = 50

    private var notes: [Note.ID: Note] = [:]
    /// The notes of each user, most recently changed first.
    private var saved: [String: [Note.ID]] = [:]
    private var drafts: [String: Note.ID] = [:]

    /// The notes that a user has saved, most recently changed first.
    func notes(of owner: String) -> [Note] {
        saved[owner, default: []].compactMap { notes[$0] }
    }

    /// A note, including a new one that was never saved; nil for an unknown id.
    func note(_ id: Note.ID) -> Note? { notes[id] }

    /// The user's next note. It stays the same until it is saved.
    func draft(of owner: String) -> Note {
        if let draft = drafts[owner].flatMap({ notes[$0] }) { return draft }
        let draft = Note(id: Self.makeID(), owner: owner)
        notes[draft.id] = draft
        drafts[owner] = draft.id
        return draft
    }

    /// Saves a text in a note. Saving the note's current text again has no effect.
    ///
    /// - Parameters:
    ///   - version: the version that the text is based on. Saving the unchanged text of that version has no effect either. If the
    ///     text is based on a draft that another device has saved, it becomes another note.
    /// - Throws: `NoteError`; then nothing has changed.
    func save(_ text: String, in id: Note.ID, version: Int) throws(NoteError) {
        guard var note = notes[id] else { throw .notFound }
        guard note.text != text, note.earlier[version] != text else { return }
        if version == 0, note.version > 0 {
            // A client may send a new note again, even after another device has changed it.
            let written = notes(of: note.owner).filter { $0.id == id || $0.origin == id }
            guard !written.contains(where: { ($0.earlier[1] ?? $0.text) == text }) else { return }
            note = Note(id: Self.makeID(), owner: note.owner, origin: id)
        }
        guard note.version == version else { throw .changedMeanwhile }
        var ids = saved[note.owner, default: []]
        if note.version == 0 {
            guard ids.count < Self.maximumCount else { throw .tooMany(limit: Self.maximumCount) }
            if drafts[note.owner] == note.id { drafts[note.owner] = nil }
        }
        note.earlier[note.version] = note.text
        note.earlier[note.version - Note.rememberedVersions] = nil
        note.text = text
        note.version += 1
        note.changed = ClockText.now
        notes[note.id] = note
        ids.removeAll { $0 == note.id }
        ids.insert(note.id, at: 0)
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

/// The reasons why a user can't be added.
enum AccountError: String, Error {
    case nameTaken = "This name is taken."
    case tooMany = "This demo has no room for more accounts until it is started again."
}

/// The users of the notes app, in the memory of the process. It doesn't keep passwords, because the demo doesn't check them.
actor AccountStore {
    /// The maximum number of users.
    static let maximumCount = 1000

    private var names: Set<String> = []

    /// Whether a user has this name.
    func contains(_ name: String) -> Bool { names.contains(name) }

    /// Adds a user.
    ///
    /// - Throws: `AccountError`; then no user is added.
    func create(_ name: String) throws(AccountError) {
        guard !names.contains(name) else { throw .nameTaken }
        guard names.count < Self.maximumCount else { throw .tooMany }
        names.insert(name)
    }
}
