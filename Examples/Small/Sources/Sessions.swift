// Sessions: a basket for each client, which stays with its user after a log-in.
// Run it with `swift run --package-path Examples/Small sessions`.
import Applin
import Backlot

/// The teas that a client wants to buy.
enum Basket: SessionKey {
    static let name = "basket"
    typealias Value = [String]
}

struct LogIn: Decodable, Sendable { var name: String }

func makeRouter(sessions: any SessionStore = MemorySessionStore()) -> Router {
    let router = Router()
    router.applin("/", sessions: sessions) { app in
        let check = FormValidator(LogIn.self) { input, errors, _ in
            if input.name.isEmpty { errors[\.name] = "Enter your name." }
        }
        let enter = app.rpc("/log_in/submit", check: check) { input, request in
            try await request.session.logIn(user: input.name)  // a new id, and its cookie
        }
        let leave = app.rpc("/log_out") { request in try await request.session.logOut() }
        let add = app.rpc("/add/{tea}", id: String.self) { tea, request in
            try await request.session.update(Basket.self) { $0 = ($0 ?? []) + [tea] }
        }
        let logIn = app.page("/log_in", check: check) { form, _ in
            formPage("Log in") {
                form.textfield("Name", \.name)
                formButton("Log in", rpc(enter), replaceAll("/"))
            }
        }
        app.page("/") { request in
            let session = try await request.session
            let basket = session[Basket.self] ?? []
            return formPage("Teas for \(session.user ?? "you")") {
                for tea in ["green", "black"] { formButton("Add \(tea) tea", rpc(add, id: tea), poll()) }
                text(basket.isEmpty ? "Your basket is empty." : "In your basket: \(basket.joined(separator: ", "))")
                if session.user == nil {
                    navButton("Log in", push(logIn))
                } else {
                    formButton("Log out", rpc(leave), replaceAll("/"))
                }
            }
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
