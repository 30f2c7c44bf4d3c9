import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct OverloadTests {
    @Test func `Above the limit, requests are refused until one has ended`() async throws {
        let (begun, goOn) = (Signal(), Signal())
        let handler = FunctionHandler { request in
            guard request.path == "/slow" else { return .text("quick") }
            begun.fire()
            await goOn.wait()
            return .text("slow")
        }
        try await withTestClient(configure: { $0.limits.requestsInFlight = 1 }, handler) { slow, server in
            try await slow.send(request("GET /slow"))
            await begun.wait()
            let other = try await RawClient.connect(to: server.address)
            for body in ["", "some body"] {
                try await other.send(request("POST /quick", "Content-Length: \(body.utf8.count)", body: body))
                let refusal = try await other.receive()
                #expect(refusal.status == 503)
                #expect(refusal.body.isEmpty)
                #expect(refusal.fields.contains { $0.name == "Retry-After" && $0.value == "1" })
            }
            goOn.fire()
            #expect(try await slow.receive().text == "slow")
            // The same connection is good again at once.
            #expect(try await other.response(to: request("GET /quick")).text == "quick")
        }
    }

    @Test func `Each kind of end makes room for a request`() async throws {
        struct Failure: Error {}
        let handler = FunctionHandler { request in
            switch request.path {
            case "/throw": throw Failure()
            case "/stream":
                return Response(body: .stream { try await $0.write("text") })
            case "/broken":
                return Response(body: .stream { _ in throw Failure() })
            default: return .text("text")
            }
        }
        try await withTestServer(configure: { $0.limits.requestsInFlight = 1 }, handler) { server in
            for path in ["/throw", "/stream", "/broken", "/plain"] {
                for _ in 0..<3 {
                    let client = try await RawClient.connect(to: server.address)
                    try await client.send(request("GET \(path)", "Connection: close"))
                    let (bytes, _) = try await client.receiveToEnd()
                    #expect(!String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 503"))
                    await client.close()
                }
            }
            // One that is cut in the middle of its body as well.
            let cut = try await RawClient.connect(to: server.address)
            try await cut.send(request("POST /plain", "Content-Length: 100", body: "only some"))
            await cut.reset()
            #expect(try await eventually { server.context.requestsInFlight.load(ordering: .relaxed) == 0 })
        }
    }

    // MARK: Crowd

    private static func configure(_ configuration: inout ServerConfiguration) {
        configuration.eventLoops = 1
        configuration.limits.connections = 16
    }

    /// HTTP/1 and HTTP/2 alike: the preface makes a connection of HTTP/2.
    @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0"])
    func `Idle connections make room for others`(_ first: String) async throws {
        try await withTestServer(configure: Self.configure, handler: { .text($0.path) }) { server in
            var idle: [RawClient] = []
            for _ in 0..<20 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(first)
                if !first.isEmpty { _ = try await client.receivePiece() }
                idle.append(client)
            }
            for number in 0..<8 {
                let client = try await RawClient.connect(to: server.address)
                #expect(try await client.response(to: request("GET /\(number)")).text == "/\(number)")
            }
            for client in idle { await client.close() }
        }
    }

    /// A head that never ends, a body that never ends, an answer that is never taken.
    @Test(arguments: ["GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nsome"])
    func `Slow connections make room for others`(_ beginning: String) async throws {
        try await withTestServer(configure: Self.configure) {
            .text(String(decoding: try await $0.body.collect(), as: UTF8.self))
        } _: { server in
            var slow: [RawClient] = []
            for _ in 0..<20 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(beginning)
                slow.append(client)
            }
            for _ in 0..<8 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("POST /", "Content-Length: 4", body: "fine"))
                #expect(try await client.receive().text == "fine")
            }
            for client in slow { await client.close() }
        }
    }

    /// Who has been idle for longest goes, and nobody whose handler is at work.
    @Test func `The longest idle connection closes first`() async throws {
        let goOn = Signal()
        let handler = FunctionHandler { request in
            if request.path == "/slow" { await goOn.wait() }
            return .text(request.path)
        }
        try await withTestClient(configure: Self.configure, handler) { working, server in
            try await working.send(request("GET /slow"))
            var idle: [RawClient] = []
            for _ in 0..<14 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("GET /idle"))
                _ = try await client.receive()
                idle.append(client)
                // A clock of milliseconds tells who came first.
                try await Task.sleep(for: .milliseconds(2))
            }
            let last = try await RawClient.connect(to: server.address)
            #expect(try await last.response(to: request("GET /last")).text == "/last")
            #expect(try await idle[0].receiveToEnd().bytes.isEmpty)
            try await idle[13].send(request("GET /again"))
            #expect(try await idle[13].receive().text == "/again")
            goOn.fire()
            #expect(try await working.receive().text == "/slow")
            for client in idle + [working, last] { await client.close() }
        }
    }
}
