import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct WebSocketRouteTests {
    @Test func `A route opens a WebSocket behind middlewares`() async throws {
        let router = Router()
        router.use(Compression(minimumSize: 0))
        router.use(Timeout(.milliseconds(50)))
        router.use(CORS(.any))
        router.group("/api") { group in
            group.webSocket("/rooms/{room}") { request, socket in
                try await Task.sleep(for: .milliseconds(100))
                for try await message in socket.messages {
                    try await socket.send("\(request.parameters["room"] ?? ""): \(message.text ?? "")")
                }
            }
        }
        try await withServer(router.handler()) { address in
            let client = try await WebSocketClient.open(address, "/api/rooms/7", more: ["Accept-Encoding: gzip"])
            let status = await client.response.status
            #expect(status == 101)
            try await client.send("hello")
            #expect(try await client.receive() == WebSocketFrame("7: hello"))
            try await client.send(.close(1000))
            #expect(try await client.receive() == .close(1000))
            #expect(try await client.receive() == nil)
        }
    }

    @Test(arguments: HTTPVersions.each)
    func `A plain request is told what the path is`(version: HTTPVersions) async throws {
        let router = Router()
        router.webSocket("/chat") { _, _ in }
        try await withServer(router.handler()) { address in
            let response = try await address.exchange(version, "/chat", [:])
            #expect(response.status.code == 426)
            #expect(response.headers[.secWebSocketVersion] == "13")
            #expect(response.text.contains("this path is a WebSocket"))
        }
    }

    @Test func `A session belongs to the handshake`() async throws {
        let router = Router()
        let app = router.group("", SessionMiddleware(path: "/", store: MemorySessionStore()))
        app.get("/log-in") { _, session in
            try session.logIn(user: "ann")
            return .text("ok")
        }
        app.webSocket("/me") { request, socket in try await socket.send(try await request.session.user ?? "nobody") }
        try await withServer(router.handler()) { address in
            let response = try await address.exchange(.http1, "/log-in", [:])
            let cookie = try #require(response.headers[.setCookie]).prefix { $0 != ";" }
            for (fields, user) in [([], "nobody"), (["Cookie: \(cookie)"], "ann")] {
                let client = try await WebSocketClient.open(address, "/me", more: fields)
                #expect(try await client.receive() == WebSocketFrame(user))
            }
        }
    }
}
