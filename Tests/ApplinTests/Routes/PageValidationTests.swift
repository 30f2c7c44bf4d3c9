import Applin
import Backlot
import Testing

/// The validation of pages that clients would reject.
@Suite(.timeLimit(.minutes(5))) struct PageValidationTests {
    private func makeRouter(_ dialect: Dialect = .documented, _ validation: Validation = .automatic) -> Router {
        let router = Router()
        router.applin("/travel/", dialect: dialect, sessions: MemorySessionStore(), validation: validation) { app in
            app.page("/") { _ in navPage("Home") { button("Go") { push("/hotels") } } }
            app.page("/hotels") { _ in navPage("Hotels") { textfield(varName: "a") } }
            app.page("/bad") { _ in
                navPage("Bad") {
                    form {
                        textfield(varName: "a")
                        textfield(varName: "a")
                        button("Nowhere") { push("/nowhere") }
                        button("Not a page") { push("/save") }
                        button("Not an rpc") { rpc("/hotels2") }
                        button("A reserved page") { push("/support") }
                    }
                }
            }
            app.page("/warned") { _ in navPage("Warned") { text("a") }.poll(every: .zero) }
            app.page("/modal") { _ in navPage("Modal") { button("Ask") { modal("?") { modalButton("A") {} } } } }
            app.page("/hotels/{id}", samples: ["/hotels/7", CheckSample("/hotels/8", user: "ada")]) { request in
                navPage("Hotel \(request.parameters["id"] ?? "")") { text("a") }
            }
            app.page("/hotels/{id}/rooms") { _ in plainPage { text("a") } }
            app.page("/members", samples: [CheckSample("/members", user: "ada")]) { request in
                let user = try await request.session.requireLogin()
                return navPage("Members") { text("Hello, \(user)") }
            }
            app.page("/secret") { request in
                _ = try await request.session.requireLogin()
                return navPage("Secret") { text("a") }
            }
            app.page("/broken", unchecked: "it fails on purpose") { _ in throw StatusError(.conflict, "no") }
            app.rpc("/save") { _ in }
        }
        return router
    }

    private func body(_ path: String, _ router: Router) async throws -> (status: Int, text: String) {
        let handler = router.handler()
        let response = try await handler(Request(.get, "/travel" + path))
        return (response.status.code, response.bodyText)
    }

    @Test func `A good page goes out`() async throws {
        for path in ["/", "/hotels", "/hotels/7", "/warned"] {
            let (status, _) = try await body(path, makeRouter())
            #expect(status == 200, "\(path)")
        }
    }

    @Test func `A debug build responds with 500 with all findings`() async throws {
        let (status, text) = try await body("/bad", makeRouter(.documented, .response))
        #expect(status == 500)
        for rule in ["duplicate-var-name", "dead-link", "dead-rpc"] { #expect(text.contains("[\(rule)]"), "\(rule)") }
        #expect(text.contains("/bad › form › textfield \"a\" #2"))
        #expect(text.contains("/nowhere"))
        #expect(!text.contains("/support"))
    }

    @Test func `What a dialect can't say is named with the action, the widget and the dialect`() async throws {
        let (status, text) = try await body("/modal", makeRouter(.documented, .response))
        #expect(status == 500)
        #expect(text.contains("modal"))
        #expect(text.contains("/modal › button \"Ask\""))
        #expect(text.contains("documented"))
        let (good, _) = try await body("/modal", makeRouter(.objects, .response))
        #expect(good == 200)
    }

    @Test func `Where pages are only logged, or not looked at, a bad one goes out`() async throws {
        for validation in [Validation.log, .off] {
            let router = makeRouter(.documented, validation)
            for _ in 0..<2 {
                let (status, text) = try await body("/bad", router)
                #expect(status == 200)
                #expect(text.hasPrefix(#"{"page":"#))
            }
        }
    }

    @Test func `A check requests every page as its samples say`() async throws {
        let report = await makeRouter(.objects).check()
        let errors = report.pages.map { page in (page.path, page.findings.filter { $0.severity == .error }.map(\.rule))
        }
        #expect(
            errors.map(\.0) == [
                "/travel/", "/travel/hotels", "/travel/bad", "/travel/warned", "/travel/modal", "/travel/hotels/7",
                "/travel/hotels/8", "/travel/members", "/travel/secret",
            ]
        )
        let wrong = Dictionary(uniqueKeysWithValues: errors.filter { !$0.1.isEmpty })
        #expect(Set(wrong.keys) == ["/travel/bad", "/travel/secret"])
        #expect(wrong["/travel/secret"] == ["no-page"])
        #expect(Set(wrong["/travel/bad"] ?? []) == ["duplicate-var-name", "dead-link", "dead-rpc"])
        #expect(report.hasErrors)
        #expect(
            report.unchecked.map(\.description) == [
                #"/travel/hotels/{id}/rooms: it has parameters: give it samples: ["…"]"#,
                "/travel/broken: it fails on purpose",
            ]
        )
    }
}

extension CheckReport.Unchecked {
    fileprivate var description: String { "\(path): \(reason)" }
}
