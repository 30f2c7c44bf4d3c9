import Applin
import Backlot

/// The page of the documentation's Example Exchange.
struct NewAccountPage: ReadyPage {
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
struct TermsPage: ReadyPage {
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
struct PrivacyPage: ReadyPage {
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
struct SignUpPage: RefreshedPage {
    let path = "/sign_up"
    let title = "Sign Up"
    let subText = "Errors at the fields, then the home page"

    private static let name = Variable<String>("sign_up_name")
    private static let email = Variable<String>("sign_up_email")
    private static let plan = Variable<String>("sign_up_plan")
    private static let agree = Variable<Bool>("sign_up_agree")
    private static let plans = ["Free", "Family", "Business"]

    func read(_ request: Request) async throws -> FormErrors { try await Self.check.errors(in: request) }

    func page(_ errors: FormErrors?) -> any Page {
        let errors = errors ?? FormErrors()
        return navPage(title) {
            scroll {
                form {
                    textfield(Self.name).label("Name").autoCapitalize(.names).error(errors[Self.name])
                    textfield(Self.email).label("E-mail").allow(.email).error(errors[Self.email])
                    selector(Self.plan, options: Self.plans, initialString: Self.plans.first).label("Plan")
                        .error(errors[Self.plan])
                    checkbox(Self.agree).text("I agree")
                    if let error = errors[Self.agree] { errorText(error) }
                    formButton("Sign Up") {
                        rpc("/sign_up/submit", onUserErrorPoll: true)
                        replaceAll("/")
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/sign_up/submit", check: Self.check) { _, _ in }
    }

    private struct Input: Decodable, Sendable {
        enum CodingKeys: String, CodingKey {
            case name = "sign_up_name"
            case email = "sign_up_email"
            case plan = "sign_up_plan"
            case agree = "sign_up_agree"
        }

        let name: String
        let email: String
        let plan: String
        let agree: Bool
    }

    /// The mistakes in the input: the page shows them at the fields, and the rpc answers them with 422.
    private static let check = FormCheck(Input.self) { input, _ in
        var errors = FormErrors()
        if input.name.count < 3 { errors[name] = "Use 3 characters or more." }
        let parts = input.email.split(separator: "@", omittingEmptySubsequences: false)
        if parts.count != 2 || parts.contains(where: \.isEmpty) {
            errors[email] = "Write an address such as me@example.com."
        }
        if !plans.contains(input.plan) { errors[plan] = "Choose one of the plans." }
        if !input.agree { errors[agree] = "Please agree." }
        return errors
    }
}
