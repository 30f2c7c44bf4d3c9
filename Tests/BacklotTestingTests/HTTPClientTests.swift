import Backlot
import BacklotTesting
import Testing

private struct Plot: Codable, Equatable, Sendable { var id: Int, name: String }

@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
    /// A suite may keep its router: it is Sendable.
    private static let router: Router = {
        let router = Router()
        router.get("/plots") { _ in [Plot(id: 1, name: "North")] }
        router.post("/plots", body: Plot.self, status: .created) { plot, _ in plot }
        router.post("/form") { request in .text(try await request.form()["name"] ?? "") }
        router.post("/log-in") { _ in
            var response = try Response.redirect(to: "/me", status: .seeOther)
            response.setCookie(try SetCookie("user", "ann", isSecure: false))
            return response
        }
        router.get("/me") { request in .text(request.cookie("user") ?? "nobody") }
        return router
    }()

    @Test(arguments: ClientReach.allCases) func `Values go out and come back as JSON`(reach: ClientReach) async throws {
        try await withHTTPClient(Self.router, over: reach) { client in
            #expect(try await client.get("/plots").json(as: [Plot].self) == [Plot(id: 1, name: "North")])
            let created = try await client.post("/plots", json: Plot(id: 2, name: "South"))
            #expect(created.status == .created)
            #expect(try created.json() == Plot(id: 2, name: "South"))
            let wrong = try await client.post("/plots", json: ["id": "2"])
            #expect(wrong.status == .badRequest && wrong.text.contains("/id is a string"))
            #expect(try await client.post("/form", form: ["name": "a b&c", "x": "y"]).text == "a b&c")
            #expect(try await client.get("/nowhere").status == .notFound)
            #expect(throws: (any Error).self) { try created.json(as: [Int].self) }
        }
    }

    @Test(arguments: ClientReach.allCases) func `Cookies are kept and redirects are followed`(
        reach: ClientReach
    ) async throws {
        try await withHTTPClient(Self.router, over: reach) { client in
            #expect(try await client.get("/me").text == "nobody")
            let stopped = try await client.send(.post, "/log-in", followsRedirects: false)
            #expect(stopped.status == .seeOther && stopped.headers[.location] == "/me")
            #expect(client.cookie("user") == "ann")
            #expect(try await client.get("/me").text == "ann")
        }
        try await withHTTPClient(Self.router, over: reach) { client in
            #expect(client.cookie("user") == nil)
            let followed = try await client.send(.post, "/log-in")
            #expect(followed.text == "ann")
        }
    }

    @Test(arguments: ClientReach.allCases) func `Requests at the same time keep each other's cookies`(
        reach: ClientReach
    ) async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.post("/set") { request in
            Response(headers: [.setCookie: String(decoding: try await request.body.collect(), as: UTF8.self)])
        }
        router.get("/slow") { _ in
            arrived.yield()
            for await _ in signals { break }
            return Response(headers: [.setCookie: "theme=dark"])
        }
        try await withHTTPClient(router, over: reach) { client in
            _ = try await client.send(.post, "/set", body: Array("draft=1".utf8))
            async let slow = client.get("/slow")
            for await _ in arrivals { break }
            _ = try await client.send(.post, "/set", body: Array("user=ann".utf8))
            _ = try await client.send(.post, "/set", body: Array("draft=; Max-Age=0".utf8))
            signal.yield()
            _ = try await slow
            #expect(client.cookie("user") == "ann")
            #expect(client.cookie("draft") == nil)
            #expect(client.cookie("theme") == "dark")
        }
    }

    @Test(arguments: ClientReach.allCases) func `A redirect that leads nowhere sets its cookies`(
        reach: ClientReach
    ) async throws {
        let router = Router()
        router.get("/") { _ in
            Response(status: .found, headers: [.location: "ftp://example.com/", .setCookie: "user=ann"])
        }
        try await withHTTPClient(router, over: reach) { client in
            await #expect(throws: ClientError.badRedirect("ftp://example.com/")) { try await client.get("/") }
            #expect(client.cookie("user") == "ann")
        }
    }

    @Test(arguments: ClientReach.allCases) func `A stream is read while it is sent`(reach: ClientReach) async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.get("/prices") { _ in
            .events { events in
                defer { ended.yield() }
                for price in 1... { try await events.send("\(price)") }
            }
        }
        try await withHTTPClient(router, over: reach) { client in
            var text = ""
            for try await piece in try await client.stream("/prices") {
                text += piece
                if text.contains("data: 3\n") { break }
            }
            #expect(text.contains("data: 1\n"))
            // The handler doesn't go on without a reader.
            for await _ in ends { break }
            let error = await #expect(throws: StatusError.self) { _ = try await client.stream("/nowhere") }
            #expect(error?.status == .notFound)
        }
    }
}
