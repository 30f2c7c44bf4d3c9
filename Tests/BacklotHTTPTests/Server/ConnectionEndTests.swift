import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clients that close, half-close or vanish, at every moment.
@Suite(.timeLimit(.minutes(5))) struct ConnectionEndTests {
    @Test(arguments: [false, true], TestTransport.allCases)
    func `A client that has closed its side gets its responses`(
        _ suspends: Bool,
        _ transport: TestTransport
    ) async throws {
        let handler = FunctionHandler { request in
            if suspends { try await Task.sleep(for: .milliseconds(20)) }
            return .text(request.path)
        }
        try await withTestClient(over: transport, handler) { client, _ in
            try await client.send(request("GET /a") + request("GET /b"))
            await client.shutdownSending()
            #expect(try await client.receive(2).map(\.text) == ["/a", "/b"])
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `A client that has closed its side gets a stream`(_ transport: TestTransport) async throws {
        let handler = streaming { writer in
            for _ in 0..<40 { try await writer.write([UInt8](repeating: 1, count: 50_000)) }
        }
        try await withTestServer(over: transport, handler) { server in
            let client = try await RawClient.connect(
                to: server.address,
                receiveBuffer: 8192,
                tls: transport.http1
            )
            try await client.send(request())
            await client.shutdownSending()
            #expect(try await client.receive().body.count == 2_000_000)
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test(arguments: ["", "G", "GET / HTTP/1.1\r\nHost: h\r\n", "\r\n"])
    func `A client that closes before its head is whole reaches no handler`(_ start: String) async throws {
        let paths = Recorder<String>()
        let handler = FunctionHandler { request in
            paths.record(request.path)
            return Response()
        }
        try await withTestServer(handler) { server in
            for isHalf in [false, true] {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(start)
                if isHalf {
                    await client.shutdownSending()
                    #expect(try await client.receiveToEnd() == ([], .closed))
                } else {
                    await client.reset()
                }
            }
            #expect(paths.events == [])
        }
    }

    @Test func `A handler is cancelled when its client is gone`() async throws {
        let begun = Signal()
        let cancelled = Signal()
        let handler = FunctionHandler { _ in
            begun.fire()
            do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.fire() }
            return Response()
        }
        try await withTestClient(handler) { client, server in
            try await client.send(request())
            await begun.wait()
            await client.reset()
            await cancelled.wait()
            try await expectEventually { server.connectionCount == 0 }
        }
    }

    @Test(arguments: ["Content-Length: 10", "Transfer-Encoding: chunked"])
    func `A reader gets an error when its client is gone`(_ framing: String) async throws {
        for isReset in [false, true] {
            let begun = Signal()
            let errors = Recorder<RequestError?>()
            let done = Signal()
            let handler = FunctionHandler { request in
                begun.fire()
                do { _ = try await request.body.collect() } catch { errors.record(error as? RequestError) }
                done.fire()
                return Response()
            }
            try await withTestClient(handler) { client, _ in
                try await client.send(request("POST /", framing, body: "1\r\na\r\n"))
                await begun.wait()
                if isReset { await client.reset() } else { await client.close() }
                await done.wait()
                #expect(errors.events == [.incomplete])
            }
        }
    }

    @Test(arguments: [false, true])
    func `A writer gets an error when its client is gone`(_ isReset: Bool) async throws {
        let begun = Signal()
        let errors = Recorder<StreamError?>()
        let done = Signal()
        let handler = streaming { writer in
            do {
                while true {
                    try await writer.write("more")
                    begun.fire()
                    await Task.yield()
                }
            } catch { errors.record(error as? StreamError) }
            // And again: it stays so.
            do { try await writer.write("more") } catch { errors.record(error as? StreamError) }
            done.fire()
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request())
            await begun.wait()
            if isReset { await client.reset() } else { await client.close() }
            await done.wait()
            #expect(errors.events == [.connectionClosed, .connectionClosed])
        }
    }

    /// An answer to a client that has gone is dropped, and does not go to the next client of the same descriptor.
    @Test func `A response to a client that is gone never reaches the next one`() async throws {
        let begun = Signal()
        let goOn = Signal()
        let responded = Signal()
        let handler = FunctionHandler { request in
            guard request.path == "/slow" else { return .text(request.path) }
            begun.fire()
            await goOn.wait()
            defer { responded.fire() }
            return .text("for somebody else")
        }
        try await withTestClient(handler) { client, server in
            try await client.send(request("GET /slow"))
            await begun.wait()
            await client.reset()
            try await expectEventually { server.connectionCount == 0 }
            var others: [RawClient] = []
            for _ in 0..<8 { others.append(try await RawClient.connect(to: server.address)) }
            goOn.fire()
            await responded.wait()
            for other in others {
                #expect(try await other.response(to: request("GET /own")).text == "/own")
                await other.close()
            }
        }
    }

    @Test func `Clients that vanish at any moment leave nothing behind`() async throws {
        let handler = FunctionHandler { request in
            let body = request.body
            switch request.path {
            case "/collect": return .text("\(try await body.collect().count)")
            case "/echo":
                return Response(
                    body: .stream { writer in for try await piece in body { try await writer.write(piece) } }
                )
            case "/sleep": try await Task.sleep(for: .milliseconds(1))
            case "/large": return Response(body: .bytes([UInt8](repeating: 1, count: 600_000)))
            default: break
            }
            return .text(request.path)
        }
        try await withTestServer(handler) { server in
            let wire =
                request("GET /")
                + request("POST /collect", "Content-Length: 40", body: String(repeating: "b", count: 40))
                + request("GET /sleep") + request("POST /unread", "Content-Length: 5", body: "12345")
                + request("GET /large")
                + request("POST /echo", "Transfer-Encoding: chunked", body: "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            let bytes = Array(wire.utf8)
            await withTaskGroup { group in
                for worker in 0..<4 {
                    group.addTask {
                        for cut in stride(from: worker, to: bytes.count, by: 8) {
                            guard let client = try? await RawClient.connect(to: server.address) else { continue }
                            try? await client.send(Array(bytes[..<cut]))
                            if cut % 3 == 0 { await client.shutdownSending() }
                            if cut % 3 == 1 { await client.reset() } else { await client.close() }
                        }
                    }
                }
            }
            let client = try await RawClient.connect(to: server.address)
            #expect(try await client.response(to: request("GET /after")).text == "/after")
        }
    }
}
