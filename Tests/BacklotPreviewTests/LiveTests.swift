import Backlot
import TestSupport
import Testing

@testable import BacklotPreview

@Suite(.timeLimit(.minutes(5))) struct LiveTests {
    @Test func `Who listens is told of exchanges, bodies of other clients included`() async throws {
        let app = try PreviewedApp()
        let hub = try #require(app.preview).hub
        #expect(!hub.isWatched)
        let listener = try #require(hub.join())
        #expect(hub.isWatched)
        _ = try await app.ask(.post, "/fill", [.userAgent: "phone"], body: #"{"a":"b"}"#)
        _ = try await app.ask(.get, "/nothing")
        listener.leave()
        #expect(!hub.isWatched)
        var told: [JSONValue] = []
        for await event in listener.events {
            if case .exchange(let exchange) = event { told.append(exchange) }
        }
        #expect(told.count == 2)
        #expect(told.first?["path"] == "/fill")
        #expect(told.first?["status"] == 200)
        #expect(told.first?["agent"] == "phone")
        #expect(told.first?["body"] == #"{"a":"b"}"#)
        #expect(told.first?["setCookies"]?[0]?.string?.hasPrefix("session=") == true)
        #expect(told.last?["status"] == 404)
    }

    @Test func `A browser's own requests are told without their bodies`() async throws {
        let app = try PreviewedApp()
        let hub = try #require(app.preview).hub
        let listener = try #require(hub.join())
        var headers: HTTPFields = [:]
        headers[try #require(HTTPField.Name("Sec-Fetch-Mode"))] = "cors"
        _ = try await app.ask(.post, "/fill", headers, body: "{}")
        listener.leave()
        for await case .exchange(let exchange) in listener.events {
            #expect(exchange["browser"] == true)
            #expect(exchange["body"] == nil)
        }
    }

    @Test func `Who listens is told of networks, and how their responses ended`() async throws {
        let app = try PreviewedApp()
        let hub = try #require(app.preview).hub
        let listener = try #require(hub.join())
        let field = try #require(HTTPField.Name("Backlot-Network"))
        let lost = try await app.ask(.post, "/fill", [field: "offline"], body: "{}")
        let response = try await app.ask(.post, "/fill", [field: "latency=1"], body: "{}")
        lost.pace?.ended(isComplete: false)
        response.pace?.ended(isComplete: true)
        listener.leave()
        var told: [JSONValue] = []
        for await event in listener.events {
            switch event {
            case .exchange(let value), .transfer(let value): told.append(value)
            default: break
            }
        }
        #expect(told.count == 4)
        #expect(told[0]["network"] == "offline" && told[0]["lost"] == "request" && told[0]["path"] == "/fill")
        #expect(told[1]["network"] == "latency=1" && told[1]["lost"] == nil && told[1]["status"] == 200)
        #expect(told[2]["number"] == told[0]["number"] && told[2]["complete"] == false)
        #expect(told[3]["number"] == told[1]["number"] && told[3]["complete"] == true && told[3]["stalls"] == 0)
        #expect(try PreviewEvent.transfer(["number": 1]).event.text() == "event: transfer\ndata: {\"number\":1}\n\n")
    }

    @Test func `Events are written as a browser reads them`() throws {
        #expect(try PreviewEvent.changed.event.text() == "event: changed\ndata: {}\n\n")
        #expect(
            try PreviewEvent.broken(["a:1:2: b\n"]).event.text()
                == "event: broken\ndata: {\"problems\":[\"a:1:2: b\\n\"]}\n\n"
        )
        #expect(try PreviewEvent.hello(instance: "1").event.text() == "event: hello\ndata: {\"instance\":\"1\"}\n\n")
        #expect(
            try PreviewEvent.exchange(["path": "/a\nb"]).event.text()
                == "event: exchange\ndata: {\"path\":\"/a\\nb\"}\n\n"
        )
    }

    @Test func `One that takes nothing holds back nobody and takes no memory`() async throws {
        let hub = EventHub()
        let listener = try #require(hub.join())
        for _ in 0..<1000 { hub.send(.changed) }
        listener.leave()
        var count = 0
        for await _ in listener.events { count += 1 }
        #expect(count == 256)
    }

    @Test func `Only so many browsers may listen, and each that goes makes room`() async throws {
        let app = try PreviewedApp()
        let hub = try #require(app.preview).hub
        var responses: [Response] = []
        for _ in 0..<EventHub.mostListeners { responses.append(try await app.call("/__preview/events")) }
        #expect(responses.allSatisfy { $0.status == .ok })
        let refused = try await app.call("/__preview/events")
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.text == "64 browsers listen to preview already: close some of them")
        #expect(refused.headers[.retryAfter] == "5")
        // An answer that was never sent, such as that to HEAD.
        responses.removeLast()
        let last = try #require(hub.join())
        #expect(hub.join() == nil)
        last.leave()
        #expect(hub.join() != nil)
        responses = []
        #expect(!hub.isWatched)
    }

    @Test func `Two thousand listeners are refused over connections, and those that listen go on`() async throws {
        let app = try PreviewedApp()
        let token = try await app.token()
        try await withServer(app.handler) { address in
            func ask() async throws -> RawClient {
                let client = try await RawClient.connect(to: address)
                try await client.send(
                    "GET /__preview/events HTTP/1.1\r\nHost: localhost\r\nBacklot-Preview: \(token)\r\n\r\n"
                )
                return client
            }
            var listeners: [RawClient] = []
            for _ in 0..<EventHub.mostListeners {
                let client = try await ask()
                #expect(try await Self.text(client, upTo: "event: hello").hasPrefix("HTTP/1.1 200 OK"))
                listeners.append(client)
            }
            for _ in 0..<(2000 - EventHub.mostListeners) {
                let client = try await ask()
                #expect(try await client.receive().status == 503)
                await client.close()
            }
            app.preview?.contentChanged()
            for client in listeners {
                #expect(try await Self.text(client, upTo: "event: changed").contains("data: {}"))
                await client.close()
            }
        }
    }

    @Test func `A server that stops ends what browsers listen to, and doesn't wait for them`() async throws {
        let app = try PreviewedApp()
        let token = try await app.token()
        let running = try Server(app.handler, port: 0).start()
        let client = try await RawClient.connect(to: running.address)
        try await client.send("GET /__preview/events HTTP/1.1\r\nHost: localhost\r\nBacklot-Preview: \(token)\r\n\r\n")
        #expect(try await Self.text(client, upTo: "event: hello").hasPrefix("HTTP/1.1 200 OK"))
        let began = ContinuousClock.now
        async let stopped: Void = running.shutdown()
        // The last chunk is an empty one.
        var rest = ""
        while !rest.hasSuffix("0\r\n\r\n") {
            let piece = try await client.receivePiece()
            try #require(!piece.isEmpty)
            rest += String(decoding: piece, as: UTF8.self)
        }
        await client.close()
        await stopped
        #expect(began.duration(to: .now) < ServerConfiguration().timeouts.drainIdle)
    }

    /// What comes until some words are there, and the rest of that event.
    private static func text(_ client: RawClient, upTo words: String) async throws -> String {
        var text = ""
        while text.firstRange(of: words).map({ !text[$0.upperBound...].contains("\n\n") }) ?? true {
            let piece = try await client.receivePiece()
            try #require(!piece.isEmpty)
            text += String(decoding: piece, as: UTF8.self)
        }
        return text
    }

    @Test(arguments: [
        (["Backlot-Fault": "status=503"], 503), (["Cookie": "backlot-fault=status=418"], 418), ([:], 200),
        (["Backlot-Fault": "status=503", "X-Forwarded-For": "10.0.0.1"], 200),
    ])
    func `The phone's requests may ask for faults, and nobody else's`(
        fields: [String: String],
        status: Int
    ) async throws {
        var headers: HTTPFields = [:]
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        let app = try PreviewedApp()
        let hub = try #require(app.preview).hub
        let listener = try #require(hub.join())
        let response = try await app.ask(.get, "/", headers)
        listener.leave()
        #expect(response.status.code == status)
    }
}
