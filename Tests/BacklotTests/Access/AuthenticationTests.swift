import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct AuthenticationTests {
    private enum CurrentUser: RequestAttribute { typealias Value = String }

    private func handler() -> any Handler {
        let router = Router()
        let basic = BasicAuthentication(CurrentUser.self, realm: "Clinic") { credentials in
            credentials.matches(user: "Aladdin", password: "open sesame:ä") ? credentials.user : nil
        }
        router.with(basic).get("/basic") { request in .text(request.attributes[CurrentUser.self] ?? "none") }
        router.with(BasicAuthentication(realm: "Clinic") { $0.user == "a" }).get("/plain") { _ in .text("in") }
        let bearer = BearerAuthentication(CurrentUser.self, realm: "API") { token in
            if token == "old" { throw BearerError.invalidToken("the token has expired") }
            return token == "good" ? "bob" : nil
        }
        router.group("/api", bearer) { api in
            api.get("/me") { request in .text(request.attributes[CurrentUser.self] ?? "none") }
            api.get("/admin") { _ in throw BearerError.insufficientScope(["admin", "write"]) }
        }
        return router.handler()
    }

    private static let basic = "Basic realm=\"Clinic\", charset=\"UTF-8\""
    private static let right = BasicCredentials(user: "Aladdin", password: "open sesame:ä").field
    private static let rows: [(String, String?, Int, String?)] = [
        ("/basic", nil, 401, basic),
        ("/basic", right, 200, nil),
        ("/basic", right.replacing("Basic", with: "bASIC"), 200, nil),
        ("/basic", "Basic  " + right.dropFirst(6), 200, nil),
        ("/basic", BasicCredentials(user: "Aladdin", password: "open sesame:a").field, 401, basic),
        ("/basic", BasicCredentials(user: "Aladdi", password: "nopen sesame:ä").field, 401, basic),
        ("/basic", BasicCredentials(user: "", password: "").field, 401, basic),
        ("/basic", "Basic", 401, basic),
        ("/basic", "Basic QWxhZGRpbg==", 401, basic),
        ("/basic", "Basic !!!!", 401, basic),
        ("/basic", "Basic /////w==", 401, basic),
        ("/basic", "Basic YTphAGI=", 401, basic),
        ("/basic", "Bearer good", 401, basic),
        ("/plain", "Basic YTpi", 200, nil),
        ("/api/me", nil, 401, "Bearer realm=\"API\""),
        ("/api/me", "Basic YTpi", 401, "Bearer realm=\"API\""),
        ("/api/me", "Bearer good", 200, nil),
        ("/api/me", "bearer good", 200, nil),
        ("/api/me", "Bearer bad", 401, "Bearer error=\"invalid_token\", error_description=\"the token isn't good\""),
        ("/api/me", "Bearer old", 401, "Bearer error=\"invalid_token\", error_description=\"the token has expired\""),
        (
            "/api/me", "Bearer", 400,
            "Bearer error=\"invalid_request\", error_description=\"the text after Bearer can't be a token\""
        ),
        (
            "/api/me", "Bearer good bad", 400,
            "Bearer error=\"invalid_request\", error_description=\"the text after Bearer can't be a token\""
        ),
        (
            "/api/me", "Bearer g\"d", 400,
            "Bearer error=\"invalid_request\", error_description=\"the text after Bearer can't be a token\""
        ),
        (
            "/api/admin", "Bearer good", 403,
            "Bearer error=\"insufficient_scope\", "
                + "error_description=\"the token doesn't allow this: it needs admin, write\", scope=\"admin write\""
        ),
    ]

    @Test(arguments: HTTPVersions.each)
    func `Only who is known gets in, and others are told how`(version: HTTPVersions) async throws {
        try await withServer(handler()) { address in
            for (path, field, status, challenge) in Self.rows {
                let response = try await address.exchange(version, path, field.map { [.authorization: $0] } ?? [:])
                #expect(response.status.code == status, "\(path) \(field ?? "-")")
                #expect(response.headers[.wwwAuthenticate] == challenge, "\(path) \(field ?? "-")")
                if status == 200, path != "/plain" {
                    #expect(response.text == (path == "/basic" ? "Aladdin" : "bob"))
                }
            }
        }
    }

    @Test func `Two Authorization fields are refused`() async throws {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .authorization, value: "Bearer good"))
        fields.append(HTTPField(name: .authorization, value: "Bearer good"))
        let handler = handler()
        let error = await #expect(throws: BearerError.self) {
            _ = try await handler(Request(.get, "/api/me", headers: fields))
        }
        #expect(error?.status == .badRequest)
        #expect(try Request(.get, "/", headers: fields).bearerToken == nil)
    }

    @Test(arguments: [
        ("a", true), ("a-._~+/9==", true), ("", false), ("=", false), ("a=b", false), ("a b", false), ("ä", false),
    ])
    func `A token has its characters`(token: String, isToken: Bool) {
        #expect(Authorization.isBearerToken(token) == isToken)
    }

    @Test func `Credentials are written as RFC 7617 shows them`() throws {
        let credentials = BasicCredentials(user: "Aladdin", password: "open sesame")
        #expect(credentials.field == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(BasicCredentials(token: "dGVzdDoxMjPCow==") == BasicCredentials(user: "test", password: "123£"))
    }

    @Test func `Credentials have at most 128 combining marks in a row`() throws {
        for (count, isRead) in [(128, true), (129, false)] {
            let credentials = BasicCredentials(user: "a", password: String(repeating: "\u{301}", count: count))
            let request = try Request(.get, "/", headers: [.authorization: credentials.field])
            #expect((request.basicCredentials != nil) == isRead)
        }
    }
}
