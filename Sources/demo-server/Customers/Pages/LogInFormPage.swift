import Xpedite

/// Where people log in, with any name.
struct LogInFormPage {
    static let formID = "login-form"
    /// Everybody's.
    static let demoPassword = "secret"

    var page: Page {
        Xpedite.page("Log in") {
            CustomerMenu.navigation
            label("Any name will do. The password is “\(Self.demoPassword)”.")
            form(Self.formID) {
                textbox("user").title("User name").autotextDisabled().id("user-field").onEnter("password-field")
                password("password").title("Password").id("password-field").returnkey(.done)
            }
            .style(.dialog)
            .title("Log in")
            .save("submitLogin", "Log in")
            .cancel("home", "Not now")
        }
    }
}
