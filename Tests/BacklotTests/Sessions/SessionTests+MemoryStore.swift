import Foundation
import Testing

@testable import Backlot

extension SessionTests {
    /// The store in memory: its bounds, what goes first, and what it costs.
    struct MemoryStore {
        private let clock = FakeClock(0)

        private func make(count: Int = 1000, bytes: Int = 1 << 30) -> MemorySessionStore {
            MemorySessionStore(maximumCount: count, maximumBytes: bytes, clock: clock.clock)
        }

        private func record(
            _ name: String,
            user: String? = "ada",
            expiresAt: Int = 100,
            size: Int = 0,
            version: Int = 0
        ) -> SessionRecord {
            SessionRecord(
                key: SessionHash(hashing: name),
                mount: "/",
                user: user,
                values: [UInt8](repeating: 0, count: size),
                createdAt: 0,
                lastSeen: 0,
                expiresAt: expiresAt,
                version: version
            )
        }

        @Test func `A row whose numbers lead nowhere is no session`() {
            let times = SessionTimes(SessionConfiguration())
            func choice(_ change: (inout SessionRecord) -> Void) -> SessionChoice {
                var (record, choice) = (record("a", expiresAt: .max), SessionChoice.none)
                change(&record)
                choice.add(record, at: record.key, mount: "/", now: 5, times: times)
                return choice
            }
            #expect(choice { _ in }.record != nil)
            #expect(choice { $0.lastSeen = .max } == .none && choice { $0.lastSeen = .min } == .none)
            #expect(choice { $0.createdAt = .max } == .none && choice { $0.version = .max } == .none)
        }

        /// The names that exist.
        private func names(_ store: MemorySessionStore, _ candidates: [String]) async throws -> [String] {
            var found: [String] = []
            for name in candidates where try await store.session(at: SessionHash(hashing: name)).value != nil {
                found.append(name)
            }
            return found
        }

        @Test func `The one that ends soonest goes when there are too many`() async throws {
            let store = make(count: 2)
            try await store.insert(record("a", expiresAt: 50))
            try await store.insert(record("b", expiresAt: 30))
            try await store.insert(record("c", expiresAt: 40))
            #expect(try await names(store, ["a", "b", "c"]) == ["a", "c"])
            await store.touch(SessionHash(hashing: "c"), lastSeen: 5, expiresAt: 90)
            try await store.insert(record("d", expiresAt: 60))
            #expect(try await names(store, ["a", "c", "d"]) == ["c", "d"])
        }

        @Test func `Sessions without a user go first`() async throws {
            let store = make(count: 3)
            try await store.insert(record("ada", expiresAt: 10))
            for name in ["a", "b", "c", "d"] { try await store.insert(record(name, user: nil, expiresAt: 1000)) }
            #expect(try await names(store, ["ada", "a", "b", "c", "d"]).first == "ada")
            #expect(store.count == 3)
            for name in ["bob", "eve"] { try await store.insert(record(name, user: name, expiresAt: 500)) }
            #expect(try await names(store, ["ada", "bob", "eve"]) == ["ada", "bob", "eve"])
        }

        @Test func `Ended sessions go before any other`() async throws {
            let store = make(count: 3)
            try await store.insert(record("user", expiresAt: 10))
            try await store.insert(record("stranger", user: nil, expiresAt: 50))
            clock.move(10)
            try await store.insert(record("new", expiresAt: 99))
            #expect(try await names(store, ["user", "stranger", "new"]) == ["stranger", "new"])
            clock.move(40)
            store.removeExpired()
            #expect(store.count == 1)
        }

        @Test func `Bytes are bounded, and counted when sessions go`() async throws {
            let each = SessionTable.size(record("x", size: 1000))
            let store = make(bytes: 3 * each)
            for index in 0..<5 { try await store.insert(record("\(index)", expiresAt: 100 + index, size: 1000)) }
            #expect(store.count == 3)
            #expect(store.byteCount == 3 * each)
            let grown = record("4", expiresAt: 104, size: 1000 + each, version: 1)
            #expect(try await store.replace(SessionHash(hashing: "4"), version: 0, with: grown))
            #expect(try await names(store, ["2", "3", "4"]) == ["3", "4"])
            #expect(store.byteCount == 3 * each)
            await store.removeAll(of: "ada", mount: "/")
            #expect(store.count == 0)
            #expect(store.byteCount == 0)
        }

        @Test func `A session larger than the store is refused, and costs no other`() async throws {
            let store = make(bytes: 2000)
            try await store.insert(record("a"))
            let large = record("b", size: 2000)
            let error = MemorySessionStoreError(bytes: SessionTable.size(large), limit: 2000)
            await #expect(throws: error) { try await store.insert(large) }
            await #expect(throws: error) {
                try await store.replace(SessionHash(hashing: "a"), version: 0, with: large)
            }
            #expect(try await names(store, ["a", "b"]) == ["a"])
        }

        @Test func `A replacement needs the version`() async throws {
            let store = make()
            try await store.insert(record("a", version: 3))
            let key = SessionHash(hashing: "a")
            #expect(try await !store.replace(key, version: 2, with: record("b", version: 4)))
            #expect(try await !store.replace(SessionHash(hashing: "x"), version: 3, with: record("b", version: 4)))
            #expect(try await names(store, ["a", "b"]) == ["a"])
            #expect(try await store.replace(key, version: 3, with: record("b", version: 4)))
            #expect(try await names(store, ["a", "b"]) == ["b"])
        }

        @Test func `A touch takes nothing back and changes no version`() async throws {
            let store = make()
            try await store.insert(record("a", expiresAt: 100, version: 3))
            let key = SessionHash(hashing: "a")
            await store.touch(key, lastSeen: 50, expiresAt: 150)
            await store.touch(key, lastSeen: 40, expiresAt: 140)
            let stored = try await store.session(at: key).value
            #expect(stored?.lastSeen == 50)
            #expect(stored?.expiresAt == 150)
            #expect(stored?.version == 3)
            await store.touch(SessionHash(hashing: "x"), lastSeen: 1, expiresAt: 2)
            #expect(store.count == 1)
        }

        @Test func `Changes leave nothing behind`() async throws {
            var table = SessionTable(maximumCount: 10, maximumBytes: 1 << 20)
            for index in 0..<10_000 {
                let name = "\(index % 20)"
                let user = index % 3 == 0 ? nil : "u"
                if !table.insert(record(name, user: user, expiresAt: index + 50), at: index) { Issue.record("no room") }
                if index % 7 == 0 { table.remove(SessionHash(hashing: name)) }
            }
            #expect(table.count <= 10)
            #expect(table.queueCount <= 2 * table.count + 64)
            table.removeExpired(at: .max)
            #expect(table.count == 0)
            #expect(table.byteCount == 0)
        }

        @Test func `10,000 random steps agree with a plain list`() {
            var random = SplitMix64(seed: 7)
            var table = SessionTable(maximumCount: 1000, maximumBytes: 1 << 30)
            var model: [SessionHash: SessionRecord] = [:]
            for now in 0..<10_000 {
                let name = "\(Int.random(in: 0..<200, using: &random))"
                let user = ["ada", "bob", nil].randomElement(using: &random) ?? nil
                let new = record(name, user: user, expiresAt: now + Int.random(in: 1...300, using: &random))
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    table.remove(new.key)
                    model[new.key] = nil
                case 1 where now % 10 == 0:
                    table.removeAll(of: "ada", mount: "/")
                    model = model.filter { $0.value.user != "ada" }
                case 2:
                    table.touch(new.key, lastSeen: now, expiresAt: new.expiresAt)
                    if var known = model[new.key] {
                        known.lastSeen = now
                        known.expiresAt = max(known.expiresAt, new.expiresAt)
                        model[new.key] = known
                    }
                default:
                    _ = table.insert(new, at: now)
                    model = model.filter { $0.value.expiresAt > now }
                    model[new.key] = new
                }
                table.removeExpired(at: now)
                model = model.filter { $0.value.expiresAt > now }
                if table.count != model.count { Issue.record("\(table.count) sessions instead of \(model.count)") }
                if table[new.key] != model[new.key] { Issue.record("a session differs") }
            }
        }

        @Test func `What an operation costs doesn't depend on how many sessions there are`() {
            let small = secondsPerRound(sessions: 1000)
            let large = secondsPerRound(sessions: 50_000)
            // A scan of all sessions would take 50 times as long.
            #expect(large < small * 10, "\(small) s with 1,000 sessions, \(large) s with 50,000")
        }

        /// The fastest of several rounds of looking up, adding, moving, touching and evicting.
        private func secondsPerRound(sessions: Int) -> Double {
            var table = SessionTable(maximumCount: sessions, maximumBytes: .max / 2)
            for index in 0..<sessions {
                _ = table.insert(record("\(index)", user: "\(index)", expiresAt: 1000 + index), at: 0)
            }
            var best = Double.infinity
            var next = sessions
            for _ in 0..<7 {
                let names = (0..<300).map { record("\(next + $0)", user: "u\($0)", expiresAt: 1000 + next + $0) }
                let seen = (0..<300).map { SessionHash(hashing: "\(next - 1 - $0)") }
                next += 300
                let begun = processorTime()
                for (new, old) in zip(names, seen) {
                    _ = table[old]
                    table.touch(old, lastSeen: 1, expiresAt: 2000 + next)
                    _ = table.insert(new, at: 1)
                    var moved = new
                    moved.version = 1
                    _ = table.replace(new.key, version: 0, with: moved, at: 1)
                }
                best = min(best, processorTime() - begun)
            }
            return best
        }

        /// The processor time of this thread, in seconds. Its waits for a processor don't count.
        private func processorTime() -> Double {
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
    }
}
