import BacklotHTTP
import BacklotJSON
import BacklotTesting
import HTTPTypes

/// Writers who publish stories, and readers who poll them, while servers are killed.
///
/// A writer repeats a story, with the same id, until a server has acknowledged it. Readers repeat requests after a response with
/// 503 and `Retry-After`, which servers send while their database is away.
final class Press: Sendable {
    private static let writers = 3
    private static let readers = 8
    /// The longest time until a window has another server's story. Without load, a server hears of it within two seconds.
    private static let lateness = Duration.seconds(10)
    /// Ids of the test's stories are multiples of this, so that none is one that the demo gives to its own.
    private static let step = 1_000

    private struct State {
        var last = Press.step
        /// When each story was acknowledged.
        var acknowledged: [Int: ContinuousClock.Instant] = [:]
        var repeated = 0
        var windows = 0
    }

    private let state = Locked(State())
    private let url: HTTPURL
    private let token: String
    private let transport = SocketTransport()

    init(url: String, token: String) throws {
        self.url = try HTTPURL(url)
        self.token = token
    }

    /// Continues until `ending`, and then looks for each acknowledged story.
    func run(until ending: Ending) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.writers { group.addTask { try await self.write(until: ending) } }
            for _ in 0..<Self.readers { group.addTask { try await self.read(until: ending) } }
            try await group.waitForAll()
        }
        try await lookForAll()
    }

    /// A summary for people.
    var summary: String {
        state.withLock {
            "\($0.acknowledged.count) stories acknowledged, none lost; \($0.windows) windows read, \($0.repeated) requests repeated"
        }
    }

    private func write(until ending: Ending) async throws {
        while !ending.isDue {
            let id = state.withLock { state in
                state.last += Self.step
                return state.last
            }
            let line = """
                {"feed":"news","id":\(id),"language":"en","title":"Story \(id)","body":"It was sent by a writer.","section_ids":[3]}
                """
            let request = ClientRequest(
                .post,
                try url.resolving("/floki/desk/items"),
                headers: [.authorization: "Bearer \(token)", .contentType: "application/jsonl"],
                body: Array("\(line)\n".utf8)
            )
            try await send(request)
            state.withLock { $0.acknowledged[id] = .now }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    private func read(until ending: Ending) async throws {
        var version = 0
        while !ending.isDue {
            let indicator = try await document(at: "/floki/v1-app")
            let found = indicator["v"]?.number?.int64.map { Int($0) } ?? 0
            try expect(found >= max(version, 1), "the version of the app went from \(version) to \(found)")
            version = found
            let begin = ContinuousClock.now
            let ids = Set(try await window(""))
            let lowest = ids.min() ?? 0
            let missing = state.withLock { state in
                state.windows += 1
                return state.acknowledged.filter {
                    $0.key > lowest && $0.value + Self.lateness < begin && !ids.contains($0.key)
                }
            }
            try expect(missing.isEmpty, "a window from \(lowest) on lacks \(missing.keys.sorted())")
        }
    }

    /// Walks through the whole feed.
    private func lookForAll() async throws {
        var found: Set<Int> = []
        var query = ""
        while true {
            let ids = try await window(query)
            guard let last = ids.last, found.isDisjoint(with: ids) else { break }
            found.formUnion(ids)
            query = "?o=\(last)"
        }
        let lost = state.withLock { Set($0.acknowledged.keys) }.subtracting(found)
        try expect(lost.isEmpty, "\(lost.count) acknowledged stories are lost: \(lost.sorted().prefix(10))")
    }

    /// The ids of a window, in their order.
    private func window(_ query: String) async throws -> [Int] {
        let items = try await document(at: "/floki/news/en\(query)")["items"]?.array ?? []
        return items.compactMap { $0["id"]?.number?.int64.map { Int($0) } }
    }

    private func document(at path: String) async throws -> JSONValue {
        try JSONValue(parsing: try await send(ClientRequest(.get, try url.resolving(path))).body)
    }

    /// Sends a request, and repeats it where nothing was lost by that: a story has its id, and a window is only read.
    @discardableResult
    private func send(_ request: ClientRequest) async throws -> ClientResponse {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let response = try await transport.response(to: request, limits: ClientLimits())
            if response.status == .ok { return response }
            // nginx responds to a POST with 502 if the server has died, since it can't know what the server has done.
            let isUnsure = request.method == .post && response.status == .badGateway
            let isAway = response.status == .serviceUnavailable && response.headers[.retryAfter] != nil
            try expect(
                (isUnsure || isAway) && ContinuousClock.now < end,
                "\(request.method) \(request.url): \(response.status) \(response.text)"
            )
            state.withLock { $0.repeated += 1 }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
