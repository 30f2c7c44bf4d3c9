import Foundation
import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct IdempotencyTests {
    private static let key = HTTPField.Name("Idempotency-Key") ?? .from

    /// Counts what is applied.
    private struct Shop {
        let orders = Orders()
        let store = MemoryIdempotencyStore()

        var handler: any Handler {
            let router = Router()
            router.use(Idempotency(store: store, maximumBodyBytes: 1000))
            router.post("/orders") { request in
                let body = String(decoding: try await request.body.collect(), as: UTF8.self)
                return try orders.add(body)
            }
            router.get("/orders") { _ in .text("\(orders.count.withLock { $0 })") }
            return router.handler()
        }
    }

    private final class Orders: Sendable {
        let count = Locked(0)

        func add(_ body: String) throws -> Response {
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch body {
            case "refused": throw UserError("Sold out \(number).")
            case "broken": throw StatusError(.serviceUnavailable, "try again")
            case "often": throw StatusError(.tooManyRequests, "later", headers: [.retryAfter: "1"])
            case "crash": throw StreamError.ended
            case "large": return .text(String(repeating: "x", count: 1001))
            case "stream": return Response(body: .stream { try await $0.write("x") })
            default: break
            }
            var response = Response.text("order \(number)", status: .created)
            response.headers[.location] = "/orders/\(number)"
            response.headers.append(HTTPField(name: .setCookie, value: "a=\(number)"))
            response.headers.append(HTTPField(name: .setCookie, value: "b=\(number)"))
            return response
        }
    }

    /// The key, the body, the status, the text, and how many orders there are then.
    private static let rows: [(HTTPFields, String, Int, String, Int)] = [
        ([key: "\"k1\""], "a", 201, "order 1", 1),
        ([key: "\"k1\""], "a", 201, "order 1", 1),
        ([key: "k1"], "a", 201, "order 1", 1),
        (
            [key: "\"k1\""], "b", 422,
            "this Idempotency-Key was sent with another request: a new request needs a new key", 1
        ),
        (
            [key: "\"k1\"", .contentType: "text/x"], "a", 422,
            "this Idempotency-Key was sent with another request: a new request needs a new key", 1
        ),
        ([key: "\"k1\"", .authorization: "Bearer x"], "a", 201, "order 2", 2),
        ([key: "\"k1\"", .cookie: "session=s; other=1"], "a", 201, "order 3", 3),
        ([key: "\"k1\"", .cookie: "session=s; other=2"], "a", 201, "order 3", 3),
        ([key: "\"k2\""], "a", 201, "order 4", 4),
        ([:], "a", 201, "order 5", 5),
        ([:], "a", 201, "order 6", 6),
        ([key: "\"k3\""], "refused", 422, "Sold out 7.", 7),
        ([key: "\"k3\""], "refused", 422, "Sold out 7.", 7),
        ([key: "\"k4\""], "broken", 503, "try again", 8),
        ([key: "\"k4\""], "broken", 503, "try again", 9),
        ([key: "\"k5\""], "crash", 500, "", 10),
        ([key: "\"k5\""], "crash", 500, "", 11),
        ([key: "\"k6\""], "large", 200, String(repeating: "x", count: 1001), 12),
        ([key: "\"k6\""], "large", 409, "this request was carried out, and its response can't be repeated", 12),
        ([key: "\"k7\""], "stream", 200, "x", 13),
        ([key: "\"k7\""], "stream", 409, "this request was carried out, and its response can't be repeated", 13),
        ([key: "\"k8\""], "often", 429, "later", 14),
        ([key: "\"k8\""], "often", 429, "later", 15),
        ([key: "\"\""], "a", 400, "an Idempotency-Key is one text of 1 to 255 ASCII characters, such as a UUID", 15),
        ([key: ""], "a", 400, "an Idempotency-Key is one text of 1 to 255 ASCII characters, such as a UUID", 15),
        (
            [key: "\"a\", \"b\""], "a", 400,
            "an Idempotency-Key is one text of 1 to 255 ASCII characters, such as a UUID", 15
        ),
        (
            [key: String(repeating: "x", count: 256)], "a", 400,
            "an Idempotency-Key is one text of 1 to 255 ASCII characters, such as a UUID", 15
        ),
    ]

    @Test(arguments: HTTPVersions.each)
    func `A retried request is applied once`(version: HTTPVersions) async throws {
        let shop = Shop()
        try await withServer(shop.handler) { address in
            for (fields, body, status, text, count) in Self.rows {
                let response = try await address.exchange(version, .post, "/orders", fields, body: Array(body.utf8))
                #expect(response.status.code == status, "\(fields) \(body)")
                if status != 500 { #expect(response.text == text, "\(fields) \(body)") }
                #expect(shop.orders.count.withLock { $0 } == count, "\(fields) \(body)")
            }
            let again = try await address.exchange(version, .post, "/orders", [Self.key: "k1"], body: [97])
            #expect(again.headers[.location] == "/orders/1")
            #expect(again.headers[values: .setCookie] == ["a=1", "b=1"])
            #expect(try await address.exchange(version, "/orders", [Self.key: "k1"]).text == "15")
        }
    }

    @Test func `A retry behind JSONErrors gets the problem details of the first response`() async throws {
        let count = Locked(0)
        let router = Router()
        router.group("/api", JSONErrors(), Idempotency()) { api in
            api.post("/orders") { _ -> Response in
                count.withLock { $0 += 1 }
                throw ProblemDetails(.conflict, "sold out", type: "https://shop.example/sold-out", members: ["left": 0])
            }
        }
        try await withServer(router.handler()) { address in
            for _ in 0..<2 {
                let response = try await address.exchange(.http1, .post, "/api/orders", [Self.key: "k"], body: [])
                #expect(response.status == .conflict)
                #expect(response.headers[.contentType] == "application/problem+json")
                #expect(
                    response.text
                        == #"{"type":"https://shop.example/sold-out","title":"Conflict","status":409,"detail":"sold out","left":0}"#
                )
            }
            #expect(count.withLock { $0 } == 1)
        }
    }

    /// Loses what it is to keep.
    private struct FullStore: IdempotencyStore {
        func begin(_ id: String, fingerprint: String, lifetime: Duration) -> IdempotencyState { .begun }
        func finish(_ id: String, with response: KeptResponse?, lifetime: Duration) throws { throw StreamError.ended }
        func abandon(_ id: String) { Issue.record("what was applied is not forgotten") }
    }

    @Test func `A response that can't be kept reaches the client all the same`() async throws {
        let router = Router()
        router.use(Idempotency(store: FullStore()))
        router.post("/orders") { _ in .text("ordered") }
        try await withServer(router.handler()) { address in
            let response = try await address.exchange(.http1, .post, "/orders", [Self.key: "k"], body: [])
            #expect(response.status == .ok && response.text == "ordered")
        }
    }

    @Test func `Of many retries at once, one is applied and the others are 409`() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let count = Locked(0)
        let router = Router()
        router.use(Idempotency())
        router.post("/") { _ in
            count.withLock { $0 += 1 }
            for await _ in gate.stream { break }
            return .text("done")
        }
        try await withServer(router.handler()) { address in
            let statuses = Locked<[Int]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let version = HTTPVersions.each[number % 2]
                        let response = try await address.exchange(version, .post, "/", [Self.key: "k"])
                        if response.status == .conflict { #expect(response.headers[.retryAfter] == "1") }
                        let conflicts = statuses.withLock { statuses in
                            statuses.append(response.status.code)
                            return statuses.count { $0 == 409 }
                        }
                        if conflicts == 19 { gate.continuation.finish() }
                    }
                }
                try await group.waitForAll()
            }
            #expect(statuses.withLock { $0.sorted() } == [200] + [Int](repeating: 409, count: 19))
            #expect(count.withLock { $0 } == 1)
            #expect(try await address.exchange(.http1, .post, "/", [Self.key: "k"]).text == "done")
        }
    }

    @Test func `A handler goes on when its client goes, and the retry gets its response`() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let begun = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.use(Idempotency())
        router.post("/") { _ in
            begun.continuation.yield()
            for await _ in gate.stream { break }
            return .text(Task.isCancelled ? "cancelled" : "done")
        }
        try await withServer(router.handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nIdempotency-Key: \"k\"\r\nContent-Length: 0\r\n\r\n")
            var beginnings = begun.stream.makeAsyncIterator()
            await beginnings.next()
            await client.reset()
            gate.continuation.finish()
            var response = try await address.exchange(.http1, .post, "/", [Self.key: "k"])
            while response.status == .conflict {
                response = try await address.exchange(.http1, .post, "/", [Self.key: "k"])
            }
            #expect(response.text == "done")
        }
    }

    @Test func `A key can be required`() async throws {
        let router = Router()
        router.with(Idempotency(isRequired: true)).post("/") { _ in .text("done") }
        let handler = router.handler()
        let error = await #expect(throws: StatusError.self) { _ = try await handler(Request(.post, "/")) }
        #expect(error?.status == .badRequest)
    }

    @Test(arguments: [(201, 201), (1000, 500), (-1, 500)])
    func `A kept response with a status that can't be is an error`(stored: Int, status: Int) throws {
        let text = #"{"status":\#(stored),"fields":[],"body":""}"#
        let kept = try JSONDecoder().decode(KeptResponse.self, from: Data(text.utf8))
        #expect(kept.response.status.code == status)
    }

    @Test func `The store in memory is bounded, and forgets in time`() throws {
        let now = Locked(ContinuousClock.now)
        let store = MemoryIdempotencyStore(maximumCount: 100, maximumBytes: 20_000) { now.withLock { $0 } }
        let response = KeptResponse(.text(String(repeating: "x", count: 1000)), upTo: 1000)
        for number in 0..<10_000 {
            #expect(try store.begin("\(number)", fingerprint: "f", lifetime: .seconds(10)) == .begun)
            store.finish("\(number)", with: response, lifetime: .seconds(10))
        }
        #expect(store.count < 20)
        #expect(try store.begin("9999", fingerprint: "f", lifetime: .seconds(10)) == .done(fingerprint: "f", response))
        now.withLock { $0 += .seconds(10) }
        #expect(try store.begin("9999", fingerprint: "g", lifetime: .seconds(10)) == .begun)
        #expect(try store.begin("9999", fingerprint: "g", lifetime: .seconds(10)) == .underWay(fingerprint: "g"))
        store.abandon("9999")
        #expect(store.count == 0)
        for number in 0..<100 { _ = try store.begin("\(number)", fingerprint: "f", lifetime: .seconds(10)) }
        let error = #expect(throws: StatusError.self) { try store.begin("x", fingerprint: "f", lifetime: .seconds(10)) }
        #expect(error?.status == .serviceUnavailable)
    }

    @Test func `A key that comes again doesn't shorten the life of others`() throws {
        let now = Locked(ContinuousClock.now)
        let store = MemoryIdempotencyStore(maximumCount: 3, maximumBytes: 20_000) { now.withLock { $0 } }
        func begin(_ id: String) throws -> IdempotencyState {
            try store.begin(id, fingerprint: "f", lifetime: .seconds(10))
        }
        func handle(_ id: String, lifetime: Duration) throws {
            #expect(try begin(id) == .begun)
            store.finish(id, with: nil, lifetime: lifetime)
        }
        let done = IdempotencyState.done(fingerprint: "f", nil)
        try handle("x", lifetime: .seconds(24))
        try handle("y", lifetime: .seconds(1))
        now.withLock { $0 += .seconds(2) }
        try handle("y", lifetime: .seconds(1))
        try handle("z", lifetime: .seconds(24))
        now.withLock { $0 += .seconds(22) }
        // x and y have expired.
        #expect(try begin("z") == done)
        #expect(store.count == 1)
        try handle("y", lifetime: .seconds(1))
        try handle("a", lifetime: .seconds(24))
        now.withLock { $0 += .seconds(1) }
        try handle("y", lifetime: .seconds(24))
        try handle("b", lifetime: .seconds(24))
        try handle("c", lifetime: .seconds(24))
        // The store has room for 3. It has dropped z and then a, the oldest, but not y, which was finished after them.
        #expect(try begin("y") == done)
    }
}
