import Applin
import Backlot

/// Lets a user of the notes app in.
struct NotesLogInPage: DemoPage {
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
