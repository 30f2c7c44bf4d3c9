import Applin
import Backlot
import BacklotTesting
import Testing

/// The app of the README, used as a person would: in process and over a socket by the same body.
@Suite(.timeLimit(.minutes(5))) struct FlowTests {
    private struct NewAccount: Decodable {
        var username: String
        var agree: Bool
    }

    private func makeRouter(_ dialect: Dialect, at path: String) -> Router {
        let router = Router()
        router.applin(path, dialect: dialect, sessions: MemorySessionStore()) { app in
            app.page("/") { request in
                let user = try await request.session.user
                return navPage("Hello") {
                    scroll {
                        form {
                            text("Hello, \(user ?? "world")!")
                            navButton("New Account") { push("/new_account") }
                        }
                    }
                }
            }
            app.page("/new_account") { _ in
                navPage("New Account") {
                    scroll {
                        form {
                            textfield("Username", varName: "username")
                            checkbox("I agree", varName: "agree")
                            formButton("Create Account") {
                                rpc("/create_account")
                                replaceAll("/")
                            }
                        }
                    }
                }
            }
            app.rpc("/create_account", NewAccount.self) { input, request in
                guard input.agree else { throw UserError("Please agree first.") }
                try await request.session.logIn(user: input.username)
            }
        }
        return router
    }

    @Test(arguments: ClientReach.allCases, Dialect.allCases)
    func `Create an account, be refused, and come back after a restart`(
        reach: ClientReach,
        dialect: Dialect
    ) async throws {
        for path in ["/", "/travel/"] {
            try await withApplinClient(makeRouter(dialect, at: path), at: path, over: reach) { app in
                try await app.launch()
                #expect(app.texts == ["Hello, world!", "New Account"])
                try await app.tap("New Account")
                #expect(app.stack == ["/", "/new_account"])
                try await app.enter("ann", into: "Username")
                try await app.tap("Create Account")
                #expect(app.errorText == "Please agree first.")
                #expect(app.errorKind == .user)
                #expect(app.title == "Problem")
                try await app.back()
                try await app.check("I agree")
                try app.expectScreen(
                    """
                    /new_account: nav_page "New Account"
                      back_button
                      scroll
                        form
                          textfield "Username" (username): "ann"
                          checkbox "I agree" (agree): on
                          form_button "Create Account" → rpc /create_account, replace_all /
                    """
                )
                try await app.tap("Create Account")
                #expect(app.stack == ["/"])
                #expect(app.texts.contains("Hello, ann!"))
                #expect(app.requests.map(\.description).suffix(2) == ["POST /create_account 200", "GET / 200"])
                #expect(app.requests.dropLast().last?.variables == ["username": "ann", "agree": true])
                #expect(app.lastRequest?.request.url.path == path)
                try await app.relaunch()
                #expect(app.texts.contains("Hello, ann!"))
                #expect(app.findings == [])
            }
        }
    }
}
