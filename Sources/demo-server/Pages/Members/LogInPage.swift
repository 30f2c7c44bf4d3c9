import Applin
import Backlot

/// Takes a name and any password.
struct LogInPage: DemoPage {
    let path = "/log_in"
    let title = "Log In"
    let subText = "Any name, any password"

    private static let name = Variable<String>("log_in_name")
    private static let password = Variable<String>("log_in_password")

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This is a demo: any name and any password will do. Use none that you use elsewhere.")
                    textfield(Self.name).label("Name").allow(.ascii).maxLines(1)
                    textfield(Self.password).label("Password").allow(.ascii).maxLines(1)
                    formButton("Log In") {
                        rpc("/log_in/submit")
                        replaceAll("/members")
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/log_in/submit") { request in
            let variables = try await request.variables()
            let name = try variables[Self.name]
            let password = try variables[Self.password]
            guard !name.isBlank, name.count <= 50 else {
                throw UserError("Please enter a name of up to 50 characters.")
            }
            guard !password.isEmpty else { throw UserError("Please enter a password: any will do.") }
            try await request.session.logIn(user: name)
        }
    }
}
