import Backlot
import BacklotHTTP
import HTTPTypes

/// Who may use preview: whom `LocalAccess` lets in, and browsers that have shown its token once.
struct PreviewAccess: Sendable {
    /// The cookie of a browser that has shown the token.
    static let cookie = "backlot-preview"

    private let access: LocalAccess

    init(_ access: LocalAccess) { self.access = access }

    /// Whether a request may pass.
    func admits(_ request: Request) -> Bool {
        if access.admits(request) { return true }
        return access.needsToken && request.cookies(named: Self.cookie).contains { access.isToken($0) }
    }

    /// Looks for signs of a proxy in a request that may be for something else.
    func watch(_ request: Request) { access.watch(request) }

    /// Whether a text is the token that lets in.
    func isToken(_ text: String) -> Bool { access.needsToken && access.isToken(text) }
}

/// `/__preview/enter?token=TOKEN`: lets a browser in that knows the token, and remembers it.
struct EnterHandler: Handler {
    let access: PreviewAccess

    func answer(_ request: Request) throws -> Answer {
        let token = request.query?.split(separator: "&").first { $0.hasPrefix("token=") }?.dropFirst(6)
        guard let token, access.isToken(String(token)) else {
            throw StatusError(.notFound, "nothing answers at \(request.path)")
        }
        var response = try Response.redirect(to: "/", status: .seeOther)
        try response.headers.set(
            .setCookie,
            to: "\(PreviewAccess.cookie)=\(token); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"
        )
        response.headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
        return .ready(response)
    }
}
