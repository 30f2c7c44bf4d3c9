import Applin
import Backlot

/// The rpcs that several pages call.
enum DemoRPCs {
    private struct NewAccount: Decodable {
        var username: String
        var agree: Bool
    }

    static func register(on app: ApplinApp) {
        for path in ["/add_item", "/next", "/ok"] {
            app.rpc(path) { _ in }
        }
        app.rpc("/user_error") { _ in throw UserError("This rpc always refuses: its answer is 422, with this text.") }
        app.rpc("/server_error") { _ in
            throw StatusError(.internalServerError, "This rpc always fails: its answer is 500, with this text.")
        }
        app.rpc("/create_account", NewAccount.self) { account, _ in
            guard !account.username.isBlank else { throw UserError("Please enter a username.") }
            guard account.agree else { throw UserError("Please agree to the terms.") }
        }
    }
}

/// The pages that the documentation's examples push and say nothing about.
enum PlainTargets {
    private static let pages = [
        ("/page2", "Page Two"),
        ("/p1", "Page 1"),
        ("/p2", "Page 2"),
        ("/p3", "Page 3"),
        ("/p4", "Page 4"),
        ("/p5", "Page 5"),
        ("/p6", "Page 6"),
        ("/mmmm_mmmm", "MMMM MMMM"),
        ("/mmmmmmmm", "MMMMMMMM"),
    ]

    static func register(on app: ApplinApp) {
        for (path, title) in pages {
            let page = navPage(title) {
                scroll {
                    form {
                        text("This is \(path).")
                    }
                }
            }
            app.pageAtOnce(path) { _ in page }
        }
    }
}

extension String {
    /// Whether there is nothing to see in it.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
