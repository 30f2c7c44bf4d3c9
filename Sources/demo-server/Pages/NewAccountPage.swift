import Applin
import Backlot

/// The page of the documentation's Example Exchange.
enum NewAccountPage: DemoPage {
    static let path = "/new_account"
    static let title = "New Account"

    static func page(_ request: Request) -> any Page {
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
