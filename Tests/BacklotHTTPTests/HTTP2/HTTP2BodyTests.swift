import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Bodies of requests: how they come to handlers, and what becomes of those that nobody wants.
@Suite(.timeLimit(.minutes(5))) struct HTTP2BodyTests {
    private static let echo = FunctionHandler { request in
        Response(body: .bytes(try await request.body.limited(to: 10_000_000).collect()))
    }

    @Test func `Pieces of a body reach the handler as they come`() async throws {
        let pieces = Recorder<[UInt8]>()
        let handler = FunctionHandler { request in
            for try await piece in request.body { pieces.record(piece) }
            return Response()
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Frame.post(), endStream: false))
            for piece in 1...3 {
                try await client.send(.data(1, [UInt8(piece)], endStream: false))
                try await expectEventually { pieces.events.count == piece }
            }
            try await client.send(.data(1))
            #expect(try await client.response().status == 200)
            #expect(pieces.events == [[1], [2], [3]])
        }
    }

    /// RFC 9113, section 8.1: trailers end a body; they are dropped.
    @Test func `Trailers end a body and are dropped`() async throws {
        try await withHTTP2Client(Self.echo) { client, _ in
            try await client.send(
                .headers(1, Frame.post(), endStream: false),
                .data(1, [1, 2], endStream: false),
                .headers(1, [("a", "b")])
            )
            var response = try await client.response()
            #expect(response.body == [1, 2])
            let large = Array(repeating: ("a", String(repeating: "b", count: 900)), count: 5)
            try await client.send(.headers(3, Frame.post(), endStream: false))
            try await client.roundTrip()
            try await client.send(.headers(3, large))
            response = try await client.response(on: 3)
            #expect(response.status == 431)
        }
    }

    /// RFC 9110, section 10.1.1: the server sends 100 (Continue) once the handler asks for the body.
    @Test func `A client that waits gets a 100 once the handler reads the body`() async throws {
        let ask = Signal()
        let handler = FunctionHandler { request in
            await ask.wait()
            return Response(body: .bytes(try await request.body.collect()))
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Frame.post("/", ("expect", "100-continue")), endStream: false))
            try await client.roundTrip()
            #expect(await !client.hasPending(.headers))
            ask.fire()
            let interim = try #require(try await client.first(.headers))
            #expect(!interim.endsStream)
            try await client.send(.data(1, [7]))
            #expect(try await client.response().body == [7])
        }
    }

    @Test func `A client that waits gets no 100 if nobody reads the body`() async throws {
        let handler = FunctionHandler { _ in Response(status: .forbidden) }
        try await withHTTP2Client(handler) { client, _ in
            let fields = Frame.post("/", ("expect", "100-continue"))
            try await client.send(.headers(1, fields, endStream: false))
            var response = try await client.response()
            #expect(response.status == 403 && response.interim == [])
            // Nor when the body has come already.
            try await client.send(.headers(3, fields, endStream: false), .data(3, [1]))
            response = try await client.response(on: 3)
            #expect(response.status == 403 && response.interim == [])
        }
    }

    /// curl 7.88.1 and Java 17 lose the response if a reset follows it while they send.
    @Test func `A client that still sends gets the response without a reset, and all its windows`() async throws {
        let handler = FunctionHandler { request in Response(body: .bytes(try await request.body.collect())) }
        try await withHTTP2Client(configure: { $0.limits.body = 1000 }, handler) { client, _ in
            let piece = [UInt8](repeating: 1, count: 16_000)
            for stream in stride(from: UInt32(1), to: 40, by: 2) {
                try await client.send(.headers(stream, Frame.post("/", ("content-length", "320000")), endStream: false))
                for round in 0..<20 { try await client.send(.data(stream, piece, endStream: round == 19)) }
                #expect(try await client.response(on: stream).status == 413)
            }
            try await client.roundTrip()
            #expect(await !client.hasPending { $0.kind == .reset || $0.kind == .goAway })
        }
    }

    @Test func `A client that goes on sending after the response is asked to stop in the end`() async throws {
        let handler = FunctionHandler { _ in Response(status: .forbidden) }
        try await withHTTP2Client(
            configure: { ($0.timeouts.linger, $0.timeouts.lingerInAll) = (.seconds(60), .milliseconds(300)) },
            handler
        ) { client, _ in
            try await client.send(.headers(1, Frame.post(), endStream: false))
            #expect(try await client.response().status == 403)
            async let reset = client.first(.reset)
            for _ in 0..<50 {
                try await client.send(.data(1, [1], endStream: false))
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await reset == .reset(1, 0))
        }
    }

    /// The window of a new stream is the protocol's, so that one client can't park megabytes in each of many streams.
    @Test func `Windows grow for a handler that keeps up, and end with their stream`() async throws {
        let handler = FunctionHandler { request in
            if request.path == "/slow" { try await Task.sleep(for: .seconds(60)) }
            return Response(body: .bytes(try await request.body.limited(to: 10_000_000).collect().suffix(1)))
        }
        try await withHTTP2Client(handler) { client, _ in
            let piece = [UInt8](repeating: 1, count: 16_000)
            var sent = 0
            var (window, opened) = (65_535, 65_535)
            try await client.send(.headers(1, Frame.post(), endStream: false))
            while sent < 3_000_000 {
                while sent + piece.count <= opened {
                    try await client.send(.data(1, piece, endStream: false))
                    sent += piece.count
                }
                let update = try #require(try await client.first { $0.kind == .windowUpdate && $0.stream == 1 })
                opened += update.payload.reduce(0) { $0 << 8 | Int($1) }
                window = max(window, opened - sent)
            }
            #expect(window > 500_000 && window <= NGHTTP2Session.widestWindow)
            try await client.send(.data(1))
            #expect(try await client.response().status == 200)
            // Another stream has the first window again.
            try await client.send(.headers(3, Frame.post("/slow"), endStream: false))
            for _ in 0..<5 { try await client.send(.data(3, piece, endStream: false)) }
            let reset = try await client.first { $0.kind == .reset || $0.kind == .goAway }
            #expect(reset?.errorCode == 3, "a flow-control error")
        }
    }

    /// RFC 9113, section 8.1: after a whole response, a reset without an error asks the client to send no more of the request.
    @Test(arguments: [true, false])
    func `A body that is too large is a 413 and a reset without an error`(_ isDeclared: Bool) async throws {
        let handler = FunctionHandler { request in Response(body: .bytes(try await request.body.collect())) }
        try await withHTTP2Client(
            configure: {
                $0.limits.body = 1000
                $0.timeouts.linger = .milliseconds(200)
            },
            handler
        ) { client, _ in
            let fields = Frame.post() + (isDeclared ? [("content-length", "5000")] : [])
            try await client.send(
                .headers(1, fields, endStream: false),
                .data(1, [UInt8](repeating: 1, count: 2000), endStream: false)
            )
            #expect(try await client.response().status == 413)
            let reset = try await client.first(.reset)
            #expect(reset == .reset(1, 0))
            // The server drops further bytes of the body, and opens their window again.
            for _ in 0..<200 { try await client.send(.data(1, [UInt8](repeating: 1, count: 10_000), endStream: false)) }
            #expect(try await client.exchange(3, Frame.post(), body: [1]).body == [1])
        }
    }

    /// The connection's window is not lost with streams that end before their bodies are read.
    @Test func `Unread bodies give their window back`() async throws {
        let handler = FunctionHandler { request in
            if request.path == "/reset" { try await Task.sleep(for: .seconds(60)) }
            return Response(body: .bytes(request.path == "/read" ? try await request.body.collect() : []))
        }
        try await withHTTP2Client(handler) { client, _ in
            let body = [UInt8](repeating: 1, count: 16_000)
            for stream in stride(from: UInt32(1), to: 160, by: 4) {
                try await client.send(.headers(stream, Frame.post("/reset"), endStream: false))
                for _ in 0..<4 { try await client.send(.data(stream, body, endStream: false)) }
                try await client.send(.reset(stream))
                try await client.send(.headers(stream + 2, Frame.post(), endStream: false), .data(stream + 2, body))
                #expect(try await client.response(on: stream + 2).status == 200)
            }
            #expect(try await client.exchange(161, Frame.post("/read"), body: body).body == body)
        }
    }

    /// A handler that doesn't read holds as much as its stream's window allows, and the rest waits with the client.
    @Test func `An unread body holds no more than its window`() async throws {
        let read = Signal()
        let handler = FunctionHandler { request in
            await read.wait()
            var count = 0
            for try await piece in request.body.limited(to: 1_000_000) { count += piece.count }
            return .text("\(count)")
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Frame.post(), endStream: false))
            for _ in 0..<4 { try await client.send(.data(1, [UInt8](repeating: 1, count: 16_383), endStream: false)) }
            try await client.roundTrip()
            let early = await client.hasPending { $0.kind == .windowUpdate && $0.stream == 1 }
            #expect(!early, "nothing is read, and the window opens")
            read.fire()
            let update = try #require(try await client.first { $0.kind == .windowUpdate && $0.stream == 1 })
            #expect(update.increment == 4 * 16_383)
            try await client.send(.data(1, [UInt8](repeating: 1, count: 16_383)))
            #expect(try await client.response().text == "\(5 * 16_383)")
        }
    }

    /// The bodies fill the connection's window. Their handlers ask for them before they come, or when they are whole.
    @Test(arguments: [true, false])
    func `Collected bodies give their window back while their handlers work on`(_ isEarly: Bool) async throws {
        let (ask, goOn) = (Signal(), Signal())
        let collected = Recorder<Int>()
        let handler = FunctionHandler { request in
            if !isEarly { await ask.wait() }
            collected.record(try await request.body.collect().count)
            if request.path == "/slow" { await goOn.wait() }
            return .text("fine")
        }
        let body = [UInt8](repeating: 1, count: 16_383)
        try await withHTTP2Client(handler) { client, _ in
            defer { goOn.fire() }
            let streams = (0..<16).map { UInt32(2 * $0 + 1) }
            try await client.send(streams.map { .headers($0, Frame.post("/slow"), endStream: false) })
            try await client.roundTrip()
            for stream in streams { try await client.send(.data(stream, body)) }
            try await client.roundTrip()
            ask.fire()
            try await expectEventually { collected.events.count == 16 }
            #expect(try await client.exchange(33, Frame.post("/quick"), body: body).text == "fine")
            #expect(collected.events == [Int](repeating: 16_383, count: 17))
        }
    }

    /// More than the windows of 100 streams together: the connection's bounds them all.
    @Test func `All unread bodies together hold no more than the connection's window`() async throws {
        let goOn = Signal()
        let handler = FunctionHandler { request in
            await goOn.wait()
            return Response(body: .bytes(try await request.body.collect()))
        }
        try await withHTTP2Client(handler) { client, _ in
            for stream in [UInt32(1), 3, 5, 7] {
                try await client.send(.headers(stream, Frame.post(), endStream: false))
                for _ in 0..<4 {
                    try await client.send(.data(stream, [UInt8](repeating: 1, count: 16_383), endStream: false))
                }
            }
            try await client.roundTrip()
            let early = await client.hasPending {
                $0.kind == .windowUpdate && $0.stream == 0 && $0.increment != 196_609
            }
            #expect(!early)
            // 262,144 minus what has been sent
            try await client.send(.headers(9, Frame.post(), endStream: false))
            try await client.send(.data(9, [UInt8](repeating: 1, count: 17), endStream: false))
            let goAway = try #require(try await client.first(.goAway))
            #expect(goAway.errorCode == ErrorCode.flowControl.rawValue)
            await client.close()
            goOn.fire()
        }
    }

    @Test(arguments: ["reset", "close", "end"])
    func `When a client goes away, its reader gets an error and its handler ends`(_ how: String) async throws {
        let error = Recorder<String>()
        let cancelled = Signal()
        let reading = Signal()
        let handler = FunctionHandler { request in
            reading.fire()
            do {
                for try await _ in request.body {}
            } catch let failure {
                error.record("\(failure)")
            }
            if Task.isCancelled { cancelled.fire() }
            return Response()
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Frame.post(), endStream: false), .data(1, [1], endStream: false))
            await reading.wait()
            switch how {
            case "reset": try await client.send(.reset(1))
            case "close": await client.close()
            default: await client.raw.shutdownSending()
            }
            try await expectEventually { !error.events.isEmpty }
            #expect(["incomplete", "CancellationError()"].contains(error.events.first))
            if how == "end" {
                // The client may still want the response.
                #expect(try await client.response().status == 200)
                _ = try await client.receiveToEnd()
            } else {
                await cancelled.wait()
            }
        }
    }
}
