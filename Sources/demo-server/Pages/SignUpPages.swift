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

/// Where New Account links to.
struct TermsPage: DemoPage {
    let path = "/terms"
    let title = "Terms"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This is a demo: nothing that you enter is kept.")
                }
            }
        }
    }
}

/// Where New Account links to.
struct PrivacyPage: DemoPage {
    let path = "/privacy"
    let title = "Privacy"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This is a demo: nothing that you enter is kept.")
                }
            }
        }
    }
}

/// A form that the backend checks: the rpc refuses what is wrong, the client then polls the page with what was entered, and
/// the page says at each field what to do.
struct SignUpPage: DemoPage {
    let path = "/sign_up"
    let title = "Sign Up"
    let subText = "Errors at the fields, then the home page"

    private static let name = Variable<String>("sign_up_name")
    private static let email = Variable<String>("sign_up_email")
    private static let plan = Variable<String>("sign_up_plan")
    private static let agree = Variable<Bool>("sign_up_agree")
    private static let plans = ["Free", "Family", "Business"]

    func page(_ request: Request) async throws -> any Page {
        // A GET has nothing to find fault with: the user has entered nothing yet.
        let faults = request.method == .post ? try Faults(await request.variables()) : Faults()
        return navPage(title) {
            scroll {
                form {
                    textfield(Self.name).label("Name").autoCapitalize(.names).error(faults.name)
                    textfield(Self.email).label("E-mail").allow(.email).error(faults.email)
                    selector(Self.plan, options: Self.plans, initialString: Self.plans.first).label("Plan")
                        .error(faults.plan)
                    checkbox(Self.agree).text("I agree")
                    if let fault = faults.agree { errorText(fault) }
                    formButton("Sign Up") {
                        rpc("/sign_up/submit", onUserErrorPoll: true)
                        replaceAll("/")
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/sign_up/submit") { request in
            let faults = try Faults(await request.variables())
            guard faults == Faults() else { throw UserError("Please correct the marked fields.") }
        }
    }

    /// The mistakes in the input, field by field; nil for fields without one.
    private struct Faults: Equatable {
        var name: String?
        var email: String?
        var plan: String?
        var agree: String?

        init() {}

        init(_ variables: Variables) throws {
            if try variables[SignUpPage.name].count < 3 { name = "Use 3 characters or more." }
            let parts = try variables[SignUpPage.email].split(separator: "@", omittingEmptySubsequences: false)
            if parts.count != 2 || parts.contains(where: \.isEmpty) {
                email = "Write an address such as me@example.com."
            }
            if try !SignUpPage.plans.contains(variables[SignUpPage.plan]) { plan = "Choose one of the plans." }
            if try !variables[SignUpPage.agree] { agree = "Please agree." }
        }
    }
}
