import Applin
import Backlot

/// A small app as a whole: accounts, a list of notes, and pages to write, change and delete one.
struct NotesApp: Sendable {
    let mount: DemoMount
    let notes: NoteStore
    let accounts: AccountStore

    /// The app's pages, beginning with the list. Pages that exist in only one dialect are marked.
    var pages: [DemoPage] { [list, logIn, newAccount] + notePages }

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

    /// The note that the path names with its `{id}`.
    ///
    /// - Throws: 403 without a log-in or for another user's note; 422 for an unknown note, since clients show no text of 404.
    func note(of request: Request) async throws -> Note {
        let user = try await user(of: request)
        guard let note = await notes.note(request.parameters["id"] ?? "") else { throw isGone }
        guard note.owner == user else { throw StatusError(.forbidden, "This note is somebody else's.") }
        return note
    }

    /// The note that the path names, if it has been saved at least once.
    func savedNote(of request: Request) async throws -> Note {
        let note = try await note(of: request)
        guard note.version > 0 else { throw isGone }
        return note
    }

    /// The error for an unknown note. The page of a note that was deleted elsewhere is still open, and its back button fails.
    var isGone: UserError {
        UserError(
            "This note is not here: it may have been deleted on another device. Go back, and tap \"\(leaveTitle)\"."
        )
    }

    /// The button that leaves a note without saving it. In the documented dialect, its variable can't be reset: the text reappears
    /// when the note is opened, unless another device saves the note.
    var leaveTitle: String {
        mount.dialect == .objects ? "Leave without saving" : "Leave, and keep the text for later"
    }

    /// The user's notes, or the ways to log in.
    private var list: DemoPage {
        .waiting("/notes", "Notes", "A whole app: accounts, list, edit, delete") { request in
            guard let user = try await userIfAny(of: request) else { return Self.welcome }
            let notes = await notes.notes(of: user)
            // The list is current again when the user comes back from a note.
            return listPage("Notes", poll: .seconds(5)) {
                navButton("New note", push("/notes/new"))
                formSection("Your notes") {
                    if notes.isEmpty { text("You have no notes yet. Tap New note to write one.") }
                    for note in notes {
                        navButton(note.title, push("/notes/\(note.id)")).subText(note.changed)
                    }
                }
                formSection("You are \(user)") {
                    navButton("Log out", rpc("/log_out"), logout(), replaceAll("/notes"))
                    navButton("All demos", replaceAll("/"))
                }
            }
        }
        // The page of a note resets its variable.
        .clients("0.36")
    }

    private static var welcome: any Page {
        formPage("Notes", poll: .seconds(5)) {
            text("Write notes, and find them again while the server runs.")
            navButton("Create an account", push("/notes/new_account"))
            navButton("Log in", push("/notes/log_in"))
            navButton("All demos", replaceAll("/"))
        }
    }

    // MARK: Accounts

    private static let name = Variable<String>("notes_name")
    private static let password = Variable<String>("notes_password")

    private var logIn: DemoPage {
        DemoPage("/notes/log_in", "Log In") {
            text("This is a demo: the password isn't checked.")
            textfield("Name", Self.name).allow(.ascii).maxLines(1)
            textfield("Password", Self.password).allow(.ascii).maxLines(1)
            formButton("Log In", rpc("/notes/log_in/submit"), replaceAll("/notes"))
            navButton("Create an account", push("/notes/new_account"))
        }
        .unlisted()
        .targets { app in
            app.rpc("/notes/log_in/submit") { request in
                let variables = try await request.variables()
                let name = try variables[Self.name]
                guard try !variables[Self.password].isEmpty else {
                    throw UserError("Please enter a password: any will do.")
                }
                guard await accounts.contains(name) else {
                    throw UserError("There is no account of that name. Accounts last while the server runs.")
                }
                try await request.session.logIn(user: name)
            }
        }
    }

    private struct NewAccount: Decodable, Sendable {
        enum CodingKeys: String, CodingKey {
            case name = "notes_new_name"
            case password = "notes_new_password"
        }

        let name: String
        let password: String
    }

    private var newAccount: DemoPage {
        let check = FormValidator(NewAccount.self) { input, errors, _ in
            let name = input.name
            if !(3...20).contains(name.count) || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
                errors[\.name] = "Use 3 to 20 letters and digits."
            } else if await accounts.contains(name) {
                errors[\.name] = AccountError.nameTaken.rawValue
            }
            if input.password.isEmpty { errors[\.password] = "Enter a password: any will do." }
        }
        return DemoPage.checked("/notes/new_account", "Create Account", "", check) { form in
            formPage("Create Account") {
                text("This is a demo: the password isn't kept. Use none that you use elsewhere.")
                form.textfield("Name", \.name).allow(.ascii).maxLines(1)
                form.textfield("Password", \.password).allow(.ascii).maxLines(1)
                formButton(
                    "Create Account",
                    rpc("/notes/new_account/submit", onUserErrorPoll: true),
                    replaceAll("/notes")
                )
            }
        }
        .unlisted()
        .targets { app in
            app.rpc("/notes/new_account/submit") { request in
                let input: NewAccount
                do {
                    input = try await check.input(of: request)
                } catch is FormErrors {
                    throw UserError("Please correct the marked fields.")
                }
                do throws(AccountError) {
                    try await accounts.create(input.name)
                } catch {
                    throw UserError(error.rawValue)
                }
                try await request.session.logIn(user: input.name)
            }
        }
    }
}
