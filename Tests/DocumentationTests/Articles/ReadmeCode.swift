import Applin
import Backlot
import BacklotTesting
import Testing

/// Code of the README.
enum ReadmeCode {
    static func run() async {
        let router = Router()
        router.applin("/") { app in
            app.page("/") { _ in
                navPage("New Account") {
                    form {
                        textfield("username").label("Username")
                        formButton("Create Account") { rpc("/create_account") }
                    }
                }
            }
            app.rpc("/create_account") { request in
                let name = try await request.variables().value("username", as: String.self)
                guard name.count > 2 else { throw UserError("Please write 3 characters or more.") }
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
