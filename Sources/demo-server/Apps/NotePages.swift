import Applin
import Backlot

/// A note to read and change: leaving the page saves it.
struct NotePage: DemoPage {
    let path = "/notes/{id}"
    let title = "Note"
    let app: NotesApp

    func page(_ request: Request) async throws -> any Page {
        let note = try await app.savedNote(of: request)
        let edit = NoteEdit(note: note)
        return navPage(title) {
            scroll {
                form {
                    edit.field
                    text("Going back saves the note. Saved last: \(note.changed)")
                    leaving(edit)
                    deletion(of: note)
                }
            }
        }
        .start {
            backButton {
                edit.save
                if app.mount.dialect == .objects { resetVar(edit.variable.name) }
                pop()
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        NoteEdit.addTargets(to: app, of: self.app)
        app.rpc("/notes/{id}/remove") { request in
            let note = try await self.app.savedNote(of: request)
            await self.app.notes.remove(note.id)
        }
    }

    /// A way out where the note can't be saved: a failing rpc keeps the back button from leaving.
    private func leaving(_ edit: NoteEdit) -> any Widget {
        switch app.mount.dialect {
        case .documented:
            // Nothing resets a variable here: the client shows the text again when the note is opened.
            formButton("Leave, and keep the text for later") { pop() }
        case .objects:
            formButton("Leave without saving") {
                resetVar(edit.variable.name)
                pop()
            }
        }
    }

    private func deletion(of note: Note) -> any Widget {
        switch app.mount.dialect {
        case .documented:
            formButton("Delete…") { push("/notes/\(note.id)/delete") }
        case .objects:
            formButton("Delete…") {
                modal("Delete this note?") {
                    modalButton("Delete") {
                        rpc("/notes/\(note.id)/remove")
                        pop()
                    }
                    .destructive()
                    modalButton("Cancel") {}
                }
                .message(note.title)
            }
        }
    }
}

/// A page to write a note on.
struct NewNotePage: DemoPage {
    let path = "/notes/new"
    let title = "New Note"
    let misbehaviour: String? = "Without an account, the answer is 403."
    let app: NotesApp

    func page(_ request: Request) async throws -> any Page {
        let user = try await app.user(of: request)
        let edit = NoteEdit(note: await app.notes.draft(of: user))
        return navPage(title) {
            scroll {
                form {
                    edit.field
                    formButton("Add") {
                        edit.save
                        pop()
                    }
                }
            }
        }
    }
}

/// Asks before a note is deleted, where there is no modal to ask.
struct DeleteNotePage: DemoPage {
    let path = "/notes/{id}/delete"
    let title = "Delete Note"
    let dialects = [Dialect.documented]
    let app: NotesApp

    func page(_ request: Request) async throws -> any Page {
        let note = try await app.savedNote(of: request)
        return navPage(title) {
            scroll {
                form {
                    text("Delete this note?")
                    text(note.title)
                    formButton("Delete") {
                        rpc("/notes/\(note.id)/remove")
                        // The page below this one is the note's, which is gone.
                        replaceAll("/notes")
                    }
                    formButton("Keep") { pop() }
                }
            }
        }
    }
}

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
            .maxChars(Note.maximumLength)
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
