import Applin
import Backlot

let router = Router()
router.applin("/") { app in
    app.page("/") { _ in
        navPage("Hello") {
            scroll {
                form {
                    text("Hello, world!")
                    navButton("New Account") { push("/new_account") }
                }
            }
        }
    }
    app.page("/new_account") { _ in
        navPage("New Account") {
            scroll {
                form {
                    textfield("username").label("Username")
                    checkbox("agree").text("I agree")
                    formButton("Create Account") {
                        rpc("/create_account")
                        replaceAll("/")
                    }
                }
            }
        }
    }
    app.rpc("/create_account") { request in
        let variables = try await request.json()
        guard variables["agree"]?.bool == true else { throw UserError("Please agree first.") }
    }
}
try await Server(router, port: 8080).run()
