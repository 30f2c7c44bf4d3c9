import Applin
import Backlot

struct NewAccount: Decodable {
    var username: String
    var agree: Bool
}

func makeRouter() -> Router {
    let router = Router()
    router.applin("/", sessions: MemorySessionStore()) { app in
        let form = FormValidator(NewAccount.self)
        // 400 names a variable that is missing
        let create = app.rpc("/create_account", check: form) { input, request in
            guard input.agree else { throw UserError("Please agree first.") }  // 422, shown to the user
            try await request.session.logIn(user: input.username)  // a new session, and its cookie
        }
        let newAccount = app.page("/new_account", check: form) { form, _ in  // answers GET and POST
            formPage("New Account") {
                form.textfield("Username", \.username)
                form.checkbox("I agree", \.agree)
                formButton("Create Account", rpc(create), replaceAll("/"))
            }
        }
        app.page("/") { request in
            let user = try await request.session.user
            return formPage("Hello") {
                text("Hello, \(user ?? "world")!")
                navButton("New Account", push(newAccount))
            }
        }
    }
    return router
}
