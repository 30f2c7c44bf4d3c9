import A2UI
import Backlot

/// One client with its surfaces, and the streams that it listens to.
final class Client: Sendable {
    /// Messages that go out together, and the revision after them.
    typealias Change = (messages: [ServerMessage], revision: Int)
    typealias Stream = AsyncMapSequence<AsyncStream<(change: Change, bytes: Int)>, Change>

    /// The ways to reach the surfaces. Each has its own clients.
    enum Binding: String {
        case http, agUI = "ag-ui", a2a, mcp

        /// An id among the clients of all bindings.
        func fullID(_ id: String) -> String { "\(rawValue) \(id)" }
    }

    /// The server's end of a stream.
    fileprivate struct Listener {
        let continuation: AsyncStream<(change: Change, bytes: Int)>.Continuation
        /// The bytes of the changes that wait for the reader, about.
        let waiting: Locked<Int>

        /// Returns whether the stream had room for the change. There is always room for one.
        func yield(_ change: Change, bytes: Int) -> Bool {
            let hasRoom = waiting.withLock { waiting in
                guard waiting == 0 || waiting + bytes <= Client.waitingLimit else { return false }
                waiting += bytes
                return true
            }
            guard hasRoom, case .enqueued = continuation.yield((change, bytes)) else { return false }
            return true
        }
    }

    fileprivate struct Parts {
        var state = ClientState()
        var streams: [Int: Listener] = [:]
        var nextStream = 0
        var lastSeen = ContinuousClock.now
        var bytes = 0
        var choice: (ProtocolVersion, Catalog)?
        var user: String?
    }

    /// The id, which only the client and the server know.
    let id: String
    /// The binding that accepts the id.
    let binding: Binding
    private let parts = Locked(Parts())

    /// The most changes that a stream holds for a reader.
    private static let changeLimit = 1000
    /// The most bytes of these changes, about. Each may have a whole surface.
    private static let waitingLimit = 1 << 20
    /// The most streams. All tabs of a browser are one client.
    private static let streamLimit = 32

    init(_ id: String, of binding: Binding) { (self.id, self.binding) = (id, binding) }

    /// The id, which no client of another binding has either.
    var fullID: String { binding.fullID(id) }

    var state: ClientState { parts.withLock { $0.state } }

    /// The version and the catalog that the client has agreed to for all its surfaces; nil if it says so with each request.
    var choice: (ProtocolVersion, Catalog)? { parts.withLock { $0.choice } }

    func choose(_ choice: (ProtocolVersion, Catalog)?) { parts.withLock { $0.choice = choice } }

    /// Gives the client to the first user who is logged in. Its streams end then, because others may read them.
    ///
    /// - Parameter user: the user of a request's session; nil without one.
    /// - Returns: whether the request may use the client: it belongs to this user, or to nobody yet.
    func admit(_ user: String?) -> Bool {
        let (isAdmitted, former) = parts.withLock { parts -> (Bool, [Listener]) in
            guard parts.user == nil, user != nil else { return (parts.user == user, []) }
            defer { (parts.user, parts.streams) = (user, [:]) }
            return (true, Array(parts.streams.values))
        }
        for stream in former { stream.continuation.finish() }
        return isAdmitted
    }

    fileprivate var use: (lastSeen: ContinuousClock.Instant, isListening: Bool) {
        parts.withLock { ($0.lastSeen, !$0.streams.isEmpty) }
    }

    fileprivate func touch() { parts.withLock { $0.lastSeen = .now } }

    /// Changes the state. `body` runs outside of the lock, and again if another change came first.
    ///
    /// While the client listens to a stream, all messages go there, so that their order is clear.
    ///
    /// - Parameters:
    ///   - isPushed: whether the messages wait for the next exchange if the client has no stream. Otherwise the caller sends them,
    ///     after those that have waited.
    ///   - last: the last revision that the client got from a stream; nil if it doesn't say.
    ///   - limit: the most bytes that surfaces may take.
    /// - Returns: the messages for the caller to send, and the growth in bytes.
    func change(
        isPushed: Bool,
        since last: Int? = nil,
        limit: Int,
        _ body: (inout ClientState) throws -> [ServerMessage]
    ) throws -> (messages: [ServerMessage], growth: Int) {
        while true {
            let (former, isListening, next) = parts.withLock { ($0.state, !$0.streams.isEmpty, $0.nextStream) }
            var state = former
            let waiting = isPushed || isListening ? [] : state.recover(since: last)
            var messages = waiting + (try body(&state))
            let bytes = state.revision == former.revision ? nil : state.bytes
            if let bytes, bytes > limit {
                throw A2UIError(
                    .recursion,
                    "too_large",
                    "The client's surfaces have \(bytes) bytes, of at most \(limit)."
                )
            }
            let size = isListening ? messages.approximateBytes : 0
            var slow: [Listener] = []
            let growth: Int? = parts.withLock { parts in
                // A new stream changes the state too, perhaps not its revision.
                guard parts.state.revision == former.revision, parts.streams.isEmpty != isListening,
                    parts.nextStream == next
                else { return nil }
                let growth = bytes.map { $0 - parts.bytes } ?? 0
                (parts.state, parts.bytes) = (state, parts.bytes + growth)
                guard !messages.isEmpty else { return growth }
                guard isListening else {
                    if isPushed { parts.state.keep(messages, isMissed: true) }
                    return growth
                }
                parts.state.keep(messages, isMissed: false)
                for (number, stream) in parts.streams {
                    // A client that reads too slowly reconnects, and gets the whole state.
                    guard !stream.yield((messages, state.revision), bytes: size) else { continue }
                    slow.append(stream)
                    parts.streams[number] = nil
                }
                messages = []
                return growth
            }
            // The end of a stream takes the lock.
            for stream in slow { stream.continuation.finish() }
            if let growth { return (messages, growth) }
        }
    }

    fileprivate func endStreams() {
        for stream in parts.withLock({ $0.streams.values.map { $0 } }) { stream.continuation.finish() }
    }

    /// Listens to changes. Beyond the most streams, the oldest one ends.
    ///
    /// - Parameter revision: the client's last revision; nil for a new client.
    /// - Returns: what the client has missed, and the changes from then on.
    func listen(since revision: Int?, as user: String?) -> Stream? {
        let waiting = Locked(0)
        let (stream, continuation) = AsyncStream<(change: Change, bytes: Int)>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.changeLimit)
        )
        let listener = Listener(continuation: continuation, waiting: waiting)
        let (isAdmitted, oldest): (Bool, Listener?) = parts.withLock { parts in
            // The user may have logged in since the request was admitted.
            guard parts.user == user else { return (false, nil) }
            let messages = parts.state.reconnect(since: revision)
            _ = listener.yield((messages, parts.state.revision), bytes: messages.approximateBytes)
            let number = parts.nextStream
            (parts.streams[number], parts.nextStream) = (listener, number + 1)
            continuation.onTermination = { [weak self] _ in
                self?.parts.withLock { parts in
                    parts.streams[number] = nil
                    parts.lastSeen = .now
                }
            }
            guard parts.streams.count > Self.streamLimit, let first = parts.streams.keys.min() else {
                return (true, nil)
            }
            return (true, parts.streams.removeValue(forKey: first))
        }
        guard isAdmitted else { return nil }
        oldest?.continuation.finish()
        return stream.map { change, bytes in
            waiting.withLock { $0 -= bytes }
            return change
        }
    }
}

extension [ServerMessage] {
    /// The bytes as JSON, about.
    fileprivate var approximateBytes: Int { reduce(0) { $0 + $1.json.approximateBytes } }
}

/// The clients of an app.
final class ClientTable: Sendable {
    private struct Table {
        /// The clients by their full ids, each with the bytes that it counts for.
        var clients: [String: (client: Client, bytes: Int)] = [:]
        /// The bytes of all of them.
        var bytes = 0

        /// Whether it holds too much for further clients.
        func isFull(for count: Int, _ limits: A2UILimits) -> Bool {
            clients.count + count > limits.clients || bytes > limits.bytes
        }
    }

    private let table = Locked(Table())
    private let limits: A2UILimits

    init(_ limits: A2UILimits) { self.limits = limits }

    /// The clients that have a surface open.
    func clients(with name: String) -> [Client] {
        table.withLock { $0.clients.values.map(\.client) }.filter { $0.state.surfaces.contains { $0.name == name } }
    }

    /// The client of a binding with an id; nil for an unknown one.
    func client(_ id: String, of binding: Client.Binding) -> Client? {
        // Strings are also equal if other bytes look alike.
        guard id.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let client = table.withLock { $0.clients[binding.fullID(id)]?.client }
        client?.touch()
        return client
    }

    /// Adds a client with a new id.
    func newClient(of binding: Client.Binding) -> Client {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max, using: &generator), radix: 36) }
        return client(named: words.joined(separator: "-"), of: binding)
    }

    /// The client of a binding with an id, which is added if it is unknown.
    func client(named id: String, of binding: Client.Binding) -> Client {
        if let client = client(id, of: binding) { return client }
        makeRoom(for: 1)
        return table.withLock { table in
            let client = Client(id, of: binding)
            if let known = table.clients[client.fullID]?.client { return known }
            table.clients[client.fullID] = (client, 0)
            return client
        }
    }

    /// Forgets a client with its surfaces, and ends its streams.
    func end(_ client: Client) {
        table.withLock { table in
            guard let entry = table.clients[client.fullID], entry.client === client else { return }
            table.clients[client.fullID] = nil
            table.bytes -= entry.bytes
        }
        client.endStreams()
    }

    /// Refuses models that a client may not have, before anything is made of them.
    func check(_ models: JSONObject) throws(A2UIError) {
        guard JSONValue.object(models).footprint > limits.clientBytes else { return }
        let text = "The client's models take more than \(limits.clientBytes) bytes in memory."
        throw A2UIError(.recursion, "too_large", text, at: "/metadata")
    }

    /// Changes a client, like its own function.
    func change(
        _ client: Client,
        isPushed: Bool,
        since last: Int? = nil,
        _ body: (inout ClientState) throws -> [ServerMessage]
    ) throws -> [ServerMessage] {
        let (messages, growth) = try client.change(isPushed: isPushed, since: last, limit: limits.clientBytes) {
            state in
            let messages = try body(&state)
            guard state.surfaces.count <= limits.surfacesPerClient else {
                throw A2UIError(
                    .recursion,
                    "too_many_surfaces",
                    "The client has \(limits.surfacesPerClient) surfaces open; close one first."
                )
            }
            return messages
        }
        if growth != 0 {
            table.withLock { table in
                // A client that has been forgotten meanwhile counts for nothing.
                guard table.clients[client.fullID]?.client === client else { return }
                table.clients[client.fullID]?.bytes += growth
                table.bytes += growth
            }
            makeRoom(for: 0)
        }
        return messages
    }

    /// Forgets the clients that have been away for longest, if there are too many. Those that listen come last.
    ///
    /// - Parameter count: the number of clients that are about to come.
    private func makeRoom(for count: Int) {
        let clients = table.withLock { table in
            table.isFull(for: count, limits) ? table.clients.values.map(\.client) : []
        }
        guard !clients.isEmpty else { return }
        let away = clients.map { ($0, $0.use) }.sorted {
            ($0.1.isListening ? 1 : 0, $0.1.lastSeen) < ($1.1.isListening ? 1 : 0, $1.1.lastSeen)
        }
        let forgotten = table.withLock { table in
            var forgotten: [Client] = []
            // An eighth at least, so that the search pays.
            for (index, (client, _)) in away.enumerated()
            where index < away.count / 8 || table.isFull(for: count, limits) {
                guard let entry = table.clients[client.fullID], entry.client === client else { continue }
                table.clients[client.fullID] = nil
                table.bytes -= entry.bytes
                forgotten.append(client)
            }
            return forgotten
        }
        for client in forgotten { client.endStreams() }
    }
}

/// The bounds of the state that an app keeps for its clients.
public struct A2UILimits: Sendable {
    /// The most clients. Those that have been away for longest are forgotten; they open their surfaces anew.
    public var clients = 10_000
    /// The most open surfaces of a client.
    public var surfacesPerClient = 50
    /// The most bytes of a client's models and components in memory, about. The values by which the client itself enlarges a model count
    /// 17 times, because an update for all clients reads them.
    public var clientBytes = 20_000_000
    /// The most bytes of all clients' models and components, counted in the same way.
    public var bytes = 500_000_000
    /// The largest body of a request, in bytes.
    public var body = 10_000_000
    /// The most messages of a request.
    public var messages = ClientMessage.requestLimit

    /// The default bounds.
    public init() {}
}
