import Applin
import Backlot

/// Makes a new user of the notes app.
struct NotesNewAccountPage: RefreshedPage {
    let path = "/notes/new_account"
    let title = "Create Account"
    let app: NotesApp

    private static let name = Variable<String>("notes_new_name")
    private static let password = Variable<String>("notes_new_password")

    func read(_ request: Request) async throws -> Faults { try await faults(in: request.variables()) }

    func page(_ faults: Faults?) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This is a demo: the password isn't kept. Use none that you use elsewhere.")
                    textfield(Self.name).label("Name").allow(.ascii).maxLines(1).error(faults?.name)
                    textfield(Self.password).label("Password").allow(.ascii).maxLines(1).error(faults?.password)
                    formButton("Create Account") {
                        rpc("/notes/new_account/submit", onUserErrorPoll: true)
                        replaceAll("/notes")
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/notes/new_account/submit") { request in
            let variables = try await request.variables()
            guard try await faults(in: variables) == Faults() else {
                throw UserError("Please correct the marked fields.")
            }
            let name = try variables[Self.name]
            do throws(AccountError) {
                try await self.app.accounts.create(name)
            } catch {
                throw UserError(Self.message(for: error))
            }
            try await request.session.logIn(user: name)
        }
    }

    /// The mistakes in the input, field by field; nil for fields without one.
    struct Faults: Equatable {
        var name: String?
        var password: String?
    }

    private static func message(for error: AccountError) -> String {
        switch error {
        case .nameTaken: "This name is taken."
        case .tooMany: "This demo has no room for more accounts until it is started again."
        }
    }

    private func faults(in variables: Variables) async throws -> Faults {
        var faults = Faults()
        let name = try variables[Self.name]
        if !(3...20).contains(name.count) || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            faults.name = "Use 3 to 20 letters and digits."
        } else if await app.accounts.contains(name) {
            faults.name = Self.message(for: .nameTaken)
        }
        if try variables[Self.password].isEmpty { faults.password = "Enter a password: any will do." }
        return faults
    }
}

/// Lets a user of the notes app in.
struct NotesLogInPage: ReadyPage {
    let path = "/notes/log_in"
    let title = "Log In"
    let app: NotesApp

    private static let name = Variable<String>("notes_name")
    private static let password = Variable<String>("notes_password")

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This is a demo: the password isn't checked.")
                    textfield(Self.name).label("Name").allow(.ascii).maxLines(1)
                    textfield(Self.password).label("Password").allow(.ascii).maxLines(1)
                    formButton("Log In") {
                        rpc("/notes/log_in/submit")
                        replaceAll("/notes")
                    }
                    navButton("Create an account") { push("/notes/new_account") }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/notes/log_in/submit") { request in
            let variables = try await request.variables()
            let name = try variables[Self.name]
            guard try !variables[Self.password].isEmpty else {
                throw UserError("Please enter a password: any will do.")
            }
            guard await self.app.accounts.contains(name) else {
                throw UserError("There is no account of that name. Accounts last while the server runs.")
            }
            try await request.session.logIn(user: name)
        }
    }
}
