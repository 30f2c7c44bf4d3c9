import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct OverloadTests {
    @Test func aboveTheLimitRequestsAreRefusedUntilOneHasEnded() async throws {
        let (begun, goOn) = (Signal(), Signal())
        let handler = FunctionHandler { request in
            guard request.path == "/slow" else { return .text("quick") }
            begun.fire()
            await goOn.wait()
            return .text("slow")
        }
        try await withTestServer(configure: { $0.limits.requestsInFlight = 1 }, handler) { server in
            let slow = try await RawClient.connect(to: server.address)
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
            try await other.send(request("GET /quick"))
            #expect(try await other.receive().text == "quick")
            await other.close()
            await slow.close()
        }
    }

    @Test func whateverEndsARequestMakesRoom() async throws {
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
}
