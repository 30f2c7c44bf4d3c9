import Applin
import Backlot

/// The page of the documentation's Example Exchange.
struct NewAccountPage: DemoPage {
    let path = "/new_account"
    let title = "New Account"
    let subText = "The example exchange of the documentation"

    func page(_ request: Request) -> any Page {
        navPage(title) {
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
