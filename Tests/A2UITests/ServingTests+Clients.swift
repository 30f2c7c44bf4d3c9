import Backlot
import TestSupport
import Testing

@testable import A2UI
@testable import A2UIServing

/// The clients of a server, without requests.
extension ServingTests {
    private static func surface(bytes: Int = 0) -> ClientState.Open {
        ClientState.Open(
            id: "s",
            name: "s",
            version: .v0_9,
            catalogID: Catalog.basic0_9.id,
            sendsDataModel: true,
            model: ["text": .string(String(repeating: "x", count: bytes))],
            tree: []
        )
    }

    /// Looks every few milliseconds whether something has come true.
    static func eventually(_ condition: () -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + Duration.seconds(20) * Patience.factor
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(2))
        }
        return true
    }

    /// The number of changes that a stream still holds; nil if it doesn't end.
    private static func changes(in stream: Client.Stream) async throws -> Int? {
        let count = Locked<Int?>(nil)
        let reading = Task {
            var changes = 0
            for await _ in stream { changes += 1 }
            count.withLock { $0 = changes }
        }
        defer { reading.cancel() }
        _ = try await eventually { count.withLock { $0 != nil } }
        return count.withLock(\.self)
    }

    @Test func `A client that is forgotten while its state changes counts for nothing`() throws {
        var limits = A2UILimits()
        (limits.clients, limits.bytes) = (1, 10_000)
        let table = ClientTable(limits)
        for _ in 0..<20 {
            let client = table.newClient(of: .http)
            _ = try table.change(client, isPushed: false) { state in
                // It takes the only place.
                _ = table.newClient(of: .http)
                return state.open(Self.surface(bytes: 1000))
            }
            #expect(table.client(client.id, of: .http) == nil)
        }
        let client = table.newClient(of: .http)
        _ = try table.change(client, isPushed: false) { $0.open(Self.surface(bytes: 1000)) }
        #expect(table.client(client.id, of: .http) === client)
    }

    @Test func `A listener that doesn't read is given up, and blocks nobody`() async throws {
        let (client, isDone) = (Client("c", of: .http), Locked(false))
        let stream = try #require(client.listen(since: nil, as: nil))
        // Not in this task, because a blocked thread never ends.
        let work = Task.detached {
            let surface = Self.surface(bytes: 100_000)
            for _ in 0..<200 { _ = try client.change(isPushed: false, limit: .max) { $0.open(surface) } }
            isDone.withLock { $0 = true }
        }
        try #require(try await Self.eventually { isDone.withLock(\.self) })
        try await work.value
        // The first one has no bytes, and 1 MiB has room for ten.
        #expect(try await Self.changes(in: stream) == 11)
    }

    @Test func `Many small changes, and large ones that are read, end no stream`() async throws {
        let client = Client("c", of: .http)
        var changes = try #require(client.listen(since: nil, as: nil)).makeAsyncIterator()
        let small = Self.surface()
        for _ in 0..<300 { _ = try client.change(isPushed: false, limit: .max) { $0.open(small) } }
        for number in 0...300 {
            let change = await changes.next()
            try #require(change != nil, "\(number)")
        }
        let large = Self.surface(bytes: 600_000)
        for number in 0..<20 {
            _ = try client.change(isPushed: false, limit: .max) { $0.open(large) }
            let change = await changes.next()
            try #require(change?.messages.isEmpty == false, "\(number)")
        }
    }

    @Test func `The streams of a client end with it, and it is unknown then`() async throws {
        let table = ClientTable(A2UILimits())
        let client = table.newClient(of: .http)
        let stream = try #require(client.listen(since: nil, as: nil))
        table.end(client)
        #expect(try await Self.changes(in: stream) == 1)
        #expect(table.client(client.id, of: .http) == nil)
    }

    @Test func `The streams of a client end when it becomes a user's`() async throws {
        let client = Client("c", of: .http)
        let stream = try #require(client.listen(since: nil, as: nil))
        #expect(client.admit(nil))
        #expect(client.admit("ann"))
        // A request that was admitted before comes too late.
        #expect(client.listen(since: nil, as: nil) == nil)
        let (messages, _) = try client.change(isPushed: false, limit: .max) { $0.open(Self.surface()) }
        #expect(messages.count == 3)
        #expect(try await Self.changes(in: stream) == 1)
    }

    @Test func `A client has at most 32 streams, and one more ends the oldest`() async throws {
        let client = Client("c", of: .http)
        let streams = try (0..<33).map { _ in try #require(client.listen(since: nil, as: nil)) }
        _ = try client.change(isPushed: false, limit: .max) { $0.open(Self.surface()) }
        #expect(try await Self.changes(in: streams[0]) == 1)
        for stream in streams.dropFirst() {
            var changes = stream.makeAsyncIterator()
            let (first, second) = (await changes.next(), await changes.next())
            #expect(first?.messages.count == 0)
            #expect(second?.messages.count == 3)
        }
    }
}
