import Testing

@testable import Backlot

extension SessionTests {
    /// What counts when a handler throws, when the store is away, and when sessions are used wrongly.
    struct Errors {
        private struct Unexpected: Error {}

        private func make() -> SessionApp {
            .make { app in
                app.get("/{action}/{error}") { request in
                    let session = try await request.session
                    switch request.parameters["action"] {
                    case "in": try session.logIn(user: "eve")
                    case "out": try session.logOut()
                    case "renewed": try session.renew()
                    default: try session.set(Counter.self, to: 100)
                    }
                    throw request.parameters["error"] == "422" ? UserError("No.") : Unexpected()
                }
            }
        }

        @Test func `After an HTTPError everything counts, and the cookie goes out`() async throws {
            let app = make()
            let loggedIn = try await app.get("in/422")
            #expect(loggedIn.code == 422)
            #expect(loggedIn.text == "No.")
            #expect(loggedIn.error == nil)
            #expect(loggedIn.response.headers[.cacheControl] == "no-store")
            #expect(loggedIn.response.headers[.contentType] == "text/plain; charset=utf-8")
            let id = try #require(loggedIn.id)
            #expect(try await app.user(id) == "eve")

            let renewed = try #require(try await app.get("renewed/422", id).id)
            #expect(try await app.user(id) == "nobody")

            let changed = try await app.get("set/422", renewed)
            #expect(changed.error as? UserError == UserError("No."))
            #expect(changed.setCookies == [])
            #expect(try await app.get("counter", renewed).text == "100")

            let loggedOut = try await app.get("out/422", renewed)
            #expect(loggedOut.code == 422)
            #expect(loggedOut.setCookies.first?.contains("Max-Age=0") == true)
            #expect(try await app.user(renewed) == "nobody")
        }

        @Test func `After any other error only what takes rights away counts`() async throws {
            let app = make()
            let stranger = try #require(try await app.get("count").id)
            #expect(try await app.get("in/500", stranger).error is Unexpected)
            #expect(try await app.user(stranger) == "nobody")
            #expect(try await app.get("counter", stranger).text == "1")

            let ada = try await app.logIn()
            #expect(try await app.get("set/500", ada).error is Unexpected)
            #expect(try await app.get("counter", ada).text == "0")
            #expect(try await app.user(ada) == "ada")
            #expect(try await app.get("renewed/500", ada).error is Unexpected)
            #expect(try await app.user(ada) == "nobody")

            let bob = try await app.logIn("bob")
            #expect(try await app.get("out/500", bob).error is Unexpected)
            #expect(try await app.user(bob) == "nobody")
        }

        @Test(arguments: ["me", "count", "log_in", "log_out", "account"])
        func `A store that can't be read is 503 with Retry-After`(target: String) async throws {
            let app = make()
            let id = try await app.logIn()
            app.store.fail("session")
            let response = try await app.get(target, id)
            #expect(response.code == 503)
            #expect(response.response.headers[.retryAfter] == "5")
            #expect(response.setCookies == [])
            #expect(try await app.get("plain", id).code == 200)
        }

        @Test(arguments: [("log_in", "insert"), ("count", "insert")])
        func `A new session that can't be saved is 503`(target: String, call: String) async throws {
            let app = make()
            app.store.fail(call)
            #expect(try await app.get(target).error as? SessionStoreError == SessionStoreError(retryAfter: .seconds(5)))
            #expect(app.store.memory.count == 0)
        }

        @Test(arguments: [
            ("count", "replace"), ("renew", "replace"), ("log_in", "replace"), ("log_in?bob", "remove"),
            ("log_out", "remove"), ("log_out_everywhere", "removeAll"), ("set/422", "replace"),
        ])
        func `A change that can't be saved is 503`(target: String, call: String) async throws {
            let app = make()
            let id = try await app.logIn()
            app.store.fail(call)
            let response = try await app.get(target, id)
            #expect(response.error as? SessionStoreError == SessionStoreError(retryAfter: .seconds(5)))
            #expect(response.setCookies == [])
            app.store.fail()
            #expect(try await app.user(id) == "ada")
        }

        @Test func `A response doesn't fail because its request can't be noted`() async throws {
            let app = make()
            let id = try await app.logIn()
            app.clock.move(3600)
            app.store.fail("touch")
            #expect(try await app.user(id) == "ada")
            #expect(app.store.calls.contains("touch"))
        }

        @Test func `A handler's own error comes before the store's`() async throws {
            let app = make()
            let id = try await app.logIn()
            app.store.fail("remove")
            #expect(try await app.get("out/500", id).error is Unexpected)
        }

        @Test func `Without the middleware there is a clear error`() async throws {
            let router = Router()
            router.get("/me") { request in .text(try await request.session.user ?? "nobody") }
            router.group("", RequireLogin()) { $0.get("/account") { _ in Response() } }
            let handler = router.handler()
            for target in ["/me", "/account"] {
                await #expect(throws: SessionError.noMiddleware) { try await handler(Request(.get, target)) }
            }
            #expect("\(SessionError.noMiddleware)".contains("SessionMiddleware"))
            #expect(!(SessionError.noMiddleware as any Error is any HTTPError))
        }

        @Test func `A user without a name is a mistake`() async throws {
            let app = SessionApp.make { app in
                app.get("/empty") { request in
                    try await request.session.logIn(user: "")
                    return Response()
                }
            }
            #expect(try await app.get("empty").error as? SessionError == .emptyUser)
        }

        @Test func `requireLogin and RequireLogin answer 403 with a text for the user`() async throws {
            let app = SessionApp.make { app in
                app.group("/members", RequireLogin("Members only.")) { members in
                    members.get("/area") { _ in .text("welcome") }
                }
                app.get("/vip") { request in .text(try await request.session.requireLogin("Only for you.")) }
                app.group("/plain_members", RequireLogin()) { $0.get("/area") { _ in .text("welcome") } }
            }
            let id = try await app.logIn()
            for (target, text) in [
                ("account", "Please log in."), ("members/area", "Members only."), ("vip", "Only for you."),
                ("plain_members/area", "Please log in."),
            ] {
                #expect(try await app.get(target).error as? StatusError == StatusError(.forbidden, text))
                #expect(try await app.get(target, id).code == 200)
            }
            #expect(try await app.get("account", id).text == "ada")
            let polite = SessionApp.make(configure: { $0.logInText = "Bitte melden Sie sich an." })
            #expect(try await polite.get("account").text == "Bitte melden Sie sich an.")
        }
    }
}
