import Backlot
import BacklotHTTP
import BacklotJSON
import BacklotTesting
import TestSupport
import Testing

@testable import Xpedite

/// What goes over one connection.
struct ConnectionTests {
    private enum CountKey: SessionKey {
        static let name = "count"
        typealias Value = Int
    }

    private func makeRouter() -> Router {
        let router = Router()
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { _ in page { label("Hello") } }
            app.method("count") { call in
                try call.session.update(CountKey.self) { $0 = ($0 ?? 0) + 1 }
                return page { label("counted") }
            }
            app.method("read") { call in page { label("\(call.session[CountKey.self] ?? 0)") } }
        }
        return router
    }

    private func post(_ body: String, type: String = "text/plain") -> String {
        "POST /xpedite HTTP/1.1\r\nHost: x\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func `Nothing that is sent drops the connection`() async throws {
        try await withServer(makeRouter().handler()) { address in
            let client = try await RawClient.connect(to: address)
            let bodies = [
                "{", "", "[]", "{}", #"{"method":"x"}"#, #"{"method":"count","token":"x"}"#,
                #"{"method":"setConnection"}"#,
                String(repeating: "[", count: 10_000), "\u{0}\u{1}",
            ]
            for body in bodies {
                for type in ["text/plain", "application/json", "application/x-www-form-urlencoded"] {
                    try await client.send(post(body, type: type))
                    let answer = try await client.receive(answerTo: "POST")
                    #expect(answer.status == 200)
                    let rc = try JSONValue(parsing: answer.body)["rc"]
                    #expect((rc == 0) == body.contains("setConnection"))
                }
            }
        }
    }

    @Test func `Packets of one session at the same time lose nothing`() async throws {
        let app = try TestApp(transport: InProcessTransport(makeRouter().handler()))
        let token = JSONValue.string(try await app.connect())
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { _ = try? await app.send(["method": "count", "token": token]) }
            }
        }
        #expect(try await app.send(["method": "read", "token": token]).label == "20")
    }
}
