import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct EventTests {
    private struct Price: Encodable { let cents: Int, name: String }

    @Test(arguments: [
        (ServerSentEvent("a"), "data: a\n\n"),
        (ServerSentEvent(""), "data: \n\n"),
        (ServerSentEvent("a\nb\r\nc\rd"), "data: a\ndata: b\ndata: c\ndata: d\n\n"),
        (ServerSentEvent("a\n\n"), "data: a\ndata: \ndata: \n\n"),
        (ServerSentEvent("\n\r"), "data: \ndata: \ndata: \n\n"),
        (ServerSentEvent("x", type: "price", id: "7"), "event: price\nid: 7\ndata: x\n\n"),
        (ServerSentEvent("x", id: ""), "id: \ndata: x\n\n"),
        (ServerSentEvent("x", retry: .milliseconds(2500)), "retry: 2500\ndata: x\n\n"),
        (ServerSentEvent("x", retry: .seconds(-1)), "retry: 0\ndata: x\n\n"),
    ])
    func `An event is written`(event: ServerSentEvent, text: String) throws {
        #expect(try event.text() == text)
    }

    @Test(
        arguments: [
            ("data: a\n\n", [.event(ServerSentEvent("a"))]),
            ("data: a\rdata:b\r\r", [.event(ServerSentEvent("a\nb"))]),
            ("\u{FEFF}data\r\n\r\n", [.event(ServerSentEvent(""))]),
            (
                ": hi\nevent: price\nid: 7\nretry: 50\ndata: x\n\ndata: y\n\n",
                [
                    .comment("hi"), .event(ServerSentEvent("x", type: "price", id: "7", retry: .milliseconds(50))),
                    .event(ServerSentEvent("y")),
                ]
            ),
            ("id\ndata:  x\n\n", [.event(ServerSentEvent(" x", id: ""))]),
            ("id: a\0\nretry: soon\nother: x\ndata: x\n\n", [.event(ServerSentEvent("x"))]),
            (
                "data: \u{301}a\n\ndata:\u{301}b\n\n",
                [.event(ServerSentEvent("\u{301}a")), .event(ServerSentEvent("\u{301}b"))]
            ),
            (
                "retry: 50\n\ndata: a\n\ndata: b\n\n",
                [.event(ServerSentEvent("a", retry: .milliseconds(50))), .event(ServerSentEvent("b"))]
            ),
            ("event: a\n\n", []), ("data: a\n", []),
        ] as [(String, [EventParser.Part])]
    )
    func `A stream is read in any pieces`(text: String, parts: [EventParser.Part]) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var parser = EventParser()
            #expect(parser.read(Array(bytes[..<cut])) + parser.read(Array(bytes[cut...])) == parts)
        }
    }

    @Test func `Lines of data without a text count for the size of an event`() {
        var parser = EventParser()
        for _ in 0..<1000 { _ = parser.read(Array("data\n".utf8)) }
        #expect(parser.pendingBytes == 999)
        let event = ServerSentEvent(String(repeating: "\n", count: 999))
        #expect(parser.read(Array("\n".utf8)) == [.event(event)])
        #expect(parser.pendingBytes == 0)
    }

    @Test func `An event with a value is JSON`() throws {
        let event = try ServerSentEvent(json: Price(cents: 7, name: "a\nb"), type: "price")
        #expect(try event.text() == "event: price\ndata: {\"cents\":7,\"name\":\"a\\nb\"}\n\n")
    }

    @Test(arguments: [
        (ServerSentEvent("x", type: "a\nid: 7"), EventError.type("a\nid: 7")),
        (ServerSentEvent("x", type: "a\r"), .type("a\r")),
        (ServerSentEvent("x", id: "1\n"), .id("1\n")),
        (ServerSentEvent("x", id: "1\0"), .id("1\0")),
    ])
    func `A field that would become another is refused`(event: ServerSentEvent, error: EventError) {
        #expect(throws: error) { try event.text() }
    }

    @Test(arguments: HTTPVersions.each)
    func `A stream has its fields, its events, and an end`(version: HTTPVersions) async throws {
        let router = Router()
        router.use(Compression(minimumSize: 0))
        router.get("/events") { request in
            let last = request.lastEventID ?? "none"
            return .events(retry: .seconds(3)) { events in
                try await events.send(last)
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<20 { group.addTask { try? await events.send("\(number)", type: "n") } }
                }
                try await events.send(ServerSentEvent("end", id: "9"))
            }
        }
        try await withServer(router.handler()) { address in
            let lastEventID = try #require(HTTPField.Name("Last-Event-ID"))
            let response = try await address.exchange(version, "/events", [lastEventID: "8", .acceptEncoding: "gzip"])
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "text/event-stream")
            #expect(response.headers[.cacheControl] == "no-store, no-transform")
            #expect(response.headers[.contentEncoding] == nil)
            let events = response.text.split(separator: "\n\n").map(String.init)
            #expect(events.prefix(2) == ["retry: 3000", "data: 8"])
            #expect(events.last == "id: 9\ndata: end")
            #expect(Set(events.dropFirst(2).dropLast()) == Set((0..<20).map { "event: n\ndata: \($0)" }))
        }
    }

    @Test(arguments: HTTPVersions.each)
    func `A silent stream beats, and no beat completes an event`(version: HTTPVersions) async throws {
        let router = Router()
        let end = AsyncStream.makeStream(of: Void.self)
        router.get("/events") { _ in
            .events(heartbeat: .milliseconds(10)) { events in
                try await events.send("first")
                try await events.sendBeginning(of: ServerSentEvent("second"))
                for await _ in end.stream { return }
            }
        }
        try await withServer(router.handler()) { address in
            let response = try await address.open(version, .get, "/events")
            var text = ""
            for try await piece in response.body {
                text += String(decoding: piece, as: UTF8.self)
                if text.split(separator: "\n").suffix(3) == [":", ":", ":"] { end.continuation.yield() }
            }
            #expect(text.replacing(":\n", with: "") == "data: first\n\ndata: second\n", "\(text)")
        }
    }

    @Test(arguments: HTTPVersions.each)
    func `A stream ends well when the server stops`(version: HTTPVersions) async throws {
        let router = Router()
        router.get("/events") { _ in
            .events { events in
                try await events.send("first")
                try await Task.sleep(for: .seconds(3600))
            }
        }
        var configuration = ServerConfiguration()
        configuration.timeouts.drain = .seconds(3600)
        configuration.timeouts.drainIdle = .milliseconds(10)
        let server = Server(router.handler(), port: 0, configuration: configuration)
        let running = try server.start()
        let response = try await running.address.open(version, .get, "/events")
        var pieces = response.body.makeAsyncIterator()
        #expect(try await pieces.next() == Array("data: first\n\n".utf8))
        async let stopped: Void = running.shutdown()
        // Whole, and not cut.
        #expect(try await pieces.next() == nil)
        await stopped
    }

    @Test(arguments: HTTPVersions.each)
    func `A client that doesn't read holds the producer up`(version: HTTPVersions) async throws {
        let sent = Locked(0)
        let ended = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        let event = ServerSentEvent(String(repeating: "x", count: 10_000))
        router.get("/events") { _ in
            .events { events in
                defer { ended.continuation.yield() }
                while true {
                    try await events.send(event)
                    sent.withLock { $0 += 1 }
                }
            }
        }
        var configuration = ServerConfiguration()
        configuration.timeouts.write = .milliseconds(300)
        try await withServer(router.handler(), configuration: configuration) { address in
            let client = try await RawClient.connect(to: address, receiveBuffer: 4096)
            if version == .http1 {
                try await client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
            } else {
                try await client.send(HTTP2Request("/events").wire)
            }
            // It is cut off in the end.
            var ends = ended.stream.makeAsyncIterator()
            await ends.next()
            // What the system's buffers and the connection's take, and no more.
            #expect(sent.withLock { $0 } < 2000)
        }
    }

    @Test func `A client that goes ends the stream, and an error cuts it`() async throws {
        let ended = AsyncStream.makeStream(of: Bool.self)
        let router = Router()
        router.get("/events") { _ in
            .events(heartbeat: .milliseconds(20)) { events in
                defer { ended.continuation.yield(Task.isCancelled) }
                try await events.send("first")
                try await Task.sleep(for: .seconds(3600))
            }
        }
        router.get("/wrong") { _ in
            .events { events in
                try await events.send("first")
                try await events.send("second", id: "a\nb")
            }
        }
        try await withServer(router.handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try await client.receivePiece()
            await client.reset()
            var ends = ended.stream.makeAsyncIterator()
            #expect(await ends.next() == true)
            await #expect(throws: ClientConnectionError.self) { _ = try await address.exchange(.http1, "/wrong") }
        }
    }

    @Test func `Streams of one's own see the shutdown`() async throws {
        let router = Router()
        router.get("/lines") { _ in
            Response(
                body: .stream { writer in
                    try await writer.write("first\n")
                    try await UntilShutdown.run { try await Task.sleep(for: .seconds(3600)) }
                    try await writer.write("last\n")
                }
            )
        }
        var configuration = ServerConfiguration()
        configuration.timeouts.drainIdle = .milliseconds(10)
        let running = try Server(router.handler(), port: 0, configuration: configuration).start()
        let response = try await running.address.open(.http1, .get, "/lines")
        var pieces = response.body.makeAsyncIterator()
        #expect(try await pieces.next() == Array("first\n".utf8))
        async let stopped: Void = running.shutdown()
        #expect(try await pieces.next() == Array("last\n".utf8))
        #expect(try await pieces.next() == nil)
        await stopped
    }
}
