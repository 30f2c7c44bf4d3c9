import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct PipeliningTests {
    private struct Failure: Error {}

    /// Answers with what the path asks for, some at once and some after a while.
    private static let mixed = FunctionHandler { request in
        let parts = request.path.split(separator: "/").map(String.init)
        let text = "\(parts[1]) "
        switch parts[0] {
        case "now": return .text(text)
        case "yield":
            for _ in 0..<3 { await Task.yield() }
            return .text(text)
        case "sleep":
            try await Task.sleep(for: .milliseconds(1))
            return .text(text)
        case "offload": return .text(try await Blocking.run { text })
        case "body": return .text(String(decoding: try await request.body.collect(), as: UTF8.self))
        case "stream":
            return Response(
                body: .stream { writer in
                    try await writer.write(text)
                    await Task.yield()
                    try await writer.write("")
                }
            )
        case "sized": return Response(body: .stream(length: text.utf8.count) { try await $0.write(text) })
        default: throw Failure()
        }
    }

    @Test func `Fifty requests get their responses in order`() async throws {
        try await withTestClient(Self.mixed) { client, _ in
            let kinds = ["now", "sleep", "stream", "yield", "body", "offload", "now", "sized", "chunks"]
            var wire = ""
            for number in 0..<50 {
                let text = "\(number) "
                switch kinds[number % kinds.count] {
                case "body": wire += request("PUT /body/x", "Content-Length: \(text.utf8.count)", body: text)
                case "chunks":
                    let body = text.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
                    wire += request("PUT /body/x", "Transfer-Encoding: chunked", body: body)
                case let kind: wire += request("GET /\(kind)/\(number)")
                }
            }
            let expected = (0..<50).map { "\($0) " }
            try await client.send(wire)
            #expect(try await client.receive(50).map(\.text) == expected)
            // The same again, on the same connection, one byte at a time.
            async let sending: Void = client.sendByteByByte(wire)
            #expect(try await client.receive(50).map(\.text) == expected)
            try await sending
        }
    }

    #if os(Linux)
    /// What comes with one call to the system is answered with one.
    @Test func `Responses to requests that came together are sent together`() async throws {
        try await withTestClient(Self.mixed) { client, _ in
            for round in 1...3 {
                try await client.send((0..<16).map { request("GET /now/\($0)") }.joined())
                #expect(try await client.receive(16).map(\.text) == (0..<16).map { "\($0) " })
                #expect(await client.segmentsReceived == round)
            }
        }
    }
    #endif

    /// More answers than may wait to be sent: those that had to wait for room must be made when there is some.
    @Test(arguments: [false, true])
    func `Many large responses all arrive`(_ suspends: Bool) async throws {
        let size = 50_000
        let handler = FunctionHandler { request in
            if suspends { await Task.yield() }
            return Response(body: .bytes([UInt8](repeating: UInt8(ascii: "x"), count: size)))
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(String(repeating: request(), count: 100))
            #expect(try await client.receive(100).map(\.body.count) == [Int](repeating: size, count: 100))
        }
    }

    @Test func `Many large responses reach a client that has closed its side`() async throws {
        let handler = FunctionHandler { _ in Response(body: .bytes([UInt8](repeating: 1, count: 100_000))) }
        try await withTestClient(receiveBuffer: 8192, handler) { client, _ in
            try await client.send(String(repeating: request(), count: 50))
            await client.shutdownSending()
            #expect(try await client.receive(50).count == 50)
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `Requests that arrive while a handler is suspended wait for it`() async throws {
        let begun = Signal()
        let goOn = Signal()
        let paths = Recorder<String>()
        let handler = FunctionHandler { request in
            paths.record(request.path)
            if request.path == "/first" {
                begun.fire()
                await goOn.wait()
            }
            return .text(request.path)
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request("GET /first") + "GET /sec")
            await begun.wait()
            try await client.sendByteByByte("ond HTTP/1.1\r\nHost: h\r\n\r\n" + request("GET /third"))
            #expect(paths.events == ["/first"])
            goOn.fire()
            #expect(try await client.receive(3).map(\.text) == ["/first", "/second", "/third"])
        }
    }

    @Test func `Responses before one that breaks are sent`() async throws {
        let handler = FunctionHandler { request in
            guard request.path == "/broken" else { return .text(request.path) }
            return Response(
                body: .stream { writer in
                    try await writer.write("half")
                    throw Failure()
                }
            )
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request("GET /a") + request("GET /b") + request("GET /broken") + request("GET /c"))
            #expect(try await client.receive(2).map(\.text) == ["/a", "/b"])
            let (rest, _) = try await client.receiveToEnd()
            #expect(!spelled(rest).contains("0\r\n\r\n"))
            #expect(!spelled(rest).contains("/c"))
        }
    }

    @Test func `Responses before a refusal are sent`() async throws {
        try await withTestClient(Self.mixed) { client, _ in
            try await client.send(request("GET /now/1") + request("GET /sleep/2") + "bad\r\n" + request("GET /now/3"))
            #expect(try await client.receive(3).map(\.status) == [200, 200, 400])
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }
}
