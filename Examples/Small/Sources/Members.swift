// A guard: only members reach the routes of a group, and each handler knows who asks.
// Run it with `swift run --package-path Examples/Small members`, then
// `curl -H 'Authorization: Bearer 1234' http://127.0.0.1:8080/members/me`.
import Backlot

struct Member: Sendable {
    var name: String
    var isAdmin = false
}

/// The member of a request.
enum CurrentMember: RequestAttribute { typealias Value = Member }

/// Lets administrators pass.
struct AdminsOnly: Middleware {
    func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard try request[CurrentMember.self].isAdmin else { throw StatusError(.forbidden, "Only for administrators.") }
        return try next.respond(to: request)
    }
}

func makeRouter(_ members: [String: Member]) -> Router {
    let router = Router()
    let known = RequestValue(CurrentMember.self) { request in
        guard let token = request.bearerToken, let member = members[token] else {
            throw StatusError(.unauthorized, "Send your token: Authorization: Bearer TOKEN")
        }
        return member
    }
    router.get("/") { _ in "Welcome. Members go to /members/me." }
    router.group("/members", known) { group in
        group.get("/me") { request in "Hello, \(try request[CurrentMember.self].name)!" }
        group.with(AdminsOnly()).get("/all") { _ in members.values.map(\.name).sorted() }
    }
    return router
}

let tokens = ["1234": Member(name: "Ann"), "5678": Member(name: "Bob", isAdmin: true)]
await Server(makeRouter(tokens), port: 8080).runOrExit()
