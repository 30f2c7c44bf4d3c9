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
