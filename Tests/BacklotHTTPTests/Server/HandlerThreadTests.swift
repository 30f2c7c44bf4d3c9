import TestSupport
import Testing

@testable import BacklotHTTP

/// On which threads a handler runs.
@Suite(.timeLimit(.minutes(5))) struct HandlerThreadTests {
    /// Finds the loop on which it is called; the loops are known once the server runs.
    private final class Loops: Sendable {
        private let loops = Locked<[EventLoop]>([])

        func set(_ loops: [EventLoop]) { self.loops.withLock { $0 = loops } }

        var current: ObjectIdentifier? {
            loops.withLock { $0.first { $0.isCurrent } }.map { ObjectIdentifier($0) }
        }
    }

    private actor Elsewhere {
        func visit() async { await Task.yield() }
    }

    @TaskLocal private static var local = "outside"

    @Test func `A handler runs and resumes on the loop of its connection`() async throws {
        let loops = Loops()
        let seen = Recorder<ObjectIdentifier?>()
        let handler = FunctionHandler { request in
            seen.record(loops.current)
            await Task.yield()
            seen.record(loops.current)
            try await Task.sleep(for: .milliseconds(1))
            seen.record(loops.current)
            try await Blocking.run { if loops.current != nil { Issue.record("blocking work on a loop") } }
            seen.record(loops.current)
            await Elsewhere().visit()
            seen.record(loops.current)
            await Task.detached {}.value
            seen.record(loops.current)
            _ = try await request.body.collect()
            seen.record(loops.current)
            async let child: Void = seen.record(loops.current)
            await child
            return Response(
                body: .stream { writer in
                    seen.record(loops.current)
                    try await writer.write([UInt8](repeating: 0, count: 1_000_000))
                    try await writer.write([UInt8](repeating: 0, count: 1_000_000))
                    seen.record(loops.current)
                }
            )
        }
        try await withTestServer(handler) { server in
            loops.set(server.loops)
            for _ in 0..<2 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("POST /", "Content-Length: 3"))
                #expect(try await client.response(to: "abc").status == 200)
            }
        }
        let first = seen.events.prefix(seen.events.count / 2)
        let second = seen.events.dropFirst(seen.events.count / 2)
        #expect(first.count == 10)
        #expect(!first.contains(nil) && Set(first).count == 1)
        #expect(!second.contains(nil) && Set(second).count == 1)
        #expect(first.first != second.first, "connections are dealt out to the loops in turn")
    }

    /// What one request sets for its task must not be seen by the next one on the connection.
    @Test func `Requests share no task-local values`() async throws {
        let handler = FunctionHandler { request in
            let before = Self.local
            return try await Self.$local.withValue(request.path) {
                try await Task.sleep(for: .milliseconds(1))
                return .text(before)
            }
        }
        try await withTestClient(handler) { client, _ in
            try await client.send((0..<5).map { request("GET /\($0)") }.joined())
            #expect(try await client.receive(5).map(\.text) == [String](repeating: "outside", count: 5))
        }
    }

    /// A handler that is cut off does not cancel the next one.
    @Test func `A loop survives errors of every kind`() async throws {
        struct Failure: Error {}
        let handler = FunctionHandler { (request) async throws in
            switch request.path {
            case "/throw": throw Failure()
            case "/cancel":
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try Task.checkCancellation()
            default: break
            }
            return .text(Task.isCancelled ? "cancelled" : "fine")
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request("GET /throw") + request("GET /cancel") + request("GET /"))
            let responses = try await client.receive(3)
            #expect(responses.map(\.status) == [500, 500, 200])
            #expect(responses.last?.text == "fine")
        }
    }

    @Test func `Two tasks that read one body get an error and stop nothing`() async throws {
        let isRefused = Signal()
        let read: @Sendable (RequestBody) async throws -> Int = { body in
            do {
                _ = try await body.collect()
                return 0
            } catch StreamError.usedTwice {
                isRefused.fire()
                return 1
            }
        }
        let handler = FunctionHandler { request in
            let first = Task { try await read(request.body) }
            let second = Task { try await read(request.body) }
            return .text("\(try await first.value + second.value)")
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request("POST /", "Content-Length: 4", "Expect: 100-continue"))
            _ = try await client.receivePiece()
            // One of the two is refused while the other waits for the body.
            await isRefused.wait()
            #expect(try await client.response(to: "body").text == "1")
        }
    }
}
