import BacklotRedis
import TestSupport
import Testing

@testable import Backlot

@Suite(.needsRedis, .timeLimit(.minutes(5))) struct RedisIdempotencyTests {
    @Test func `Replicas apply a request once`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let count = Locked(0)
        let handlers = [0, 1].map { _ in
            let router = Router()
            router.use(Idempotency(store: RedisIdempotencyStore(address, timeout: .seconds(10), logger: .silent)))
            router.post("/") { request in
                let body = String(decoding: try await request.body.collect(), as: UTF8.self)
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if body == "broken" { throw StatusError(.serviceUnavailable, "\(number)") }
                return .text("\(number)", status: .created)
            }
            return router.handler()
        }
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        func ask(_ replica: Int, _ key: String, _ body: String) async throws -> (status: Int, text: String) {
            let request = try Request(.post, "/", headers: [name: key], body: Array(body.utf8))
            do {
                let response = try await handlers[replica](request)
                guard case .bytes(let bytes) = response.body else { return (response.status.code, "") }
                return (response.status.code, String(decoding: bytes, as: UTF8.self))
            } catch let error as StatusError {
                return (error.status.code, String(error.reason.prefix(20)))
            }
        }
        #expect(try await ask(0, "a", "x") == (201, "1"))
        #expect(try await ask(1, "a", "x") == (201, "1"))
        #expect(try await ask(1, "a", "y") == (422, "this Idempotency-Key"))
        #expect(try await ask(0, "b", "broken") == (503, "2"))
        #expect(try await ask(1, "b", "broken") == (503, "3"))
        #expect(try await ask(1, "c", "x") == (201, "4"))
    }

    @Test func `A request whose replica crashed may begin again after its lease`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let make = { (lease: Duration) in
            RedisIdempotencyStore(address, lease: lease, timeout: .seconds(10), logger: .silent)
        }
        let long = make(.seconds(300))
        #expect(try await long.begin("a", fingerprint: "f", lifetime: .seconds(3600)) == .begun)
        #expect(
            try await make(.seconds(300)).begin("a", fingerprint: "g", lifetime: .seconds(3600))
                == .underWay(fingerprint: "f")
        )
        let short = make(.milliseconds(1))
        #expect(try await short.begin("b", fingerprint: "f", lifetime: .seconds(3600)) == .begun)
        while try await short.begin("b", fingerprint: "f", lifetime: .seconds(3600)) != .begun {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func `A response is kept once the server is back`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let store = RedisIdempotencyStore(address, timeout: .milliseconds(500), logger: .silent)
        // An attempt that failed may have begun its request nevertheless, so each one has a separate key.
        var attempts = 0
        let first = try await firstSuccess {
            attempts += 1
            return try await store.begin("\(attempts)", fingerprint: "f", lifetime: .seconds(3600))
        }
        #expect(first == .begun)
        server.stop()
        let response = try #require(KeptResponse(.text("done"), upTo: 1000))
        try await store.finish("\(attempts)", with: response, lifetime: .seconds(3600))
        try server.start()
        // To ask begins the request, for a millisecond.
        let other = RedisIdempotencyStore(address, timeout: .seconds(10), logger: .silent)
        var state = IdempotencyState.begun
        while state == .begun || state == .underWay(fingerprint: "f") {
            state = try await other.begin("\(attempts)", fingerprint: "f", lifetime: .milliseconds(1))
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(state == .done(fingerprint: "f", response))
    }
}
