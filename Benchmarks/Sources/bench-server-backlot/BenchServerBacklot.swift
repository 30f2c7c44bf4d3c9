import Applin
import Backlot
import ServerAnnouncement

/// The sign-up page on Backlot. Takes no arguments: it listens on a free port of 127.0.0.1 and prints which.
@main
struct BenchServerBacklot {
    static func main() async throws {
        let router = Router()
        router.applin("/") { app in
            app.page("/new_account") { request in
                navPage("New Account") {
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
        let server = Server(
            router,
            host: "127.0.0.1",
            port: 0,
            onListening: { ListeningLine.announce(port: Int($0.port)) }
        )
        try await server.run()
    }
}
