import Applin
import Backlot

struct NewAccount: Decodable {
    var username: String
    var agree: Bool
}

let router = Router()
router.applin("/", sessions: MemorySessionStore()) { app in
    app.page("/") { request in
        let user = try await request.session.user
        return formPage("Hello") {
            text("Hello, \(user ?? "world")!")
            navButton("New Account", push("/new_account"))
        }
    }
    app.page("/new_account") { _ in  // answers GET and POST
        formPage("New Account") {
            textfield("Username", varName: "username")
            checkbox("I agree", varName: "agree")
            formButton("Create Account", rpc("/create_account"), replaceAll("/"))
        }
    }
    app.rpc("/create_account", NewAccount.self) { input, request in  // 400 names a variable that is missing
        guard input.agree else { throw UserError("Please agree first.") }  // 422, shown to the user
        try await request.session.logIn(user: input.username)  // a new session, and its cookie
    }
}
await Server(router, port: 8080).runOrExit()
