import Applin
import Backlot

/// The documented page in Swift.
enum CompiledPage {
    static func register(on router: Router) {
        router.applin("/") { app in
            app.page("/new_account") { request in
                navPage("New Account") {
                    scroll {
                        form {
                            textfield("Username", varName: "username")
                            navButton("Terms") { push("/terms") }
                            navButton("Privacy") { push("/privacy") }
                            checkbox("I agree", varName: "agree")
                            formButton("Create Account") {
                                rpc("/create_account")
                                replaceAll("/")
                            }
                        }
                    }
                }
            }
        }
    }
}
