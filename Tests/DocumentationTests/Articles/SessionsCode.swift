import Backlot

/// Code of the article "Sessions".
enum SessionsCode {
    static func mount(on router: Router) {
        let sessions = SessionMiddleware(path: "/", store: MemorySessionStore())  // the app's base path is the cookie's
        router.group("/", sessions) { app in
            app.post("/log_in") { request in
                try await request.session.logIn(user: "ada")  // a new id; the cookie goes out
                return Response()
            }
            app.get("/account") { _, session in
                let user = try session.requireLogin()  // or 403 "Please log in."
                return .text("Hello, \(user)!")
            }
            app.group("/members", RequireLogin()) { members in
                members.get("/news") { _ in .text("Only for members") }
            }
        }
    }

    enum CartKey: SessionKey {
        static let name = "cart"
        typealias Value = [String]
    }

    static func change(_ request: Request) async throws {
        try await request.session.set(CartKey.self, to: ["tea"])
        try await request.session.update(CartKey.self) { $0 = ($0 ?? []) + ["milk"] }
    }
}
