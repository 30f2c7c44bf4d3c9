import FoundationEssentials
import Logging
import Testing

@testable import Backlot

// The code of the article "Requests and responses".

private struct Search: Decodable { let text: String, page: Int?, tag: [String]? }
private struct Price: Encodable, Sendable { let id: String, cents: Int }
private struct User: Sendable { let name: String }
private enum CurrentUser: RequestAttribute { typealias Value = User }

private func parameters(_ router: Router) {
    router.get("/doctors/{id}/days/{day}") { request in
        let id = try request.parameter("id", as: Int.self)
        let day = try request.parameter("day", as: Date.self)
        return .text("\(id) \(Int(day.timeIntervalSince1970))")
    }
    router.get("/search") { request in
        let search = try request.query(as: Search.self)
        let isExact = try request.query("exact") ?? false
        return .text("\(search.text) \(search.page ?? 1) \(isExact)")
    }
}

private func cookies(_ router: Router) {
    router.post("/theme") { request in
        var response = Response.text("Saved.")
        let theme = try SetCookie("theme", "dark", maxAge: .seconds(30 * 86_400), isSecure: request.isSecure)
        response.setCookie(theme)
        return response
    }
    router.get("/theme") { request in .text(request.cookie("theme") ?? "light") }
}

private func files(_ router: Router) {
    router.get("/report") { request in
        try await .file("Reports/2026.pdf", for: request, download: "Report.pdf")
    }
    router.get("/reports/{name}") { request in
        try await .file(try request.parameter("name"), in: "Reports", for: request)
    }
    router.with(BodyLimit(50_000_000), Timeout(.seconds(120))).post("/photos") { request in
        let form = try await request.form()
        guard let photo = form.file("photo") else { throw UserError("Please choose a photo.") }
        try await photo.move(to: "Photos/\(UUID()).jpg")
        return .text("Thank you, \(form["name"] ?? "stranger").")
    }
}

private func limits(_ router: Router) {
    router.use(Timeout(.seconds(30)))
    router.use(RateLimit(.perMinute(300)))
    router.use(CrossSiteDefence())
    router.use(Idempotency())
    router.with(RateLimit(.perMinute(5))).post("/log-in") { _ in .text("…") }
    router.with(ConcurrencyLimit(4)).get("/slow-report") { _ in .text("…") }
}

private func events(_ router: Router, _ prices: @escaping @Sendable () -> AsyncStream<Price>) {
    router.get("/prices") { _ in
        .events { events in
            for await price in prices() {
                try await events.send(ServerSentEvent(json: price, type: "price", id: price.id))
            }
        }
    }
}

private func users(_ router: Router, _ find: @escaping @Sendable (String) async throws -> User?) {
    router.group("/api", BearerAuthentication(CurrentUser.self, realm: "Clinic") { try await find($0) }) { api in
        api.get("/me") { request in .text(try request[CurrentUser.self].name) }
    }
    let admin = BasicAuthentication(realm: "Clinic") { $0.matches(user: "admin", password: "a long secret") }
    router.with(admin).get("/admin") { request in
        request.logger.notice("the admin page was opened")
        return .text("Welcome.")
    }
}

@Suite(.timeLimit(.minutes(5))) struct RequestGuideTests {
    @Test func `The code of the guide runs`() async throws {
        let router = Router()
        parameters(router)
        cookies(router)
        files(router)
        limits(router)
        events(router) { AsyncStream { $0.finish() } }
        users(router) { $0 == "good" ? User(name: "Ada") : nil }
        let handler = router.handler()
        #expect(try await handler(Request(.get, "/doctors/7/days/2026-12-31")).bodyText == "7 1798675200")
        #expect(try await handler(Request(.get, "/search?text=a&exact=true")).bodyText == "a 1 true")
        #expect(try await handler(Request(.get, "/theme", headers: [.cookie: "theme=dark"])).bodyText == "dark")
        #expect(try await handler(Request(.get, "/api/me", headers: [.authorization: "Bearer good"])).bodyText == "Ada")
        #expect(try await handler(Request(.get, "/prices")).headers[.contentType] == "text/event-stream")
        let admin = BasicCredentials(user: "admin", password: "a long secret").field
        #expect(try await handler(Request(.get, "/admin", headers: [.authorization: admin])).bodyText == "Welcome.")
        let error = await #expect(throws: StatusError.self) { _ = try await handler(Request(.get, "/report")) }
        #expect(error?.status == .notFound)
    }
}
