import Applin
import Backlot

/// One version of a note while somebody edits it.
///
/// Clients keep a variable until it is reset, and show an input's initial value only while its variable is unset. So each
/// version of each note has a variable of its own: the field shows what the backend has, also where another device saved
/// it, and never another note's text.
struct NoteEdit {
    let note: Note

    /// The variable of the text.
    var variable: Variable<String> { Variable("note_\(note.id)_\(note.version)") }

    /// The field for the text.
    var field: TextField {
        textfield(variable).label("Text").initialString(note.text).autoCapitalize(.sentences)
            .maxChars(UInt32(Note.maximumLength))
    }

    /// Saves the text.
    var save: RPC { rpc("/notes/\(note.id)/save/\(note.version)") }

    /// Adds what `save` calls.
    static func addTargets(to app: ApplinApp, of notesApp: NotesApp) {
        app.rpc("/notes/{id}/save/{version}") { request in
            let note = try await notesApp.note(of: request)
            guard let version = request.parameters["version"].flatMap(Int.init) else { throw NotesApp.notFound }
            let variable = Variable<String>("note_\(note.id)_\(version)")
            let text = try await request.variables()[variable]
            guard !text.isBlank else { throw UserError("An empty note can't be saved.") }
            guard text.count <= Note.maximumLength else {
                throw UserError("A note has at most \(Note.maximumLength) characters; this one has \(text.count).")
            }
            do throws(NoteError) {
                try await notesApp.notes.save(text, in: note.id, version: version)
            } catch {
                throw answer(to: error)
            }
        }
    }

    private static func answer(to error: NoteError) -> any HTTPError {
        switch error {
        case .notFound:
            NotesApp.notFound
        case .changedMeanwhile:
            UserError(
                """
                This note was changed on another device meanwhile, so that your text was not saved. \
                Copy it, leave the note, and open it again.
                """
            )
        case .tooMany(let limit):
            UserError("You have \(limit) notes, and no more fit. Delete one first.")
        }
    }
}
