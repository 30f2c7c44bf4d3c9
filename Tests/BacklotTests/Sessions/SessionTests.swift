import Testing

@testable import Backlot

/// Sessions, by what is seen of them from outside. The suites are in files of their own.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {}

enum Counter: SessionKey {
    static let name = "counter"
    typealias Value = Int
}

struct Cart: Codable, Equatable {
    var items: [String]
}

enum CartKey: SessionKey {
    static let name = "cart"
    typealias Value = Cart
}

/// A clock that stands still unless it is moved.
final class FakeClock: Sendable {
    private let seconds: Locked<Int>

    /// 2026-01-01, noon.
    init(_ seconds: Int = 1_767_268_800) { self.seconds = Locked(seconds) }

    var now: Int { seconds.withLock { $0 } }
    var clock: SessionClock { SessionClock { self.now } }

    func move(_ by: Int) { seconds.withLock { $0 += by } }
}

/// A memory store that notes what is done to it, and fails when it is told to.
final class RecordingStore: SessionStore {
    struct Away: Error {}

    let memory: MemorySessionStore
    private let noted = Locked<[String]>([])
    private let failing = Locked<Set<String>>([])
    private let hook = Locked<(@Sendable () async throws -> Void)?>(nil)

    init(_ memory: MemorySessionStore) { self.memory = memory }

    /// What was called, in order.
    var calls: [String] { noted.withLock { $0 } }

    func forgetCalls() { noted.withLock { $0 = [] } }
    /// Lets calls with these names throw.
    func fail(_ names: String...) { failing.withLock { $0 = Set(names) } }
    /// Runs once, before the next `replace`.
    func beforeNextReplace(_ body: @escaping @Sendable () async throws -> Void) { hook.withLock { $0 = body } }

    private func note(_ call: String) throws {
        noted.withLock { $0.append(call) }
        if failing.withLock({ $0.contains(call) }) { throw Away() }
    }

    func session(at key: SessionHash) -> Ready<SessionRecord?> {
        .pending { [self] in
            try note("session")
            return try await memory.session(at: key).value
        }
    }

    func insert(_ record: SessionRecord) async throws {
        try note("insert")
        try await memory.insert(record)
    }

    func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        let body = hook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        try await body?()
        try note("replace")
        return try await memory.replace(key, version: version, with: record)
    }

    func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws {
        try note("touch")
        await memory.touch(key, lastSeen: lastSeen, expiresAt: expiresAt)
    }

    func remove(_ key: SessionHash) async throws {
        try note("remove")
        await memory.remove(key)
    }

    func removeAll(of user: String, mount: String) async throws {
        try note("removeAll")
        await memory.removeAll(of: user, mount: mount)
    }
}

/// What a handler answered, or threw.
struct SessionResponse {
    let response: Response
    let error: (any Error)?

    var code: Int { response.status.code }
    var setCookies: [String] { response.headers[values: .setCookie] }
    /// The new id; nil where none was set.
    var id: String? {
        guard setCookies.count == 1, let value = setCookies[0].split(separator: ";").first?.dropFirst("session=".count)
        else { return nil }
        return value.isEmpty ? nil : String(value)
    }
    var text: String { response.bodyText }
}

/// An app with sessions, for one test.
struct SessionApp {
    let handler: any Handler
    let store: RecordingStore
    let clock: FakeClock
    let path: String

    /// - Parameter routes: further routes of the app.
    static func make(
        path: String = "/",
        clock: FakeClock = FakeClock(),
        store: RecordingStore? = nil,
        routes: (RouteGroup) -> Void = { _ in },
        configure: (inout SessionConfiguration) -> Void = { _ in }
    ) -> SessionApp {
        let store = store ?? RecordingStore(MemorySessionStore(clock: clock.clock))
        var configuration = SessionConfiguration()
        configuration.clock = clock.clock
        configure(&configuration)
        let router = Router()
        router.group(path, SessionMiddleware(path: path, store: store, configuration: configuration)) { app in
            addStandardRoutes(to: app)
            routes(app)
        }
        return SessionApp(handler: router.handler(), store: store, clock: clock, path: path)
    }

    private static func addStandardRoutes(to app: RouteGroup) {
        app.get("/plain") { _ in .text("plain") }
        app.get("/me") { request in .text(try await request.session.user ?? "nobody") }
        app.get("/account") { request in .text(try await request.session.requireLogin()) }
        app.get("/log_in") { request in
            try await request.session.logIn(user: request.rawQuery ?? "ada")
            return Response()
        }
        app.get("/log_out") { request in
            try await request.session.logOut()
            return Response()
        }
        app.get("/log_out_everywhere") { request in
            try await request.session.logOutEverywhere()
            return Response()
        }
        app.get("/renew") { request in
            try await request.session.renew()
            return Response()
        }
        app.get("/count") { request in
            let session = try await request.session
            try session.set(Counter.self, to: (session[Counter.self] ?? 0) + 1)
            return .text("\(session[Counter.self] ?? 0)")
        }
        app.get("/counter") { request in .text("\(try await request.session[Counter.self] ?? 0)") }
    }

    /// Asks for a path below the app's.
    func get(_ target: String, _ ids: String?..., headers: HTTPFields = [:]) async throws -> SessionResponse {
        var headers = headers
        let ids = ids.compactMap(\.self)
        if !ids.isEmpty { headers[.cookie] = ids.map { "session=\($0)" }.joined(separator: "; ") }
        do {
            let request = try Request(.get, path + target, headers: headers)
            return SessionResponse(response: try await handler(request), error: nil)
        } catch let error as any HTTPError {
            return SessionResponse(response: Response(error), error: error)
        } catch {
            return SessionResponse(response: Response(status: .internalServerError), error: error)
        }
    }

    /// The id of a new session of a user.
    func logIn(_ user: String = "ada", _ former: String? = nil) async throws -> String {
        try #require(try await get("log_in?\(user)", former).id)
    }

    /// Who is logged in with some ids.
    func user(_ ids: String...) async throws -> String {
        var headers: HTTPFields = [:]
        headers[.cookie] = ids.map { "session=\($0)" }.joined(separator: "; ")
        return try await get("me", headers: headers).text
    }
}
