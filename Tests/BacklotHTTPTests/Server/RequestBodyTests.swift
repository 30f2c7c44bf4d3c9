import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct RequestBodyTests {
    /// Bytes that differ from place to place, so that a piece in the wrong place is noticed.
    private static func makeBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) ^ ($0 >> 16)) }
    }

    private static func chunked(_ body: [UInt8], by size: Int) -> [UInt8] {
        var wire: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            let chunk = body[start..<min(start + size, body.count)]
            wire += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10]
        }
        return wire + Array("0\r\n\r\n".utf8)
    }

    private static let echo = FunctionHandler { request in
        let limited = request.body.limited(to: .max)
        if request.path == "/collect" { return Response(body: .bytes(try await limited.collect())) }
        return Response(body: .stream { writer in for try await piece in limited { try await writer.write(piece) } })
    }

    @Test(arguments: ["/collect", "/stream"], [1, 1000, 65_535, 65_536, 65_537, 3_000_000])
    func `A body of any size reads back`(_ path: String, _ count: Int) async throws {
        let body = Self.makeBytes(count)
        try await withTestClient(Self.echo) { client, _ in
            let sized = request("POST \(path)", "Content-Length: \(count)")
            let chunked = request("POST \(path)", "Transfer-Encoding: chunked")
            for wire in [Array(sized.utf8) + body, Array(chunked.utf8) + Self.chunked(body, by: max(1, count / 7))] {
                async let sending: Void = client.send(wire)
                let response = try await client.receive()
                try await sending
                #expect(response.status == 200)
                #expect(response.body == body)
                // A response that begins before the end of the body can't promise to keep the connection.
                if response["Connection"] == "close" { return }
            }
        }
    }

    @Test func `An empty body ends at once`() async throws {
        try await withTestClient(Self.echo) { client, _ in
            try await client.send(
                request("POST /collect") + request("POST /collect", "Content-Length: 0")
                    + request("POST /collect", "Transfer-Encoding: chunked", body: "0\r\n\r\n")
            )
            #expect(try await client.receive(3).map(\.body) == [[], [], []])
        }
    }

    /// Otherwise each idle connection would own the state of its last body.
    @Test(arguments: [false, true])
    func `A connection keeps nothing of a body that has arrived in pieces`(_ isChunked: Bool) async throws {
        let begun = Signal()
        let handler = FunctionHandler { request in
            begun.fire()
            return Response(body: .bytes(try await request.body.collect()))
        }
        try await withTestClient(handler) { client, server in
            let body: [UInt8] = [1, 2, 3]
            try await client.send(request("POST /", isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 3"))
            await begun.wait()
            #expect(try await client.response(to: isChunked ? Self.chunked(body, by: 2) : body).body == body)
            let owned = Recorder<Bool>()
            await server.forEachConnection { owned.record($0.activity != nil) }
            #expect(owned.events == [false])
        }
    }

    /// The length that a client declares must not be added to anything.
    @Test(arguments: [
        "Content-Length: 9223372036854775807\r\n\r\nabc", "Content-Length: 9223372036854775807\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffef\r\nabc",
        "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n7ffffffffffffffe\r\nabc",
    ])
    func `A huge declared length stops no other client`(_ rest: String) async throws {
        try await withTestClient(handler: { .text("\(try await $0.body.collect().count)") }) { client, server in
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\n" + rest)
            await client.shutdownSending()
            let response = try await client.receive()
            #expect([400, 413].contains(response.status))
            let other = try await RawClient.connect(to: server.address)
            #expect(try await other.response(to: request()).text == "0")
        }
    }

    enum Reading: CaseIterable { case inline, task, detached, child, actor }

    private actor Reader {
        func collect(_ body: RequestBody) async throws -> [UInt8] { try await body.collect() }
        func write(_ bytes: [UInt8], _ writer: BodyWriter) async throws { try await writer.write(bytes) }
    }

    @Test(arguments: Reading.allCases)
    func `A body can be read, and a response written, from any task`(_ reading: Reading) async throws {
        let begun = Signal()
        let handler = FunctionHandler { request in
            begun.fire()
            let body = request.body
            let bytes =
                switch reading {
                case .inline: try await body.collect()
                case .task: try await Task { try await body.collect() }.value
                case .detached: try await Task.detached { try await body.collect() }.value
                case .child:
                    try await withThrowingTaskGroup { group in
                        group.addTask { try await body.collect() }
                        return try await group.next() ?? []
                    }
                case .actor: try await Reader().collect(body)
                }
            return Response(
                body: .stream { writer in
                    let half = bytes.count / 2
                    for part in [Array(bytes[..<half]), Array(bytes[half...])] {
                        switch reading {
                        case .inline: try await writer.write(part)
                        case .task: try await Task { try await writer.write(part) }.value
                        case .detached: try await Task.detached { try await writer.write(part) }.value
                        case .child:
                            try await withThrowingTaskGroup { group in
                                group.addTask { try await writer.write(part) }
                                try await group.waitForAll()
                            }
                        case .actor: try await Reader().write(part, writer)
                        }
                    }
                }
            )
        }
        try await withTestServer(handler) { server in
            let body = Self.makeBytes(200_000)
            let client = try await RawClient.connect(to: server.address)
            for _ in 0..<3 {
                try await client.send(request("POST /", "Content-Length: \(body.count)"))
                await begun.wait()
                async let sending: Void = client.send(body)
                #expect(try await client.receive().body == body)
                try await sending
            }
            await client.close()
        }
    }

    @Test func `A client that sends faster than the handler reads has to wait`() async throws {
        let goOn = Signal()
        let handler = FunctionHandler { request in
            var iterator = request.body.limited(to: .max).makeAsyncIterator()
            _ = try await iterator.next()
            await goOn.wait()
            return Response()
        }
        try await withTestServer(handler) { server in
            let count = 48 << 20
            let client = try await RawClient.connect(to: server.address, timeout: .milliseconds(300))
            try await client.send(request("POST /", "Content-Length: \(count)"))
            await #expect(throws: RawClientError.self) { try await client.send([UInt8](repeating: 0, count: count)) }
            let held = Recorder<Int>()
            await server.forEachConnection { held.record($0.partial?.bytes.count ?? 0) }
            #expect(held.events == [0])
            goOn.fire()
            await client.close()
        }
    }

    @Test func `A handler can raise and lower the limit of a body`() async throws {
        let handler = FunctionHandler { request in
            switch request.path {
            case "/more": return .text("\(try await request.body.limited(to: 20).collect().count)")
            case "/less": return .text("\(try await request.body.collect(upTo: 5).count)")
            default: return .text("\(try await request.body.collect().count)")
            }
        }
        try await withTestServer(configure: { $0.limits.body = 10 }, handler) { server in
            for (path, count, status) in [
                ("/", 10, 200), ("/", 11, 413), ("/more", 20, 200), ("/more", 21, 413), ("/less", 5, 200),
                ("/less", 6, 413),
            ] {
                let body = String(repeating: "b", count: count)
                let sized = request("POST \(path)", "Content-Length: \(count)", body: body)
                let chunks = body.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
                for wire in [sized, request("POST \(path)", "Transfer-Encoding: chunked", body: chunks)] {
                    let client = try await RawClient.connect(to: server.address)
                    let response = try await client.response(to: wire + request("GET /smuggled"))
                    #expect(response.status == status)
                    if status == 413 {
                        #expect(response["Connection"] == "close")
                        #expect(try await client.receiveToEnd() == ([], .closed))
                    } else {
                        #expect(response.text == "\(count)")
                    }
                    await client.close()
                }
            }
        }
    }

    @Test func `A body that is cut short is an error`() async throws {
        let errors = Recorder<RequestError>()
        let handler = FunctionHandler { request in
            do { return Response(body: .bytes(try await request.body.collect())) } catch let error as RequestError {
                errors.record(error)
                throw error
            }
        }
        try await withTestServer(handler) { server in
            for wire in [
                request("POST /", "Content-Length: 10", body: "abc"), request("POST /", "Content-Length: 10"),
                request("POST /", "Transfer-Encoding: chunked", body: "5\r\nabc"),
                request("POST /", "Transfer-Encoding: chunked", body: "3\r\nabc\r\n0\r\n"),
            ] {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(wire)
                await client.shutdownSending()
                #expect(try await client.receive().status == 400)
                #expect(try await client.receiveToEnd() == ([], .closed))
            }
            #expect(errors.events == [.incomplete, .incomplete, .incomplete, .incomplete])
        }
    }

    @Test(arguments: [false, true])
    func `A malformed chunk is refused, with the head or later`(_ comesLater: Bool) async throws {
        let begun = Signal()
        let paths = Recorder<String>()
        let handler = FunctionHandler { request in
            paths.record(request.path)
            begun.fire()
            return Response(body: .bytes(try await request.body.collect()))
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(
                request("POST /a", "Transfer-Encoding: chunked", body: comesLater ? "1\r\na\r\n" : "")
            )
            if comesLater { await begun.wait() }
            #expect(try await client.response(to: "0x\r\n0\r\n\r\n" + request("GET /smuggled")).status == 400)
            #expect(try await client.receiveToEnd() == ([], .closed))
            #expect(!paths.events.contains("/smuggled"))
        }
    }

    /// A task that stops reading must not wait for bytes that never come.
    @Test func `A task that reads can be cancelled`() async throws {
        let reader = Recorder<String>()
        let handler = FunctionHandler { request in
            let body = request.body
            // Cancelled before it begins to read.
            let early = Task.detached {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await body.collect()
            }
            if case .failure(let error) = await early.result { reader.record("\(error)") }
            // Cancelled while it reads.
            let late = Task.detached { try await body.collect() }
            try await Task.sleep(for: .milliseconds(5))
            late.cancel()
            if case .failure(let error) = await late.result { reader.record("\(error)") }
            return .text(String(decoding: try await body.collect(), as: UTF8.self))
        }
        try await withTestClient(configure: { $0.timeouts.body = .seconds(60) }, handler) { client, _ in
            try await client.send(request("POST /", "Content-Length: 3"))
            try await expectEventually(within: .seconds(30)) { reader.events.count == 2 }
            #expect(reader.events == ["CancellationError()", "CancellationError()"])
            #expect(try await client.response(to: "abc").text == "abc")
        }
    }

    /// After the response, the rest of the body can't be read any more.
    @Test func `Reading after the response is an error`() async throws {
        let results = Recorder<Bool>()
        let done = Signal()
        let responded = Signal()
        let handler = FunctionHandler { request in
            let body = request.body
            Task.detached {
                await responded.wait()
                do {
                    _ = try await body.collect()
                    results.record(true)
                } catch { results.record(false) }
                done.fire()
            }
            return Response()
        }
        try await withTestClient(handler) { client, _ async throws in
            #expect(try await client.response(to: request("POST /", "Content-Length: 5", body: "ab")).status == 200)
            responded.fire()
            await done.wait()
            #expect(results.events == [false])
        }
    }

    @Test func `A body in process has its bytes and its limits`() async throws {
        let body = RequestBody(Array("hello".utf8))
        #expect(body.declaredLength == 5)
        #expect(try await body.collect() == Array("hello".utf8))
        await #expect(throws: RequestError.bodyTooLarge(limit: 4)) { try await body.collect(upTo: 4) }
        await #expect(throws: RequestError.bodyTooLarge(limit: 3)) { try await body.limited(to: 3).collect() }
        await #expect(throws: RequestError.bodyTooLarge(limit: 3)) { for try await _ in body.limited(to: 3) {} }
        var pieces: [[UInt8]] = []
        for try await piece in body { pieces.append(piece) }
        for try await piece in RequestBody() { pieces.append(piece) }
        #expect(pieces == [Array("hello".utf8)])
    }
}
