import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct SetCookieTests {
    @Test func `A cookie is written with its attributes`() throws {
        let plain = try SetCookie("theme", "dark", isSecure: false)
        #expect(plain.description == "theme=dark; Path=/; HttpOnly; SameSite=Lax")
        let full = try SetCookie(
            "__Secure-id",
            "a1",
            maxAge: .seconds(60),
            path: "/app/",
            domain: "example.com",
            sameSite: .none,
            isHTTPOnly: false,
            isSecure: true
        )
        #expect(
            full.description
                == "__Secure-id=a1; Path=/app/; Domain=example.com; Max-Age=60; SameSite=None; Secure"
        )
        let gone = try SetCookie(removing: "theme", isSecure: true)
        #expect(
            gone.description
                == "theme=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax; Secure"
        )
        var response = Response()
        response.setCookie(plain)
        response.setCookie(gone)
        #expect(response.headers[values: .setCookie] == [plain.description, gone.description])
    }

    @Test(
        arguments: [
            ("a b", "x", "/", nil, SetCookie.SameSite.lax, "\"a b\" can't be a cookie's name"),
            ("", "x", "/", nil, .lax, "\"\" can't be a cookie's name"),
            ("a;b", "x", "/", nil, .lax, "\"a;b\" can't be a cookie's name"),
            ("a", "x; Secure", "/", nil, .lax, "\"x; Secure\" can't be the value of the cookie 'a'"),
            ("a", "x\r\nSet-Cookie: b=1", "/", nil, .lax, "can't be the value of the cookie 'a'"),
            ("a", "é", "/", nil, .lax, "\"é\" can't be the value of the cookie 'a'"),
            ("a", "\"x\"", "/", nil, .lax, "can't be the value of the cookie 'a'"),
            ("a", String(repeating: "x", count: 4096), "/", nil, .lax, "the cookie 'a' has more than 4,096 bytes"),
            ("a", "x", "app", nil, .lax, "the cookie 'a' can't have the path 'app'"),
            ("a", "x", "/;b", nil, .lax, "the cookie 'a' can't have the path '/;b'"),
            ("a", "x", "/", "b.example\r\n", .lax, "the cookie 'a' can't have the domain"),
            ("a", "x", "/", nil, .none, "the cookie 'a' needs isSecure: true, because of SameSite=None"),
            ("__Host-a", "x", "/", nil, .lax, "the cookie '__Host-a' needs isSecure: true, because of its name"),
            ("__secure-a", "x", "/", nil, .lax, "the cookie '__secure-a' needs isSecure: true, because of its name"),
        ] as [(String, String, String, String?, SetCookie.SameSite, String)]
    )
    func `What no client takes is refused`(
        name: String,
        value: String,
        path: String,
        domain: String?,
        sameSite: SetCookie.SameSite,
        text: String
    ) throws {
        let error = #expect(throws: CookieError.self) {
            try SetCookie(name, value, path: path, domain: domain, sameSite: sameSite, isSecure: false)
        }
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }

    @Test func `A name that promises its host has no domain and the path /`() {
        #expect(throws: CookieError.self) { try SetCookie("__Host-a", "x", path: "/app/", isSecure: true) }
        #expect(throws: CookieError.self) { try SetCookie("__Host-a", "x", domain: "a.example", isSecure: true) }
        #expect(throws: Never.self) { try SetCookie("__Host-a", "x", isSecure: true) }
    }

    @Test(
        arguments: [
            ("a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("a=1; Expires=Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("a=1; Expires=31 Feb 2027 08:49:37 GMT", nil),
            ("a=1; Expires=06 Nov 1600 08:49:37 GMT", nil),
            ("a=1; Expires=06 Nov 2027 24:00:00 GMT", nil),
            ("a=1; Expires=soon", nil),
            ("a=1; Expires=", nil),
            ("a=1; expires=06 Nov 1994 08:49:37; Expires=soon", 784_111_777),
        ] as [(String, Int?)]
    )
    func `A date that is none is left out`(field: String, seconds: Int?) {
        #expect(SetCookie(parsing: field)?.expires?.secondsSince1970 == seconds)
    }

    @Test(
        arguments: [
            ("a=1; Max-Age=60; SameSite=strict; Secure; HttpOnly; Domain=.B.example; Path=/x", Duration.seconds(60)),
            ("a=1; Max-Age=-5; SameSite=strict; Secure; HttpOnly; Domain=b.example; Path=/x", .zero),
            ("a=1; Max-Age=1x; SameSite=strict; Secure; HttpOnly; Domain=b.example; Path=/x", nil),
        ] as [(String, Duration?)]
    )
    func `Attributes are read`(field: String, maxAge: Duration?) throws {
        let cookie = try #require(SetCookie(parsing: field))
        #expect(cookie.maxAge == maxAge)
        #expect(cookie.sameSite == .strict && cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.domain == "b.example" && cookie.path == "/x")
    }

    @Test(arguments: ["", "a", "=1", "a=1\u{0}", "a=\u{7F}"])
    func `What names no cookie is none`(field: String) { #expect(SetCookie(parsing: field) == nil) }

    @Test func `A request's cookies are read as types`() throws {
        enum Theme: String, Decodable { case light, dark }
        let request = try Request(.get, "/", headers: [.cookie: "theme=dark; n=12; q=\"a b\"; theme=light; bad"])
        #expect(request.cookies.map(\.name) == ["theme", "n", "q", "theme"])
        #expect(request.cookie("theme") == "dark")
        #expect(request.cookie("q") == "\"a b\"")
        #expect(request.cookie("none") == nil)
        #expect(request.cookie("theme", as: Theme.self) == .dark)
        #expect(request.cookie("n", as: Int.self) == 12)
        #expect(request.cookie("n", as: Theme.self) == nil)
    }
}
