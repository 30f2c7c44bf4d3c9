import Applin
import Backlot
import BacklotTesting
import Testing

/// Code of the README.
enum ReadmeCode {
    static func run() async {
        struct NewAccount: Decodable { var username: String }
        let router = Router()
        router.applin("/") { app in
            let newAccount = FormValidator(NewAccount.self)
            let create = app.rpc("/create_account", check: newAccount) { input, request in
                guard input.username.count > 2 else { throw UserError("Please write 3 characters or more.") }
            }
            app.page("/", check: newAccount) { form, _ in
                formPage("New Account") {
                    form.textfield("Username", \.username)
                    formButton("Create Account", rpc(create))
                }
            }
        }
        await Server(router, port: 8080).runOrExit()
    }

    static func serveGreeting() async {
        await Server(makeRouter(), port: 8080).runOrExit()
    }

    static func test(_ app: ApplinClient) async throws {
        try await app.launch()
        try await app.enter("Al", into: "Username")
        try await app.tap("Create Account")
        #expect(app.errorText == "Please write 3 characters or more.")
    }
}
