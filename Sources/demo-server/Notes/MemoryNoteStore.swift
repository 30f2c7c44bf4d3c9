/// Notes in the memory of the process.
actor MemoryNoteStore: NoteStore {
    /// The most notes of one user.
    static let maximumCount = 50

    private var notes: [Note.ID: Note] = [:]
    /// The notes of each user, those changed last first.
    private var saved: [String: [Note.ID]] = [:]
    private var drafts: [String: Note.ID] = [:]

    func notes(of owner: String) -> [Note] {
        saved[owner, default: []].compactMap { notes[$0] }
    }

    func note(_ id: Note.ID) -> Note? { notes[id] }

    func draft(of owner: String) -> Note {
        if let draft = drafts[owner].flatMap({ notes[$0] }) { return draft }
        let draft = Note(id: Self.makeID(), owner: owner)
        notes[draft.id] = draft
        drafts[owner] = draft.id
        return draft
    }

    func save(_ text: String, in id: Note.ID, version: Int) throws(NoteError) {
        guard var note = notes[id] else { throw .notFound }
        guard note.text != text else { return }
        guard note.version == version else { throw .changedMeanwhile }
        var ids = saved[note.owner, default: []]
        if note.version == 0 {
            guard ids.count < Self.maximumCount else { throw .tooMany(limit: Self.maximumCount) }
            drafts[note.owner] = nil
        }
        note.text = text
        note.version += 1
        note.changed = ClockText.now
        notes[id] = note
        ids.removeAll { $0 == id }
        ids.insert(id, at: 0)
        saved[note.owner] = ids
    }

    func remove(_ id: Note.ID) {
        guard let note = notes.removeValue(forKey: id) else { return }
        saved[note.owner]?.removeAll { $0 == id }
        if drafts[note.owner] == id { drafts[note.owner] = nil }
    }

    private static func makeID() -> Note.ID { String(UInt64.random(in: .min ... .max), radix: 36) }
}
