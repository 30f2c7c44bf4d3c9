import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Responses that are written piece by piece, and windows that delay them.
@Suite(.timeLimit(.minutes(5))) struct HTTP2StreamedResponseTests {
    private static let windowSetting: UInt16 = 4

    @Test func `Pieces are sent as they are written`() async throws {
        let goOn = Signal()
        let handler = streaming { writer in
            try await writer.write("a")
            await goOn.wait()
            try await writer.write("")
            try await writer.write("b")
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1))
            #expect(try await client.first(.data) == .data(1, Array("a".utf8), endStream: false))
            goOn.fire()
            let response = try await client.response()
            #expect(response.text == "b")
            #expect(response.fields["content-length"] == nil)
        }
    }

    /// Pieces written without a pause are sent in one frame, which also ends the stream.
    @Test func `Pieces written without a pause are one frame`() async throws {
        let handler = FunctionHandler { _ in
            Response(body: .stream { writer in for piece in ["a", "b", "c"] { try await writer.write(piece) } })
        }
        try await withHTTP2Client(handler) { client, _ in
            var frames: [Frame] = []
            // A turn may end between two writes, and the frame with it. One of many responses must be a single frame.
            for stream in stride(from: UInt32(1), to: 200, by: 2) where frames.count != 1 {
                frames = []
                try await client.send(.headers(stream))
                while frames.last?.endsStream != true {
                    let frame = try #require(try await client.first(.data))
                    frames.append(frame)
                }
                #expect(frames.allSatisfy { $0.stream == stream } && frames.flatMap(\.payload) == Array("abc".utf8))
            }
            #expect(frames.count == 1)
        }
    }

    /// The end of the stream travels with the last promised byte: it needs no further window, and doesn't wait for the function that
    /// wrote the bytes.
    @Test func `A stream of exactly the window ends without the writing function`() async throws {
        let goOn = Signal()
        let length = 65_535
        let handler = streaming(length: length) { writer in
            try await writer.write([UInt8](repeating: 1, count: length - 1))
            await Task.yield()
            try await writer.write([2])
            await goOn.wait()
        }
        try await withHTTP2Client(handler) { client, _ async throws in
            #expect(try await client.exchange().body == [UInt8](repeating: 1, count: length - 1) + [2])
            goOn.fire()
        }
    }

    /// The end would end the request too, which the function still reads.
    @Test func `A whole response doesn't end the request that its function reads`() async throws {
        let body = Recorder<[UInt8]>()
        let handler = FunctionHandler { request in
            let incoming = request.body
            return Response(
                body: .stream(length: 2) { writer in
                    try await writer.write("ab")
                    body.record(try await incoming.collect())
                }
            )
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Frame.post(), endStream: false))
            let first = try await client.first(.data)
            #expect(first == .data(1, Array("ab".utf8), endStream: false))
            try await client.send(.data(1, [7]))
            #expect(try await client.first(.data) == .data(1))
            #expect(body.events == [[7]])
        }
    }

    @Test func `A stream can be written from any task`() async throws {
        let handler = streaming(length: 2000) { writer in
            try await Task.detached { try await writer.write([UInt8](repeating: 1, count: 1000)) }.value
            try await Task { try await writer.write([UInt8](repeating: 2, count: 1000)) }.value
        }
        try await withHTTP2Client(handler) { client, _ in
            let response = try await client.exchange()
            #expect(response.body == [UInt8](repeating: 1, count: 1000) + [UInt8](repeating: 2, count: 1000))
            #expect(response.fields["content-length"] == "2000")
        }
    }

    @Test(arguments: [1, 3])
    func `A stream with another length than promised is an error`(_ length: Int) async throws {
        let failure = Recorder<StreamError>()
        let handler = FunctionHandler { request in
            guard request.path == "/" else { return Response() }
            return Response(
                body: .stream(length: length) { writer in
                    do { try await writer.write("ab") } catch let error as StreamError { failure.record(error) }
                }
            )
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1))
            let reset = try await client.first(.reset)
            #expect(reset == .reset(1, ErrorCode.internalError.rawValue))
            #expect(failure.events == (length == 1 ? [.lengthMismatch(promised: 1)] : []))
            #expect(try await client.exchange(3, Frame.get("/other")).status == 200)
        }
    }

    /// Only a reset tells the client that the body is not whole; other streams continue.
    @Test func `A response that fails midway resets only its stream`() async throws {
        struct Failure: Error {}
        let handler = FunctionHandler { request in
            guard request.path == "/" else { return Response() }
            return Response(
                body: .stream { writer in
                    try await writer.write("a")
                    throw Failure()
                }
            )
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1))
            let reset = try await client.first(.reset)
            #expect(reset == .reset(1, ErrorCode.internalError.rawValue))
            #expect(try await client.exchange(3, Frame.get("/other")).status == 200)
        }
    }

    @Test func `The function isn't called for HEAD`() async throws {
        let called = Recorder<Bool>()
        let handler = FunctionHandler { _ in Response(body: .stream(length: 3) { _ in called.record(true) }) }
        try await withHTTP2Client(handler) { client, _ in
            let response = try await client.exchange(1, Frame.get("/", method: "HEAD"))
            #expect(response.status == 200 && response.fields["content-length"] == "3" && response.body == [])
            #expect(called.events == [])
        }
    }

    // MARK: Windows

    /// RFC 9113, section 6.9.2: the client's setting bounds the first DATA frame, and may go up and down later.
    @Test func `A stream follows the window that the client sets`() async throws {
        let handler = FunctionHandler { _ in Response(body: .bytes(Array("abcdefgh".utf8))) }
        try await withHTTP2Client(settings: [(Self.windowSetting, 3)], handler) { client, _ in
            try await client.send(.headers(1))
            let first = try await client.first(.data)
            #expect(first == .data(1, Array("abc".utf8), endStream: false))
            try await client.send(.settings([(Self.windowSetting, UInt32(2))]), .windowUpdate(1, 1))
            try await client.roundTrip()
            #expect(await !client.hasPending(.data), "the window is at 0")
            try await client.send(.settings([(Self.windowSetting, UInt32(4))]))
            #expect(try await client.first(.data) == .data(1, Array("de".utf8), endStream: false))
            try await client.send(.windowUpdate(1, 100))
            #expect(try await client.first(.data) == .data(1, Array("fgh".utf8)))
        }
    }

    @Test func `The connection's window holds up all streams`() async throws {
        let handler = FunctionHandler { _ in Response(body: .bytes([UInt8](repeating: 1, count: 50_000))) }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1), .headers(3))
            var received = 0
            while received < 65_535 { received += try await client.first(.data)?.payload.count ?? .max / 2 }
            #expect(received == 65_535)
            try await client.roundTrip()
            #expect(await !client.hasPending(.data))
            try await client.send(.windowUpdate(0, 34_465))
            while received < 100_000 { received += try await client.first(.data)?.payload.count ?? .max / 2 }
            #expect(received == 100_000)
        }
    }

    /// A writer waits once so much is waiting for the window, and continues when it opens.
    @Test func `A writer waits for the window`() async throws {
        let written = Recorder<Int>()
        let handler = streaming { writer in
            for index in 0..<100 {
                try await writer.write([UInt8](repeating: UInt8(index), count: 10_000))
                written.record(index)
            }
        }
        try await withHTTP2Client(settings: [(Self.windowSetting, 0)], handler) { client, _ in
            try await client.send(.headers(1))
            try await expectEventually("64 KB wait: 7 pieces") { written.events.count == 7 }
            try await client.roundTrip()
            #expect(written.events.count == 7)
            // A window that is full when the last piece is sent would hold up the end, where that isn't written at once.
            try await client.send(.windowUpdate(0, 1_000_000), .windowUpdate(1, 1_000_001))
            let response = try await client.response()
            #expect(response.body == (0..<100).flatMap { [UInt8](repeating: UInt8($0), count: 10_000) })
        }
    }

    @Test(arguments: [true, false])
    func `When a client resets, its writer gets an error and its task ends`(_ waitsForWindow: Bool) async throws {
        let failure = Recorder<StreamError>()
        let begun = Signal()
        let handler = streaming { writer in
            begun.fire()
            do {
                while true {
                    try await writer.write([UInt8](repeating: 0, count: waitsForWindow ? 100_000 : 1))
                    if !waitsForWindow { try await Task.sleep(for: .milliseconds(1)) }
                }
            } catch is CancellationError {
                try await writer.write([1])
            } catch let error as StreamError {
                failure.record(error)
                throw error
            }
        }
        try await withHTTP2Client(handler) { client, server in
            try await client.send(.headers(1))
            await begun.wait()
            try await client.send(.reset(1))
            try await expectEventually { server.context.requestsInFlight.load(ordering: .relaxed) == 0 }
            if waitsForWindow {
                try await expectEventually { failure.events == [.connectionClosed] }
            }
        }
    }

    /// A proxy's clients share a connection: a large response must not delay a small one.
    @Test func `A large response doesn't keep a small one waiting`() async throws {
        let handler = FunctionHandler { request in
            Response(body: .bytes([UInt8](repeating: 1, count: request.path == "/large" ? 5_000_000 : 100)))
        }
        try await withTestServer(handler) { server in
            let settings = [(Self.windowSetting, UInt32(10_000_000))]
            let client = try await HTTP2Client.connect(to: server.address, receiveBuffer: 4096, settings: settings)
            try await client.send(.windowUpdate(0, 20_000_000), .headers(1, Frame.get("/large")), .headers(3))
            #expect(try await client.response(on: 3).body.count == 100)
            #expect(try await client.response(on: 1).body.count == 5_000_000)
        }
    }
}
