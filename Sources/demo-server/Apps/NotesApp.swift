import Applin
import Backlot

/// A small app as a whole: accounts, a list of notes, and pages to write, change and delete one.
struct NotesApp: Sendable {
    let mount: DemoMount
    let notes: any NoteStore
    let accounts: any AccountStore

    /// Where it begins.
    var listPage: NoteListPage { NoteListPage(app: self) }

    /// The pages that the list leads to, by one way or another.
    var furtherPages: [any DemoPage] {
        let pages: [any DemoPage] = [
            NotesLogInPage(app: self), NotesNewAccountPage(app: self), NewNotePage(app: self), NotePage(app: self),
            DeleteNotePage(app: self),
        ]
        return pages.filter { $0.dialects.contains(mount.dialect) }
    }

    /// The user who is logged in and has an account; nil without one.
    func userIfAny(of request: Request) async throws -> String? {
        guard let user = try await request.session.user, await accounts.contains(user) else { return nil }
        return user
    }

    /// The user who is logged in and has an account.
    ///
    /// - Throws: `StatusError` with 403 when no such user is logged in.
    func user(of request: Request) async throws -> String {
        guard let user = try await userIfAny(of: request) else {
            throw StatusError(.forbidden, "Please log in to see your notes.")
        }
        return user
    }

    /// The note that the path names by its `{id}`.
    ///
    /// - Throws: `StatusError`: 403 without a log-in or for another user's note, 404 for an unknown note.
    func note(of request: Request) async throws -> Note {
        let user = try await user(of: request)
        guard let note = await notes.note(request.parameters["id"] ?? "") else { throw Self.notFound }
        guard note.owner == user else { throw StatusError(.forbidden, "This note is somebody else's.") }
        return note
    }

    /// The same for a note that has been saved once.
    func savedNote(of request: Request) async throws -> Note {
        let note = try await note(of: request)
        guard note.version > 0 else { throw Self.notFound }
        return note
    }

    /// The answer to a request for an unknown note.
    static let notFound = StatusError(.notFound, "This note is not here: it may have been deleted.")
}

/// The user's notes, or the ways to log in.
struct NoteListPage: WaitingPage {
    let path = "/notes"
    let title = "Notes"
    let subText = "A whole app: accounts, list, edit, delete"
    // The page of a note resets its variable.
    let clients: ClientVersion = "0.36"
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
        // The list is current again when the user comes back from a note.
        .poll(every: .seconds(5))
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
        .poll(every: .seconds(5))
    }
}
