import Backlot
import BacklotService
import BacklotTesting
import CoreMetrics
import Testing

/// Code of the article "A JSON API beside your pages".
enum JSONAPICode {
    struct Plot: Codable, Sendable { var id: Int, name: String, soil: Soil? }
    struct NewPlot: Codable, Sendable { var name: String, soil: Soil? }
    struct Filter: Decodable, Sendable { var soil: Soil? }
    enum Soil: String, Codable, CaseIterable, Sendable { case sand, clay }

    actor Plots {
        func plots(_ soil: Soil?) -> [Plot] { [] }
        func plot(_ id: Int) -> Plot? { nil }
        func add(_ new: NewPlot) -> Plot { Plot(id: 1, name: new.name, soil: new.soil) }
        func remove(_ id: Int) -> Bool { true }
    }

    static func routes(_ router: Router, _ garden: Plots) {
        router.group("/api", JSONErrors()) { api in
            api.get("/plots", query: Filter.self) { filter, _ in await garden.plots(filter.soil) }
            api.get("/plots/{id}") { request in await garden.plot(try request.parameter("id", as: Int.self)) }
            api.post("/plots", body: NewPlot.self, summary: "Adds a plot.", status: .created) { new, _ in
                let plot = await garden.add(new)
                return JSONResponse(plot, headers: [.location: "/api/plots/\(plot.id)"])
            }
            api.delete("/plots/{id}") { request in
                guard await garden.remove(try request.parameter("id", as: Int.self)) else {
                    throw ProblemDetails(.conflict, "The plot has a gardener.", type: "https://garden.example/taken")
                }
                return Response(status: .noContent)
            }
        }
        let document = router.openAPI(title: "Garden", version: "1")
        router.get("/openapi.json") { _ in document.response }
    }

    static func test(_ router: Router) async throws {
        try await withHTTPClient(router, over: .inProcess) { client in
            let created = try await client.post("/api/plots", json: NewPlot(name: "North", soil: .clay))
            #expect(created.status == .created)
            #expect(try await client.get("/api/plots").json(as: [Plot].self).count == 1)
        }
    }

    static func testing(_ router: Router, _ reach: ClientReach) async throws {
        try await withHTTPClient(router, over: reach) { client in
            let created = try await client.post("/plots", json: ["name": "North"])
            #expect(created.status == .created)
            #expect(try await client.get("/plots").json(as: [String].self) == ["North"])
            let moved = try await client.send(.post, "/log-in", followsRedirects: false)
            #expect(moved.headers[.location] == "/" && client.cookie("user") == "ann")
            for try await text in try await client.stream("/prices") where text.contains("data: 3") { break }
        }
    }
}

/// Code of the article "WebSockets".
enum WebSocketCode {
    static func routes(_ router: Router) -> WebSocketOptions {
        router.webSocket("/rooms/{room}") { request, socket in
            let room = request.parameters["room"] ?? ""
            for try await message in socket.messages {
                try await socket.send("\(room): \(message.text ?? "bytes")")
            }
        }
        var options = WebSocketOptions()
        options.messageLimit = 64 * 1024
        options.subprotocols = ["chat.v2", "chat.v1"]
        options.origins = ["https://app.example.com"]
        return options
    }
}

/// Code of the article "Your own middleware and guard".
enum OwnMiddlewareCode {
    struct Member: Sendable { var name: String }

    actor Members {
        func has(_ token: String) -> Bool { true }
        func member(_ token: String) -> Member? { nil }
    }

    struct Cached: Middleware {
        var seconds: Int

        func respond(to request: Request, next: any Handler) throws -> HandlerResult {
            try next.respond(to: request).map { response in
                var response = response
                response.headers[.cacheControl] = "max-age=\(seconds)"
                return response
            }
        }
    }

    struct MembersOnly: Middleware {
        let members: Members

        func respond(to request: Request, next: any Handler) -> HandlerResult {
            .pending {
                guard let token = request.bearerToken, await members.has(token) else {
                    throw StatusError(.unauthorized, "Please log in.")
                }
                return try await next(request)
            }
        }
    }

    enum CurrentMember: RequestAttribute { typealias Value = Member }

    static func routes(_ router: Router, _ members: Members) {
        router.use { request, next in
            var response = try await next(request)
            response.headers[.server] = "Garden"
            return response
        }
        router.group("/old", { _, _ in throw StatusError(.gone, "The old garden is closed.") }) { old in
            old.get("/plots") { _ in "never" }
        }
        let known = RequestValue(CurrentMember.self) { request in
            guard let token = request.bearerToken, let member = await members.member(token) else {
                throw StatusError(.unauthorized, "Please log in.")
            }
            return member
        }
        router.group("/members", known) { group in
            group.get("/me") { request in try request[CurrentMember.self].name }
        }
        router.use(CORS(.named(["https://app.example.com"]), allowsCredentials: true))
    }
}

/// Code of the article "Background work and your own metrics".
enum BackgroundWorkCode {
    struct Garden: ServerApp {
        func routes(_ router: Router, _ service: AppContext) async throws {
            let watered = Counter(label: "garden.watered")
            service.whileServing {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(60))
                    watered.increment()
                }
            }
            service.afterServing { print("The garden is closed.") }
        }
    }

    static func metrics(_ router: Router) {
        let metrics = PrometheusMetrics()
        metrics.bootstrap()
        router.metrics(metrics, .nobody)
    }
}
