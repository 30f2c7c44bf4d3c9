import Applin
import Backlot

/// A page to write a note on.
struct NewNotePage: DemoPage {
    let path = "/notes/new"
    let title = "New Note"
    let misbehaviour: String? = "Who has no account gets 403."
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
