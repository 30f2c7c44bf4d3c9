import TestSupport
import Testing

@testable import Backlot

/// Fields by which clients have led answers astray that a cache then kept for others: without a trusted proxy, none of them
/// changes a byte of an answer.
@Suite(.timeLimit(.minutes(5))) struct UnkeyedFieldTests {
    private static let names = [
        "X-Forwarded-Host", "X-Forwarded-Server", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Proto",
        "X-Forwarded-Scheme", "X-Forwarded-For", "X-Host", "X-HTTP-Host-Override", "X-Original-Host", "X-Original-URL",
        "X-Rewrite-URL", "X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method", "X-Real-IP", "Client-IP",
        "X-Url-Scheme", "Front-End-Https", "X-Forwarded-Ssl", "True-Client-IP", "X-Wap-Profile", "Via",
    ]

    private static let poison: HTTPFields = {
        var fields = HTTPFields()
        for name in names.compactMap({ HTTPField.Name($0) }) {
            fields.append(HTTPField(name: name, value: name.canonicalName.contains("method") ? "DELETE" : "evil.test"))
        }
        for (name, value) in [
            ("Forwarded", "for=evil.test;host=evil.test;proto=https"), ("X-Forwarded-Proto", "https"),
            ("X-Original-URL", "/other"), ("X-Rewrite-URL", "/other"),
        ] {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }()

    private func withApp(_ body: (SocketAddress) async throws -> Void) async throws {
        try await withTemporaryFolder { folder async throws in
            try folder.write("<p>", to: "public/folder/index.html")
            // The tag of a file that has just been written is weak for a second.
            try folder.setModified("public/folder/index.html", 1_700_000_000)
            let router = Router()
            router.use(HSTS(maxAge: .seconds(600)))
            router.get("/page") { request in .text("\(request.method) \(request.path) \(request.scheme)") }
            router.delete("/page") { _ in .text("gone") }
            router.get("/other") { _ in .text("other") }
            router.get("/moved") { _ in try .redirect(to: "/page") }
            router.files(folder.path + "/public")
            try await withServer(router.handler()) { try await body($0) }
        }
    }

    @Test(arguments: HTTPVersions.each, ["/page", "/moved", "/folder", "/folder/", "/unknown", "/page/", "/%"])
    func `No field of a stranger changes a response`(version: HTTPVersions, target: String) async throws {
        try await withApp { address in
            let clean = try await address.exchange(version, target)
            let poisoned = try await address.exchange(version, target, Self.poison)
            #expect(poisoned.status == clean.status)
            #expect(poisoned.body == clean.body)
            func fields(_ response: IncomingResponse) -> [HTTPField] { response.headers.filter { $0.name != .date } }
            #expect(fields(poisoned) == fields(clean))
            #expect(!String(decoding: poisoned.body, as: UTF8.self).contains("evil"))
        }
    }

    /// Where an answer says where to go, it names no host at all.
    @Test(arguments: HTTPVersions.each, [("/moved", "/page"), ("/folder", "/folder/")])
    func `Redirects are relative`(version: HTTPVersions, example: (target: String, location: String)) async throws {
        try await withApp { address in
            let response = try await address.exchange(version, example.target, Self.poison)
            #expect(response.headers[.location] == example.location)
        }
    }
}
