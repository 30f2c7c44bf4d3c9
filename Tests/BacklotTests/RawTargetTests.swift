import TestSupport
import Testing

@testable import Backlot

/// Characters that clients send without percent-encoding: routes, static files, queries and the targets that the server writes itself.
@Suite(.timeLimit(.minutes(5))) struct RawTargetTests {
    private static let pairs = "[]{}|^\\`äé€😀".map {
        (raw: String($0), encoded: PercentEncoding.encode(String($0), keeping: ""))
    }

    @Test func `A route and a query get the character, raw or percent-encoded`() async throws {
        let router = Router()
        router.get("/p/{name}") { request in
            let name = request.parameters["name"] ?? "-"
            return .text("\(name) \(request.queryParameters.first { $0.name == "q[\(name)]" }?.value ?? "-")")
        }
        let handler = router.handler()
        for (raw, encoded) in Self.pairs {
            for target in ["/p/a\(raw)?q[a\(raw)]=\(raw)", "/p/a\(encoded)?q%5Ba\(encoded)%5D=\(encoded)"] {
                #expect(try await handler(Request(.get, target)).bodyText == "a\(raw) \(raw)")
            }
        }
        #expect(try await handler(Request(.get, "/p/a?q[a]=\"<>%zz%")).bodyText == "a \"<>%zz%")
    }

    @Test func `A file with such a name is found both ways, and a redirect is percent-encoded`() async throws {
        try await withTemporaryFolder { folder async throws in
            for (raw, _) in Self.pairs {
                try folder.write(raw, to: "public/a\(raw).txt")
                try folder.write(raw, to: "public/f\(raw)/index.html")
            }
            let router = Router()
            router.files(folder.path + "/public")
            let handler = router.handler()
            for (raw, encoded) in Self.pairs {
                for form in [raw, encoded] {
                    let isPlain = FilePath.isPlainName("a\(raw).txt")
                    let file = try await handler.response(to: Request(.get, "/a\(form).txt"))
                    #expect(file.status == (isPlain ? .ok : .notFound) && (file.bodyText == raw || !isPlain))
                    guard isPlain else { continue }
                    let redirect = try await handler(Request(.get, "/f\(form)?x[]=\(form)"))
                    let query = form == raw ? "x%5B%5D=\(encoded)" : "x%5B%5D=\(form)"
                    #expect(redirect.headers[.location] == "/f\(encoded)/?\(query)")
                }
            }
        }
    }

    @Test func `No path leads out of a folder or to another host`() async throws {
        try await withTemporaryFolder { folder async throws in
            try folder.write("secret", to: "secret.txt")
            try folder.write("home", to: "public/docs/index.html")
            let router = Router()
            router.files(folder.path + "/public")
            let handler = router.handler()
            for target in ["/..\\secret.txt", "/docs\\..\\..\\secret.txt", "/\\..\\secret.txt", "/%2e%2e\\secret.txt"] {
                #expect(throws: RequestError.self) { try Request(.get, target) }
            }
            for target in ["//docs", "/\\docs", "/\\/docs", "/%5Cdocs", "//h/..%5Cdocs", "/docs\\"] {
                let response = try await handler.response(to: Request(.get, target))
                let place = response.headers[.location] ?? "/"
                #expect(
                    !place.hasPrefix("//") && !place.contains("\\") && response.bodyText != "secret",
                    "\(target): \(place)"
                )
            }
        }
    }
}

extension Handler {
    fileprivate func response(to request: Request) async throws -> Response {
        do { return try await self(request) } catch let error as any HTTPError { return Response(error) }
    }
}
