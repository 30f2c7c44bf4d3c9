import Applin
import Backlot

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
