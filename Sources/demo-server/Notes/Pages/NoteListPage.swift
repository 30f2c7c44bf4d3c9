import Applin
import Backlot

/// The user's notes, or the ways to log in.
struct NoteListPage: DemoPage {
    let path = "/notes"
    let title = "Notes"
    let subText = "A whole app: accounts, list, edit, delete"
    let app: NotesApp

    func page(_ request: Request) async throws -> any Page {
        guard let user = try await app.userIfAny(of: request) else { return welcome }
        let notes = await app.notes.notes(of: user)
        return navPage(title) {
            scroll {
                column {
                    navButton("New note") { push("/notes/new") }
                    formSection("Your notes") {
                        if notes.isEmpty { text("You have no notes yet. Tap New note to write one.") }
                        for note in notes {
                            navButton(note.title) { push("/notes/\(note.id)") }.subText(note.changed)
                        }
                    }
                    formSection("You are \(user)") {
                        navButton("Log out") {
                            rpc("/log_out")
                            logout()
                            replaceAll(path)
                        }
                        navButton("All demos") { replaceAll("/") }
                    }
                }
            }
        }
        // Whoever comes back from a note sees the list as it is now.
        .pollSeconds(5)
    }

    private var welcome: any Page {
        navPage(title) {
            scroll {
                form {
                    text("Write notes, and find them again while the server runs.")
                    navButton("Create an account") { push("/notes/new_account") }
                    navButton("Log in") { push("/notes/log_in") }
                    navButton("All demos") { replaceAll("/") }
                }
            }
        }
        .pollSeconds(5)
    }
}
