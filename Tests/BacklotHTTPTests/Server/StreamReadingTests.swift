import TestSupport
import Testing

@testable import BacklotHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(5))) struct StreamReadingTests {
    private struct Failure: Error {}

    @Test func `A stream without a length is sent in chunks`() async throws {
        let handler = streaming { writer in
            try await writer.write("hel")
            try await writer.write("")
            try await writer.write([])
            try await writer.write(Array("lo".utf8))
        }
        // Pieces written without a pause are sent in one chunk.
        let whole = "\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        let cut = "\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"
        try await withTestServer(handler) { server in
            var text = ""
            // A turn may end between two writes, and the chunk with it. One of many responses must be a single chunk.
            for _ in 0..<100 where !text.hasSuffix(whole) {
                let client = try await RawClient.connect(to: server.address)
                let first = try await client.response(to: request() + request("GET /", "Connection: close"))
                #expect(first["Transfer-Encoding"] == "chunked")
                #expect(first["Content-Length"] == nil)
                #expect(first.text == "hello")
                let (rest, end) = try await client.receiveToEnd()
                text = spelled(rest)
                #expect(text.hasSuffix(whole) || text.hasSuffix(cut), "\(text)")
                #expect(end == .closed)
            }
            #expect(text.hasSuffix(whole))
        }
    }

    @Test func `A stream with a length isn't chunked`() async throws {
        try await withTestClient(streaming(length: 5) { try await $0.write("hello") }) { client, _ in
            try await client.send(request() + request())
            for response in try await client.receive(2) {
                #expect(response["Content-Length"] == "5")
                #expect(response["Transfer-Encoding"] == nil)
                #expect(response.text == "hello")
            }
        }
    }

    @Test func `A stream may be empty`() async throws {
        for length in [0, nil] {
            try await withTestClient(streaming(length: length) { _ in }) { client, _ in
                try await client.send(request() + request())
                #expect(try await client.receive(2).map(\.body) == [[], []])
            }
        }
    }

    /// A written piece arrives before the next one is written, as a stream of events needs it.
    @Test func `Each piece is sent at once`() async throws {
        let signals = [Signal(), Signal()]
        let handler = streaming { writer in
            try await writer.write("a")
            await signals[0].wait()
            try await writer.write("b")
            await signals[1].wait()
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request())
            var received = ""
            while !received.hasSuffix("1\r\na\r\n") { received += spelled(try await client.receivePiece()) }
            signals[0].fire()
            #expect(spelled(try await client.receivePiece()) == "1\r\nb\r\n")
            signals[1].fire()
            #expect(spelled(try await client.receivePiece()) == "0\r\n\r\n")
        }
    }

    /// A handler that has suspended sends the head before it has anything to write.
    @Test func `The head is sent at once`() async throws {
        let goOn = Signal()
        let handler = FunctionHandler { _ in
            await Task.yield()
            return Response(body: .stream { _ in await goOn.wait() })
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request())
            #expect(spelled(try await client.receivePiece()).hasSuffix("\r\n\r\n"))
            goOn.fire()
            #expect(spelled(try await client.receivePiece()) == "0\r\n\r\n")
        }
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"])
    func `More bytes than promised are an error`(_ version: String) async throws {
        let errors = Recorder<StreamError?>()
        let handler = streaming(length: 5) { writer in
            try await writer.write("hel")
            do { try await writer.write("lo!") } catch {
                errors.record(error as? StreamError)
                throw error
            }
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request(version: version) + request(version: version))
            let (bytes, _) = try await client.receiveToEnd()
            #expect(spelled(bytes).hasSuffix("\r\n\r\nhel"))
            #expect(errors.events == [.lengthMismatch(promised: 5)])
        }
    }

    @Test func `Fewer bytes than promised end the connection`() async throws {
        try await withTestClient(streaming(length: 5) { try await $0.write("hell") }) { client, _ in
            try await client.send(request() + request())
            let (bytes, _) = try await client.receiveToEnd()
            #expect(spelled(bytes).hasSuffix("\r\n\r\nhell"))
        }
    }

    /// The client can tell that the body is not whole: no last chunk, too few bytes, or a reset where only the end
    /// of the connection would say that it is.
    @Test(arguments: [false, true])
    func `A stream that fails leaves its body visibly incomplete`(_ suspends: Bool) async throws {
        let handler = FunctionHandler { request in
            Response(
                body: .stream(length: request.path == "/sized" ? 10 : nil) { writer in
                    try await writer.write("half")
                    if suspends { try await Task.sleep(for: .milliseconds(2)) }
                    throw Failure()
                }
            )
        }
        try await withTestServer(handler) { server in
            for wire in [request("GET /sized"), request("GET /chunks")] {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(wire + request())
                await #expect(throws: RawClientError.self) { try await client.receive() }
            }
            let client = try await RawClient.connect(to: server.address)
            try await client.send("GET /until-close HTTP/1.0\r\n\r\n")
            #expect(try await client.receiveToEnd().end == .reset)
        }
    }

    @Test func `Writing after the end is an error`() async throws {
        let errors = Recorder<StreamError?>()
        let done = Signal()
        let ended = Signal()
        let handler = streaming { writer in
            try await writer.write("a")
            Task.detached {
                await ended.wait()
                do { try await writer.write("b") } catch { errors.record(error as? StreamError) }
                done.fire()
            }
        }
        try await withTestClient(handler) { client, _ async throws in
            #expect(try await client.response(to: request()).text == "a")
            ended.fire()
            await done.wait()
            #expect(errors.events == [.ended])
            #expect(try await client.response(to: request()).text == "a")
        }
    }

    /// A slow reader makes the writer wait, so unread bytes don't take memory.
    @Test(arguments: [4096, 100_000])
    func `A slow reader makes the writer wait`(_ pieceSize: Int) async throws {
        let total = 16 << 20
        let written = Locked(0)
        let largest = Locked(0)
        let handler = streaming { writer in
            let piece = [UInt8](repeating: UInt8(ascii: "x"), count: pieceSize)
            for _ in 0..<(total / pieceSize) {
                try await writer.write(piece)
                written.withLock { $0 += pieceSize }
            }
        }
        try await withTestClient(receiveBuffer: 65_536, handler) { client, server in
            // A small buffer, as on a slow network: it fills faster than the client reads.
            try await expectEventually { server.connectionCount == 1 }
            await server.forEachConnection { $0.socket.set(SOL_SOCKET, SO_SNDBUF, 16_384) }
            try await client.send(request())
            var received = 0
            var last: [UInt8] = []
            while last.suffix(7) != Array("\r\n0\r\n\r\n".utf8) {
                let piece = try await client.receivePiece(upTo: 1 << 20)
                guard !piece.isEmpty else { break }
                received += piece.count
                last = Array((last + piece).suffix(7))
                await server.forEachConnection { connection in
                    largest.withLock { $0 = max($0, connection.output?.waiting ?? 0) }
                }
                let ahead = written.withLock { $0 } - received
                if ahead > 8 << 20 { Issue.record("the writer is \(ahead) bytes ahead of its reader") }
            }
            #expect(received > total / pieceSize * pieceSize)
            #expect(largest.withLock { $0 } < 1 << 20)
        }
    }

    @Test func `A large response reaches a slow reader`() async throws {
        let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }
        try await withTestClient(
            receiveBuffer: 4096,
            handler: { _ in Response(body: .bytes(body)) }
        ) { client, _ async throws in
            #expect(try await client.response(to: request()).body == body)
        }
    }
}
