import Applin
import Backlot
import BacklotJSON

/// The rpcs that the demo's pages call.
enum DemoRPCs {
    static func register(on app: ApplinApp) {
        app.rpc("/create_account", createAccount)
        for path in ["/add_item", "/next", "/ok", "/save_note"] {
            app.rpc(path) { _ in }
        }
    }

    /// Takes `{"username": string, "agree": boolean}`, as the page New Account sends it.
    private static func createAccount(_ request: Request) async throws {
        let variables = try await request.json()
        guard let username = variables["username"]?.string else {
            throw StatusError(.badRequest, "the variable username is missing, or is not a string")
        }
        guard let agree = variables["agree"]?.bool else {
            throw StatusError(.badRequest, "the variable agree is missing, or is not a boolean")
        }
        guard username.contains(where: { !$0.isWhitespace }) else { throw UserError("Please enter a username.") }
        guard agree else { throw UserError("Please agree to the terms.") }
    }
}
