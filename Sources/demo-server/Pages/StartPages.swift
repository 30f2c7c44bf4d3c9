import Applin
import Backlot

extension DemoSection {
    /// The most popular pages.
    static func start(_ notes: NotesApp) -> DemoSection {
        DemoSection("Start here") {
            DemoPage("/new_account", "New Account", "The example exchange of the documentation") {
                textfield("Username", varName: "username")
                navButton("Terms", push("/terms"))
                navButton("Privacy", push("/privacy"))
                checkbox("I agree", varName: "agree")
                formButton("Create Account", rpc("/create_account"), replaceAll("/"))
            }

            DemoPage("/terms", "Terms") { text("This is a demo: it doesn't keep your input.") }.unlisted()
            DemoPage("/privacy", "Privacy") { text("This is a demo: it doesn't keep your input.") }.unlisted()
            SignUp.page
            notes.pages

            // It has another base URL, and clients don't leave their base URL by push.
            DemoPage.made("/mock_routes", "Mock Routes", "An app made of files, without Swift") { request in
                let host = HTTPField.Name("Host").flatMap { request.headers[$0] } ?? "127.0.0.1:8080"
                let url = "\(request.scheme)://\(host)\(MockMount.path)"
                return formPage("Mock Routes") {
                    text("The files in Routes/ are an app, too: a lending library.")
                    text("Its base URL, for clients since 0.31, is \(url)")
                    formButton("Copy the URL", copyToClipboard(url))
                    formButton("Open its first page in the browser", launchURL(url))
                }
            }
            // Client 0.31 opens no URL outside of the app.
            .clients("0.32")
        }
    }
}

/// A form that the backend checks: the rpc refuses wrong input, then the client polls the page with the input, and the page shows a
/// message at each wrong field.
private enum SignUp {
    private static let plans = ["Free", "Family", "Business"]

    static let page = DemoPage.checked(
        "/sign_up",
        "Sign Up",
        "Errors at the fields, then the home page",
        check
    ) { form in
        formPage("Sign Up") {
            form.textfield("Name", \.name).autoCapitalize(.names)
            form.textfield("E-mail", \.email).allow(.email)
            form.selector("Plan", \.plan, options: plans)
            form.checkbox("I agree", \.agree)
            formButton("Sign Up", rpc("/sign_up/submit", onUserErrorPoll: true), replaceAll("/"))
        }
    }
    .targets { app in
        app.rpc("/sign_up/submit", check: check) { _, _ in }
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

    /// The mistakes in the input: the page shows them at the fields, and the rpc responds with 422.
    private static let check = FormValidator(Input.self) { input, errors, _ in
        if input.name.count < 3 { errors[\.name] = "Use 3 characters or more." }
        let parts = input.email.split(separator: "@", omittingEmptySubsequences: false)
        if parts.count != 2 || parts.contains(where: \.isEmpty) {
            errors[\.email] = "Write an address such as me@example.com."
        }
        if !plans.contains(input.plan) { errors[\.plan] = "Choose one of the plans." }
        if !input.agree { errors[\.agree] = "Please agree." }
    }
}
