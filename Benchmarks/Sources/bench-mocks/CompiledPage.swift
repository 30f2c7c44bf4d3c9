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
                            textfield("username").label("Username")
                            navButton("Terms") { push("/terms") }
                            navButton("Privacy") { push("/privacy") }
                            checkbox("agree").text("I agree")
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
