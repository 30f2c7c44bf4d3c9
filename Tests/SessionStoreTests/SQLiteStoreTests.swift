import Foundation
import Logging
import TestSupport
import Testing

@testable import Backlot
@testable import BacklotSQLite

/// The behaviour that only the store in a file has.
@Suite(.timeLimit(.minutes(5))) struct SQLiteStoreTests {
    private func make(_ folder: TemporaryFolder, clock: SessionClock = .system) throws -> SQLiteSessionStore {
        try SQLiteSessionStore("\(folder.path)/sessions.sqlite", clock: clock, logger: .silent)
    }

    @Test func `Sessions are there when the file is opened again`() async throws {
        try await withTemporaryFolder { folder in
            let record = SampleRecord.make("a", values: [1, 2, 3], version: 2)
            do {
                let store = try make(folder)
                try await store.insert(record)
                try await store.insert(SampleRecord.make("b"))
                try await store.remove(SessionHash(hashing: "b"))
            }
            let again = try make(folder)
            #expect(try await again.session("a") == record)
            #expect(try await again.names("a", "b") == ["a"])
        }
    }

    @Test func `A file system without limits has room`() {
        var status = statvfs()
        (status.f_blocks, status.f_bavail, status.f_frsize) = (.max, .max, 4096)
        #expect(!FileClaim.isFull(status))
        status.f_bavail = 39
        #expect(FileClaim.isFull(status))
        status.f_bavail = 40
        #expect(!FileClaim.isFull(status))
    }

    @Test func `A store that is closed leaves its file alone`() async throws {
        try await withTemporaryFolder { folder in
            let store = try make(folder)
            try await store.insert(SampleRecord.make("a"))
            #expect(try folder.names() == ["sessions.sqlite", "sessions.sqlite-shm", "sessions.sqlite-wal"])
            await store.close()
            #expect(try folder.names() == ["sessions.sqlite"])
            await #expect(throws: (any Error).self) { try await store.insert(SampleRecord.make("b")) }
            await #expect(throws: (any Error).self) { try await store.session("b") }
            await store.close()
            #expect(try await make(folder).names("a", "b") == ["a"])
        }
    }

    @Test func `What another process changes counts within a second`() async throws {
        try await withTemporaryFolder { folder in
            let one = try make(folder)
            let other = try make(folder)
            try await one.insert(SampleRecord.make("a"))
            #expect(try await other.names("a") == ["a"])
            let removed = ContinuousClock.now
            try await one.remove(SessionHash(hashing: "a"))
            #expect(try await one.names("a") == [])
            while try await other.names("a") == ["a"] {
                guard removed.duration(to: .now) < .seconds(30) else { break }
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try await other.names("a") == [])
        }
    }

    @Test func `Only the sessions that have ended are forgotten, however many`() async throws {
        try await withTemporaryFolder { folder in
            let now = SampleRecord.now
            let store = try make(folder, clock: SessionClock { now + 2000 })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<1203 {
                    group.addTask { try await store.insert(SampleRecord.make("\(index)", life: 1000 + index)) }
                }
                try await group.waitForAll()
            }
            try await store.removeExpired()
            #expect(try await store.sessionCount() == 202)
            #expect(try await store.names("0", "999", "1000", "1001", "1202") == ["1001", "1202"])
        }
    }

    @Test func `Time and again the sessions that have ended are forgotten`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/sessions.sqlite"
            let now = SampleRecord.now
            let store = try SQLiteSessionStore(
                path,
                sweepInterval: .seconds(1),
                clock: SessionClock { now },
                logger: .silent
            )
            try await store.insert(SampleRecord.make("ended", life: -1))
            try await store.insert(SampleRecord.make("living", life: 1))
            let begun = ContinuousClock.now
            while try await store.names("ended") != [], begun.duration(to: .now) < .seconds(30) {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try await store.names("ended", "living") == ["living"])
        }
    }

    @Test func `Where there is no room, sessions without a user go first, and those that end soonest`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/sessions.sqlite"
            let store = try SQLiteSessionStore(path, maximumBytes: 400 * 1024, maximumAge: .zero, logger: .silent)
            for index in 0..<20 { try await store.insert(SampleRecord.make("user \(index)", user: "ann", life: 10)) }
            let values = [UInt8](repeating: 1, count: 500)
            @Sendable func insert(_ index: Int) async throws {
                try await store.insert(SampleRecord.make("\(index)", user: nil, values: values, life: 1000 + index))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<1990 { group.addTask { try await insert(index) } }
                try await group.waitForAll()
            }
            for index in 1990..<2000 { try await insert(index) }
            let count = try #require(try await store.sessionCount())
            #expect((200..<450).contains(count))
            for index in 0..<20 { #expect(try await store.names("user \(index)") != []) }
            #expect(try await store.names("0", "1000", "1990", "1999") == ["1990", "1999"])
            await store.close()
            #expect(try OpenFile(path).size < 800 * 1024)
            // Without other sessions, the store removes those of users.
            let small = try SQLiteSessionStore(path, maximumBytes: 8 * 1024, maximumAge: .zero, logger: .silent)
            for index in 0..<100 {
                try await small.insert(SampleRecord.make("more \(index)", user: "bob", life: 2000 + index))
            }
            #expect(try await small.sessionCount() ?? .max < 40)
            #expect(try await small.names("1999", "user 0", "more 99") == ["more 99"])
        }
    }

    private enum VisitKey: SessionKey {
        static let name = "visit"
        typealias Value = Int
    }

    @Test(arguments: HTTPVersions.each)
    func `Clients that begin sessions without end log nobody out, and take no more room`(
        version: HTTPVersions
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/sessions.sqlite"
            let store = try SQLiteSessionStore(path, maximumBytes: 32 * 1024, maximumAge: .zero, logger: .silent)
            let router = Router()
            router.group("/", SessionMiddleware(path: "/", store: store)) { app in
                app.get("/visit") { request in
                    try await request.session.set(VisitKey.self, to: 1)
                    return Response()
                }
                app.get("/log_in") { request in
                    try await request.session.logIn(user: "ada")
                    return Response()
                }
                app.get("/me") { request in .text(try await request.session.user ?? "nobody") }
            }
            try await withServer(router.handler()) { address in
                let cookie = try await address.exchange(version, "/log_in").headers[.setCookie]
                let session = try #require(cookie?.split(separator: ";").first.map(String.init))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<300 { group.addTask { _ = try await address.exchange(version, "/visit") } }
                    try await group.waitForAll()
                }
                // Those of the last batch may be too many until the next change.
                _ = try await address.exchange(version, "/visit")
                #expect(try await store.sessionCount() ?? .max < 70)
                #expect(try await address.exchange(version, "/me", [.cookie: session]).text == "ada")
            }
        }
    }

    @Test func `The total is right after changes of each kind`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteSessionStore("\(folder.path)/sessions.sqlite", logger: .silent)
            for name in ["a", "b", "c", "d"] { try await store.insert(SampleRecord.make(name, user: name)) }
            try await store.insert(SampleRecord.make("a", user: "a"))
            _ = try await store.replace(SessionHash(hashing: "b"), version: 0, with: SampleRecord.make("e", version: 1))
            try await store.removeAll(of: "c", mount: SampleRecord.make("c").mount)
            try await store.check()
            #expect(try await store.sessionCount() == 3)
            for name in ["a", "d", "e"] { try await store.remove(SessionHash(hashing: name)) }
            #expect(try await store.sessionCount() == 0)
        }
    }

    @Test func `A file that is gone or replaced fails the check`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/state/sessions.sqlite"
            let store = try SQLiteSessionStore(path, logger: .silent)
            try await store.check()
            try folder.move("state", to: "old")
            let error = await #expect(throws: SessionFileError.self) { try await store.check() }
            #expect(error?.description.contains("removed or replaced") == true)
            let other = try SQLiteSessionStore(path, logger: .silent)
            try await other.check()
            await #expect(throws: SessionFileError.self) { try await store.check() }
            await other.close()
            try folder.remove("state")
            try folder.move("old", to: "state")
            try await store.check()
        }
    }

    @Test func `A full file refuses what is new, is read all the same, and recovers by itself`() async throws {
        try await withTemporaryFolder { folder in
            let now = SampleRecord.now
            let store = try SQLiteSessionStore(
                "\(folder.path)/sessions.sqlite",
                fileBytes: 256 * 1024,
                clock: SessionClock { now },
                logger: .silent
            )
            let values = [UInt8](repeating: 1, count: 10_000)
            var count = 0
            await #expect(throws: (any Error).self) {
                while count < 100 {
                    try await store.insert(SampleRecord.make("\(count)", values: values, life: count == 0 ? 100 : 0))
                    count += 1
                }
            }
            #expect(count > 5)
            #expect(try await store.session("0")?.values.count == 10_000)
            #expect(try await store.session("\(count)") == nil)
            let health = HealthChecks(limit: .seconds(60), lifetime: .zero)
            health.add("sessions") { try await store.check() }
            #expect(await health.problems() == ["the check of sessions failed"])
            // All but the first have ended.
            try await store.removeExpired()
            #expect(await health.problems() == [])
            try await store.insert(SampleRecord.make("new", values: values))
            #expect(try await store.names("0", "1", "new") == ["0", "new"])
        }
    }

    @Test func `A full file is answered with 503, and when to try again`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteSessionStore(
                "\(folder.path)/sessions.sqlite",
                fileBytes: 64 * 1024,
                logger: .silent
            )
            var configuration = SessionConfiguration()
            configuration.retryAfter = .seconds(7)
            let router = Router()
            let sessions = SessionMiddleware(path: "/", store: store, configuration: configuration, logger: .silent)
            router.group("/", sessions) { app in
                app.get("/log_in") { request in
                    try await request.session.logIn(user: String(repeating: "a", count: 30_000))
                    return Response()
                }
            }
            let handler = router.handler()
            await #expect(throws: SessionStoreError(retryAfter: .seconds(7))) {
                for _ in 0..<5 { _ = try await handler(try Request(.get, "/log_in")) }
            }
        }
    }

    @Test func `Each save that is refused is one line of the log`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteSessionStore(
                "\(folder.path)/s.sqlite",
                fileBytes: 64 * 1024,
                logger: .silent
            )
            let user = String(repeating: "a", count: 30_000)
            await #expect(throws: (any Error).self) {
                for name in 0..<10 { try await store.insert(SampleRecord.make("\(name)", user: user)) }
            }
            for isObserved in [true, false] {
                let lines = Locked<[String]>([])
                let logger = Logger(label: "test") { _ in NotingLogHandler(lines: lines) }
                let router = Router()
                if isObserved { router.use(Telemetry(logger: logger)) }
                router.group("/", SessionMiddleware(path: "/", store: store, logger: logger)) { app in
                    app.get("/log_in") { request in
                        try await request.session.logIn(user: user)
                        return Response()
                    }
                }
                let handler = router.handler()
                for count in 1...3 {
                    let response = await Self.ask(handler, try Request(.get, "/log_in"))
                    #expect(response.status == .serviceUnavailable)
                    let lines = lines.withLock { $0 }
                    #expect(lines.count == count, "\(lines)")
                    #expect(
                        lines.allSatisfy { $0.contains("database or disk is full") && !$0.contains("\n") },
                        "\(lines)"
                    )
                }
            }
        }
    }

    private static func ask(_ handler: any Handler, _ request: Request) async -> Response {
        do {
            return try await handler(request)
        } catch let error as any HTTPError {
            return Response(error)
        } catch {
            return Response(status: .internalServerError)
        }
    }

    @Test func `Only the owner can read the file`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteSessionStore("\(folder.path)/new/folder/s.sqlite", logger: .silent)
            try await store.insert(SampleRecord.make("a"))
            for name in ["s.sqlite", "s.sqlite-wal", "s.sqlite-shm"] {
                #expect(try permissions(of: "\(folder.path)/new/folder/\(name)") == 0o600, "\(name)")
            }
        }
    }

    @Test func `A file that can't be used is explained`() async throws {
        try await withTemporaryFolder { folder in
            let text = try folder.write(String(repeating: "no database ", count: 1000), to: "text")
            let cases = [
                (text, "file is not a database"),
                (folder.path, "it is a folder"),
                ("\(text)/below", "the folder \(text) can't be made"),
                ("/proc/sessions.sqlite", "no file can be made in the folder /proc"),
            ]
            for (path, problem) in cases {
                #expect(throws: SessionFileError(path: path, problem: problem)) {
                    try SQLiteSessionStore(path, logger: .silent)
                }
            }
        }
    }
}

/// Notes each event as a line: the message, and the metadata.
private struct NotingLogHandler: LogHandler {
    let lines: Locked<[String]>
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(lines: Locked<[String]>) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let text = "\(event.level) \(event.message) \(event.metadata ?? [:])"
        lines.withLock { $0.append(text) }
    }
}
