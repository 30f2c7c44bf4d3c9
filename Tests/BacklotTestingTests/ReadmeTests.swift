import Applin
import Backlot
import BacklotTesting
import Testing

private func makeRouter() -> Router {
    let router = Router()
    router.applin("/") { app in
        app.page("/") { _ in
            navPage("Home") { button("New Account", push("/new_account")) }
        }
        app.page("/new_account") { _ in
            navPage("New Account") {
                form {
                    textfield("Username", varName: "username")
                    checkbox("I agree", varName: "agree")
                    formButton("Create Account", rpc("/create_account"), replaceAll("/"))
                }
            }
        }
        app.rpc("/create_account") { request in
            let agrees = try await request.variables().value("agree", as: Bool.self)
            guard agrees else { throw UserError("Please agree first.") }
        }
    }
    return router
}

struct NewAccountTests {
    @Test(arguments: ClientReach.allCases)  // in process, and over a socket
    func `Who doesn't agree gets no account`(reach: ClientReach) async throws {
        try await withApplinClient(makeRouter(), over: reach) { app in
            try await app.launch()
            try await app.tap("New Account")
            try await app.enter("user1", into: "Username")
            try await app.tap("Create Account")
            #expect(app.errorText == "Please agree first.")
            try await app.back()
            try await app.check("I agree")
            try await app.tap("Create Account")
            #expect(app.stack == ["/"])
        }
    }
}
