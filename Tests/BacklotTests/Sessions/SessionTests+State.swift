import Testing

@testable import Backlot

extension SessionTests {
    /// What a request's changes come to, without a store.
    struct State {
        private static let old = SessionHash(hashing: "old")
        private static let new = SessionHash(hashing: "new")
        private static let times: SessionTimes = {
            var configuration = SessionConfiguration()
            configuration.idleTimeout = .seconds(1000)
            configuration.absoluteTimeout = .seconds(5000)
            return SessionTimes(configuration)
        }()

        private func record(
            _ key: SessionHash,
            user: String?,
            _ values: String,
            created: Int,
            seen: Int,
            version: Int
        )
            -> SessionRecord
        {
            SessionRecord(
                key: key,
                mount: "/",
                user: user,
                values: Array(values.utf8),
                createdAt: created,
                lastSeen: seen,
                expiresAt: Self.times.expiry(createdAt: created, lastSeen: seen, user: user),
                version: version
            )
        }

        private func make(_ choice: SessionChoice) -> SessionState {
            SessionState(choice, mount: "/", times: Self.times, maximumBytes: 100)
        }

        private var ada: SessionRecord { record(Self.old, user: "ada", "1:a,1:1,", created: 0, seen: 0, version: 4) }

        @Test func `Nothing done is nothing to do, or a touch`() throws {
            var state = make(.one(ada))
            #expect(try state.write(at: 59, newKey: Self.new) == .nothing)
            #expect(try state.write(at: 60, newKey: Self.new) == .touch(Self.old, lastSeen: 60, 1060))
            #expect(state.ended.isEmpty)
            #expect(!state.clearsCookie)
        }

        /// A session that starts over for a token gets a version that is higher by 2^32.
        @Test(arguments: [(-1, false), (0, true), (1 << 62 - 1, true), (1 << 62, false), (.max - 1, false)])
        func `A stored version that can't rise is that of no session`(version: Int, isSession: Bool) {
            let record = record(Self.old, user: "ada", "1:a,1:1,", created: 0, seen: 0, version: version)
            var choice = SessionChoice.none
            choice.add(record, at: Self.old, mount: "/", now: 10, times: Self.times)
            #expect(choice.record == (isSession ? record : nil))
        }

        @Test func `A renewal moves the session and keeps its age`() throws {
            var state = make(.one(ada))
            state.renew()
            let moved = record(Self.new, user: "ada", "1:a,1:1,", created: 0, seen: 10, version: 5)
            #expect(try state.write(at: 10, newKey: Self.new) == .replace(Self.old, version: 4, moved))
        }

        @Test func `A log-in of another user ends one session and begins another`() throws {
            var state = make(.one(ada))
            state.logIn("bob")
            #expect(state.ended == [Self.old])
            let begun = record(Self.new, user: "bob", "", created: 10, seen: 10, version: 0)
            #expect(try state.write(at: 10, newKey: Self.new) == .insert(begun))
        }

        @Test func `A log-out takes back a log-in`() throws {
            var state = make(.none)
            state.logIn("bob")
            state.logOut()
            #expect(try state.write(at: 10, newKey: Self.new) == .nothing)
            #expect(state.clearsCookie)
        }

        @Test func `A change is made again on what another request has saved`() throws {
            var state = make(.one(ada))
            state.set("b", to: Array("2".utf8))
            _ = try state.write(at: 10, newKey: Self.new)
            state.rebase(onto: record(Self.old, user: "ada", "1:a,1:9,", created: 0, seen: 20, version: 5), at: 20)
            let saved = record(Self.old, user: "ada", "1:a,1:9,1:b,1:2,", created: 0, seen: 20, version: 6)
            #expect(try state.write(at: 15, newKey: Self.new) == .replace(Self.old, version: 5, saved))
        }

        @Test func `Nothing is made again on what is gone`() throws {
            var state = make(.one(ada))
            state.renew()
            state.rebase(onto: nil, at: 20)
            #expect(try state.write(at: 20, newKey: Self.new) == .nothing)
            #expect(!state.clearsCookie)
        }

        @Test func `A handler that stopped halfway leaves no rights behind`() throws {
            var state = make(.one(ada))
            state.logOutEverywhere()
            state.logIn("eve")
            state.abandon()
            #expect(state.endedUsers == ["ada"])
            #expect(state.ended == [Self.old])
            #expect(try state.write(at: 20, newKey: Self.new) == .nothing)
            #expect(!state.clearsCookie)
        }

        @Test func `A token's empty session has a version that no other request knows`() throws {
            var state = SessionState(.one(ada), mount: "/", times: Self.times, maximumBytes: 100, hasToken: true)
            state.logOutEverywhere()
            state.set("b", to: Array("2".utf8))
            let begun = record(Self.old, user: nil, "1:b,1:2,", created: 10, seen: 10, version: 4 + 1 << 32)
            #expect(try state.write(at: 10, newKey: Self.old) == .insert(begun))
        }

        @Test func `Only this mount's live sessions are chosen, by the whole hash`() {
            var elsewhere = ada
            elsewhere.mount = "/objects/"
            let choose = { (key: SessionHash, record: SessionRecord, now: Int) in
                var choice = SessionChoice.none
                choice.add(record, at: key, mount: "/", now: now, times: Self.times)
                return choice
            }
            #expect(choose(Self.old, ada, 999) == .one(ada))
            #expect(choose(Self.old, ada, 1000) == .none)
            #expect(choose(Self.old, elsewhere, 0) == .none)
            #expect(choose(Self.new, ada, 0) == .none)
        }
    }
}
