import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// `POST …/__preview/session` shows a browser's session, and changes it: `{"do": "show"}`, `"logIn"` with `"user"`, `"expire"` or
/// `"forget"`; with `"token"` where no cookie names the session.
struct SessionCall {
    private let sessions: AppSessions
    private let order: String
    private let user: String
    private let token: String?

    init(_ request: Request, _ sessions: AppSessions) async throws {
        let call = try await request.json()
        self.sessions = sessions
        order = call["do"]?.string ?? ""
        user = call["user"]?.string ?? ""
        token = call["token"]?.string
    }

    /// `{"session": …}` to `show`, and nothing to others but a cookie.
    func response(_ request: Request) async throws -> Response {
        switch order {
        case "show":
            let record = try await sessions.record(of: request, token: token)
            return .json(["session": record?.json ?? .null])
        case "logIn":
            guard !user.isEmpty else { throw StatusError(.badRequest, "write who is to be logged in, as \"user\"") }
            return try await sessions.logIn(user, request) ?? Self.noCookie
        case "expire":
            if let record = try await sessions.record(of: request, token: token) { try await sessions.end(record) }
            return Response(status: .noContent)
        case "forget": return sessions.forgetCookie() ?? Self.noCookie
        default: throw StatusError(.badRequest, "\"do\" is show, logIn, expire or forget")
        }
    }

    private static var noCookie: Response {
        .text("sessions of this protocol have no cookie", status: .badRequest)
    }
}
