import Backlot

/// `/__preview/enter?token=TOKEN`: lets in a browser that knows the token, and remembers it by a cookie.
struct EnterHandler: Handler {
    let access: LocalAccess

    func respond(to request: Request) throws -> HandlerResult {
        let token = request.rawQuery?.split(separator: "&").first { $0.hasPrefix("token=") }?.dropFirst(6)
        guard let token, access.isToken(String(token)), let cookie = access.previewCookie else {
            throw StatusError.nothingResponds(at: request.path)
        }
        let secure = request.isSecure ? "; Secure" : ""
        var response = try Response.redirect(to: "/", status: .seeOther)
        try response.headers.set(
            .setCookie,
            to: "\(PreviewToken.cookie)=\(cookie); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict\(secure)"
        )
        response.headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
        return .ready(response)
    }
}
