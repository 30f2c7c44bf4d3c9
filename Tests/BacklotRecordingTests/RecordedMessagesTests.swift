import Backlot
import TestSupport
import Testing

@testable import BacklotHTTP
@testable import BacklotMocks
@testable import BacklotRecording

/// A WebSocket that was recorded, as a mock file.
@Suite(.timeLimit(.minutes(5))) struct RecordedMessagesTests {
    private static func event(_ isClients: Bool, _ event: ProxiedMessage.Event, _ time: Int) -> ProxiedMessage {
        ProxiedMessage(isClients: isClients, event, at: .milliseconds(time))
    }

    @Test(arguments: [
        ([], "[]"),
        (
            [
                event(false, .message(.text("hi")), 20), event(true, .message(.text("yo")), 520),
                event(false, .message(.binary([0, 1])), 530), event(true, .message(.binary([2])), 530),
                event(true, .end(nil), 700),
            ],
            #"[{"delay":20,"send":"hi"},{"expect":"yo"},{"delay":10,"base64":"AAE="},{"expect":{"binaryEqualTo":"Ag=="}},{"expect":{}}]"#
        ),
        (
            [event(true, .message(.text("{\"a\": 1}")), 0), event(false, .message(.text("[1, 2]")), 0)],
            #"[{"expect":{"equalToJson":{"a":1}}},{"send":[1,2]}]"#
        ),
        (
            [
                event(false, .end(WebSocketClose(.goingAway, "later")), 3),
                event(true, .end(WebSocketClose(.normal)), 4),
            ],
            #"[{"delay":3,"close":1001,"reason":"later"}]"#
        ),
        ([event(false, .end(WebSocketClose(.noStatus)), 0)], #"[{"close":1000}]"#),
        ([event(false, .end(nil), 9_000_000)], #"[{"delay":3600000,"cut":true}]"#),
    ])
    func `Events become steps`(events: [ProxiedMessage], steps: String) throws {
        #expect(String(decoding: RecordedMessages.body(events), as: UTF8.self) == steps)
    }

    /// Records what `talk` does with a backend, and replays the files with `again`.
    private func record(
        exchanges: Int = 1,
        page: String? = nil,
        _ program: @escaping @Sendable (WebSocket) async throws -> Void,
        _ talk: (SocketAddress) async throws -> Void,
        replay: (SocketAddress, [RecordedFile]) async throws -> Void
    ) async throws {
        let backend = Router()
        backend.get("/chat") { request in
            if let page, request.headers[.upgrade] == nil { return .text(page) }
            guard page == nil || request.headers[.authorization] != nil else {
                throw StatusError(.unauthorized, "who?")
            }
            return try .webSocket(request, program)
        }
        let recorder = try await withServer(backend.handler()) { address in
            let origin = try #require(Origin("http://\(address)"))
            let (recorder, proxy) = (Recorder(origin), ReverseProxy(origin: origin))
            let handler = FunctionHandler { await proxy.respond(to: $0) { recorder.note($0) } }
            try await withServer(handler) { address in
                try await talk(address)
                let end = ContinuousClock.now + .seconds(60)
                while recorder.contents.exchanges.count < exchanges, .now < end {
                    try await Task.sleep(for: .milliseconds(5))
                }
                #expect(recorder.contents.exchanges.count == exchanges)
            }
            return recorder
        }
        #expect(recorder.contents.skipped == [])
        let report = RecordingReport(
            recorder.contents.exchanges,
            skipped: [],
            keys: [],
            formats: [],
            options: RouteRecording.Options()
        )
        try await withTemporaryFolder { folder in
            for file in report.files { try folder.write(String(decoding: file.bytes, as: UTF8.self), to: file.path) }
            let mocks = MockBackend(logger: .silent)
            try RouteFiles(folder.path, backend: mocks).load()
            let router = Router()
            router.mocks(mocks)
            try await withServer(router.handler()) { try await replay($0, report.files) }
        }
    }

    private static let secret = "kjh4JHG7654kjhKJHG765"

    @Test func `A WebSocket is recorded through a proxy, and replayed`() async throws {
        try await record { socket in
            try await socket.send("welcome {{you}}")
            guard let first = try await socket.messages.next()?.text else { return }
            try await Task.sleep(for: .milliseconds(60))
            try await socket.send(first.contains(Self.secret) ? #"{"session": {"token": "\#(Self.secret)"}}"# : "?")
            _ = try await socket.messages.next()
            await socket.close(WebSocketClose.Code(rawValue: 3001), reason: "enough")
        } _: { address in
            let client = try await WebSocketClient.open(address, "/chat")
            _ = try await client.texts(1)
            try await client.send(#"{"token": "\#(Self.secret)", "room": 7}"#)
            _ = try await client.texts(1)
            try await client.send(WebSocketFrame(0x82, [1, 2, 3]))
            #expect(try await client.receive() == .close(3001, "enough"))
            try await client.send(.close(3001))
        } replay: { address, files in
            #expect(files.map(\.path) == ["chat.ws.yaml"])
            let text = String(decoding: try #require(files.first).bytes, as: UTF8.self)
            #expect(!text.contains(Self.secret) && !text.contains("status") && !text.contains("headers"), "\(text)")
            let delays = text.matches(of: /delay: ([0-9]+)/).compactMap { Int($0.output.1) }
            #expect(delays.contains { 40...5000 ~= $0 }, "\(text)")
            let token = try #require(text.firstMatch(of: /token: ([^\n]+)/)?.output.1)
            let client = try await WebSocketClient.open(address, "/chat")
            #expect(try await client.texts(1) == ["welcome {{you}}"])
            try await client.send(#"{"room":7,"token":"\#(token)"}"#)
            #expect(try await client.texts(1) == [#"{"session":{"token":"\#(token)"}}"#])
            try await client.send(WebSocketFrame(0x82, [1, 2, 3]))
            #expect(try await client.receive() == .close(3001, "enough"))
            // A message that wasn't recorded.
            let other = try await WebSocketClient.open(address, "/chat")
            _ = try await other.texts(1)
            try await other.send("something")
            #expect(try await other.receive()?.closeCode == 1008)
        }
    }

    @Test func `A client that ends a WebSocket isn't sent an end in the replay`() async throws {
        try await record { socket in
            for try await message in socket.messages { try await socket.send(message) }
        } _: { address in
            let client = try await WebSocketClient.open(address, "/chat")
            try await client.send("a")
            _ = try await client.texts(1)
            try await client.send(.close(1000))
            #expect(try await client.receive() == .close(1000))
        } replay: { address, _ in
            let client = try await WebSocketClient.open(address, "/chat")
            try await client.send(WebSocketFrame("a"), WebSocketFrame(0x89, "p"))
            #expect(try await Set(client.texts(2)) == ["a", "p"])
            try await client.send(.close(4000))
            #expect(try await client.receive() == .close(4000))
        }
    }

    @Test func `Conversations on one path come in the recorded order`() async throws {
        let count = Locked(0)
        try await record(exchanges: 2) { socket in
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await socket.send("number \(number)")
        } _: { address in
            for _ in 0..<2 {
                let client = try await WebSocketClient.open(address, "/chat")
                _ = try await client.texts(1)
                try await client.send(.close(1000))
                _ = try await client.receive()
            }
        } replay: { address, _ in
            var texts: [String] = []
            var cookie: [String] = []
            for _ in 0..<3 {
                let client = try await WebSocketClient.open(address, "/chat", more: cookie)
                if let set = await client.response["Set-Cookie"] { cookie = ["Cookie: \(set.prefix { $0 != ";" })"] }
                texts += try await client.texts(1)
            }
            #expect(texts == ["number 1", "number 2", "number 2"])
        }
    }

    @Test func `A path with a page and a WebSocket has files for both, and so has its refusal`() async throws {
        func talk(_ address: SocketAddress) async throws -> [String] {
            var seen = [try await address.exchange(.http1, "/chat", [:])].map { "\($0.status.code) \($0.text)" }
            for more in [[], ["Authorization: Bearer \(Self.secret)"]] {
                let client = try await WebSocketClient.open(address, "/chat", more: more)
                let response = await client.response
                seen.append("\(response.status)")
                if response.status == 101 {
                    seen += try await client.texts(1)
                    try await client.send(.close(1000))
                    _ = try await client.receive()
                }
            }
            return seen
        }
        let expected = ["200 the page", "401", "101", "welcome"]
        try await record(exchanges: 3, page: "the page") { socket in
            try await socket.send("welcome")
            for try await _ in socket.messages {}
        } _: { address in
            let seen = try await talk(address)
            #expect(seen == expected)
        } replay: { address, files in
            #expect(files.map(\.path).sorted() == ["chat.get.yaml", "chat.ws.yaml"])
            let page = try await address.exchange(.http1, "/chat", [:])
            #expect(page.status.code == 200)
            let refused = try await WebSocketClient.open(address, "/chat")
            let response = await refused.response
            #expect(response.status == 401)
            let script = try #require(files.first { $0.path == "chat.ws.yaml" })
            let text = String(decoding: script.bytes, as: UTF8.self)
            let token = try #require(text.firstMatch(of: /Bearer ([^\n"']+)/)?.output.1, "\(text)")
            let client = try await WebSocketClient.open(address, "/chat", more: ["Authorization: Bearer \(token)"])
            #expect(try await client.texts(1) == ["welcome"])
        }
    }

    @Test func `A WebSocket without its messages is left out`() {
        let recording = RouteRecording([RecordedExchange(.get, "/live", status: 101)], formats: [])
        #expect(recording.files.isEmpty)
        #expect(recording.skipped == ["GET /live: the messages of the WebSocket weren't recorded"])
    }
}
