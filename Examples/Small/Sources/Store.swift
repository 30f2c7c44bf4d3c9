// Your own store of sessions. This one is a dictionary; one for your database has the same six functions.
// Run it with `swift run --package-path Examples/Small store`, then call `curl -c jar -b jar http://127.0.0.1:8080/` twice.
import Backlot

/// An actor, so that each function happens completely before another begins. In a database, each is one transaction.
actor DictionaryStore: SessionStore {
    private var records: [SessionHash: SessionRecord] = [:]

    /// A store that never waits returns `.ready(…)`.
    nonisolated func session(at key: SessionHash) -> Ready<SessionRecord?> { .pending { await self.records[key] } }

    func insert(_ record: SessionRecord) {
        let now = record.lastSeen
        records = records.filter { $0.value.expiresAt > now }  // a database does this now and then
        records[record.key] = record
    }

    func replace(_ key: SessionHash, version: Int, with record: SessionRecord) -> Bool {
        guard records[key]?.version == version else { return false }  // gone, or changed by another request
        records[key] = nil
        records[record.key] = record  // under another key after a log-in
        return true
    }

    func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) {
        guard let record = records[key] else { return }
        records[key]?.lastSeen = max(lastSeen, record.lastSeen)
        records[key]?.expiresAt = max(expiresAt, record.expiresAt)
    }

    func remove(_ key: SessionHash) { records[key] = nil }

    func removeAll(of user: String, mount: String) {
        records = records.filter { $0.value.user != user || $0.value.mount != mount }
    }

    func sessionCount() async -> Int? { records.count }
}

/// The number of a client's visits.
enum Visits: SessionKey {
    static let name = "visits"
    typealias Value = Int
}

func makeRouter(_ store: some SessionStore = DictionaryStore()) -> Router {
    let router = Router()
    router.group("/", SessionMiddleware(path: "/", store: store)) { group in
        group.get("/") { request in
            try await request.session.update(Visits.self) { $0 = ($0 ?? 0) + 1 }
            return "Visit \(try await request.session[Visits.self] ?? 0)\n"
        }
        group.post("/log_in") { request in
            try await request.session.logIn(user: "ann")
            return Response(status: .noContent)
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
