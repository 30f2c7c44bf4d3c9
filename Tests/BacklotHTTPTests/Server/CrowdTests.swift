import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// More connections than there is room for.
@Suite(.timeLimit(.minutes(5))) struct CrowdTests {
    private static func configure(_ configuration: inout ServerConfiguration) {
        configuration.eventLoops = 1
        configuration.limits.connections = 16
    }

    /// HTTP/1 and HTTP/2 alike: the preface makes a connection of HTTP/2.
    @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0"])
    func idleConnectionsMakeRoomForOthers(_ first: String) async throws {
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
                try await client.send(request("GET /\(number)"))
                #expect(try await client.receive().text == "/\(number)")
                await client.close()
            }
            for client in idle { await client.close() }
        }
    }

    /// A head that never ends, a body that never ends, an answer that is never taken.
    @Test(arguments: ["GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nsome"])
    func slowConnectionsMakeRoomForOthers(_ beginning: String) async throws {
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
                await client.close()
            }
            for client in slow { await client.close() }
        }
    }

    /// Who has been idle for longest goes, and nobody whose handler is at work.
    @Test func theLongestIdleGoesFirst() async throws {
        let goOn = Signal()
        let handler = FunctionHandler { request in
            if request.path == "/slow" { await goOn.wait() }
            return .text(request.path)
        }
        try await withTestServer(configure: Self.configure, handler) { server in
            let working = try await RawClient.connect(to: server.address)
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
            try await last.send(request("GET /last"))
            #expect(try await last.receive().text == "/last")
            #expect(try await idle[0].receiveToEnd().bytes.isEmpty)
            try await idle[13].send(request("GET /again"))
            #expect(try await idle[13].receive().text == "/again")
            goOn.fire()
            #expect(try await working.receive().text == "/slow")
            for client in idle + [working, last] { await client.close() }
        }
    }
}
