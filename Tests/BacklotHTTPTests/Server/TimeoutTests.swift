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

@Suite(.timeLimit(.minutes(5))) struct TimeoutTests {
    private static let echo = FunctionHandler { Response(body: .bytes(try await $0.body.collect())) }

    @Test(arguments: ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\n", "\r\n\r\nGET"])
    func `A head that doesn't end is a 408`(_ start: String) async throws {
        try await withTestServer(configure: { $0.timeouts.head = .seconds(1) }, Self.echo) { server in
            let client = try await server.client(sending: start)
            let response = try await client.receive()
            #expect(response.status == 408)
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    /// The clock runs from the first byte: bytes that drip in don't stop it.
    @Test func `A head that drips in is a 408`() async throws {
        try await withTestServer(configure: { $0.timeouts.head = .seconds(1) }, Self.echo) { server in
            let client = try await server.client(sending: "G")
            let dripping = Task {
                while !Task.isCancelled {
                    try await client.send("G")
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            #expect(try await client.receive().status == 408)
            dripping.cancel()
            #expect(try await client.receiveToEnd().bytes == [])
            _ = await dripping.result
        }
    }

    /// While a handler keeps the loop, the time of other clients stands still.
    @Test func `Time that the server loses doesn't count for its clients`() async throws {
        let handler = FunctionHandler { request in
            if request.path == "/block" { usleep(5_500_000) }
            return .text(request.path)
        }
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.head = .seconds(5)
            $0.eventLoops = 1
        }
        try await withTestClient(timeout: .seconds(30), configure: configure, handler) { client, server in
            #expect(try await client.response(to: request("GET /quick")).text == "/quick")
            let other = try await server.client(sending: "GET /other HTTP/1.1\r\n", timeout: .seconds(30))
            #expect(try await client.response(to: request("GET /quick")).text == "/quick")
            #expect(try await client.response(to: request("GET /block")).text == "/block")
            // One more round of the loop, which handles deadlines.
            #expect(try await client.response(to: request("GET /quick")).text == "/quick")
            #expect(try await other.response(to: "Host: h\r\n\r\n").text == "/other")
        }
    }

    @Test func `A second head that doesn't end is a 408`() async throws {
        try await withTestServer(configure: { $0.timeouts.head = .seconds(1) }, Self.echo) { server in
            let client = try await server.client(sending: request() + "GET /")
            #expect(try await client.receive(2).map(\.status) == [200, 408])
        }
    }

    @Test func `A connection without a request is closed in silence`() async throws {
        try await withTestClient(configure: { $0.timeouts.head = .seconds(1) }, Self.echo) { client, _ async throws in
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test(arguments: ["", "\r\n"])
    func `An idle connection is closed in silence`(_ after: String) async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.idle = .milliseconds(1500)
            $0.timeouts.head = .seconds(1)
        }
        try await withTestServer(configure: configure, Self.echo) { server in
            let client = try await server.client(sending: request() + after)
            #expect(try await client.receive().status == 200)
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test(arguments: ["Content-Length: 5", "Transfer-Encoding: chunked"])
    func `A body that doesn't end is a 408`(_ framing: String) async throws {
        try await withTestClient(configure: { $0.timeouts.body = .milliseconds(50) }, Self.echo) { client, _ in
            let response = try await client.response(to: request("POST /", framing, body: "1\r\n"))
            #expect(response.status == 408)
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    /// `HTTP1Machine` limits the total time.
    @Test func `A body that keeps coming is awaited`() async throws {
        try await withTestClient(configure: { $0.timeouts.body = .seconds(10) }, Self.echo) { client, _ in
            try await client.send(request("POST /", "Content-Length: 12"))
            for _ in 0..<12 {
                try await Task.sleep(for: .milliseconds(60))
                try await client.send("b")
            }
            #expect(try await client.receive().text == String(repeating: "b", count: 12))
        }
    }

    @Test func `A slow handler isn't a timeout`() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts = ServerConfiguration.Timeouts()
            let wait = Duration.milliseconds(300)
            ($0.timeouts.head, $0.timeouts.body, $0.timeouts.idle, $0.timeouts.write) = (wait, wait, wait, wait)
        }
        let handler = FunctionHandler { request in
            let body = try await request.body.collect()
            try await Task.sleep(for: .milliseconds(600))
            return Response(body: .bytes(body))
        }
        try await withTestServer(configure: configure, handler) { server in
            let client = try await server.client(sending: request("POST /", "Content-Length: 5", body: "hello"))
            #expect(try await client.receive().text == "hello")
        }
    }

    @Test func `A client that reads nothing is cut, and its writer gets an error`() async throws {
        let errors = Recorder<StreamError?>()
        let isCancelled = Signal()
        let handler = streaming { writer in
            do {
                while true { try await writer.write([UInt8](repeating: 0, count: 65_536)) }
            } catch { errors.record(error as? StreamError) }
            if Task.isCancelled { isCancelled.fire() }
        }
        try await withTestClient(receiveBuffer: 4096, configure: { $0.timeouts.write = .milliseconds(100) }, handler) {
            client,
            server in
            try await client.send(request())
            try await expectEventually { errors.events == [.connectionClosed] && isCancelled.hasFired }
            try await expectEventually { server.connectionCount == 0 }
        }
    }

    @Test func `A client that doesn't close its side is cut`() async throws {
        try await withTestClient(configure: { $0.timeouts.linger = .milliseconds(50) }, Self.echo) { client, server in
            #expect(try await client.response(to: request("GET /", "Connection: close")).status == 200)
            try await expectEventually { server.connectionCount == 0 }
        }
    }
}
