import Testing

@testable import Backlot

extension SessionTests {
    /// Ids: how they are made, when they change, and who may not choose them.
    struct Identity {
        private func canBeID(_ text: String) -> Bool { SessionID.canBe(text.utf8.span) }

        @Test func `10,000 ids differ and have 192 bits`() {
            let configuration = SessionConfiguration()
            var ids = Set<String>()
            var union = [UInt8](repeating: 0, count: SessionID.length)
            for _ in 0..<10_000 {
                let id = configuration.makeID()
                #expect(id.text.utf8.count == 32)
                if !canBeID(id.text) { Issue.record("\(id.text) is not taken back") }
                ids.insert(id.text)
                for (index, byte) in id.text.utf8.enumerated() { union[index] |= byte }
            }
            #expect(ids.count == 10_000)
            #expect(union.allSatisfy { $0 == 0x7F }, "a character that never changes")
            #expect(configuration.randomBytes(24).count == 24)
        }

        @Test func `An id doesn't show in descriptions`() {
            let id = SessionConfiguration().makeID()
            #expect(!"\(id) \(String(reflecting: id)) \(SessionOutcome.issued(id, expiresAt: 0))".contains(id.text))
        }

        @Test(arguments: ["", "short", String(repeating: "a", count: 31), String(repeating: "a", count: 33)])
        func `What no id looks like is none`(_ text: String) {
            #expect(!canBeID(text))
            #expect(!canBeID(String(repeating: "a", count: 31) + "+"))
        }

        @Test func `The store sees a hash, never the id`() async throws {
            let app = SessionApp.make()
            let id = try await app.logIn()
            let key = SessionHash(hashing: id)
            let record = try #require(try await app.store.memory.session(at: key).value)
            #expect(record.key == key)
            #expect(!String(reflecting: record).contains(id))
            #expect(String(decoding: key.bytes, as: UTF8.self) != id)
            #expect(SessionHash(bytes: key.bytes) == key)
            #expect(SessionHash(bytes: Array(key.bytes.dropLast())) == nil)
            #expect(SessionHash(hashing: String(id.reversed())) != key)
        }

        @Test func `The hash is SHA-256`() {
            #expect(
                SessionHash(hashing: "abc").description
                    == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            )
        }

        @Test func `A made-up id is never adopted`() async throws {
            let app = SessionApp.make()
            let madeUp = String(repeating: "A", count: 32)
            for target in ["count", "log_in"] {
                let id = try #require(try await app.get(target, madeUp).id)
                #expect(id != madeUp)
            }
            #expect(try await app.user(madeUp) == "nobody")
            #expect(try await app.store.memory.session(at: SessionHash(hashing: madeUp)).value == nil)
        }

        @Test func `A log-in gives a new id, keeps what a stranger gathered, and kills the old id`() async throws {
            let app = SessionApp.make()
            let old = try #require(try await app.get("count").id)
            let new = try await app.logIn("ada", old)
            #expect(new != old)
            #expect(try await app.get("counter", new).text == "1")
            #expect(try await app.get("counter", old).text == "0")
            #expect(try await app.user(old) == "nobody")
            #expect(try await app.user(new) == "ada")
            #expect(app.store.memory.count == 1)
        }

        @Test func `A log-in of somebody else takes nothing over`() async throws {
            let app = SessionApp.make()
            let ada = try await app.logIn("ada")
            _ = try await app.get("count", ada)
            let bob = try await app.logIn("bob", ada)
            #expect(try await app.get("counter", bob).text == "0")
            #expect(try await app.user(ada) == "nobody")
            let again = try await app.logIn("bob", bob)
            #expect(try await app.user(bob) == "nobody")
            #expect(try await app.user(again) == "bob")
        }

        @Test func `A renewal gives a new id, and the old one is dead`() async throws {
            let app = SessionApp.make()
            let old = try await app.logIn()
            let new = try #require(try await app.get("renew", old).id)
            #expect(new != old)
            #expect(try await app.user(old) == "nobody")
            #expect(try await app.user(new) == "ada")
        }

        @Test func `A log-out kills the id`() async throws {
            let app = SessionApp.make()
            let id = try await app.logIn()
            let other = try await app.logIn()
            _ = try await app.get("log_out", id)
            #expect(try await app.user(id) == "nobody")
            #expect(try await app.user(other) == "ada")
        }

        @Test func `Log out everywhere ends all sessions of the user, and of nobody else`() async throws {
            let app = SessionApp.make()
            let other = SessionApp.make(path: "/objects/", clock: app.clock, store: app.store)
            let own = [try await app.logIn(), try await app.logIn(), try await app.logIn()]
            let bob = try await app.logIn("bob")
            let namesake = try await other.logIn("ada")
            #expect(try await app.get("log_out_everywhere", own[1]).setCookies.first?.contains("Max-Age=0") == true)
            for id in own { #expect(try await app.user(id) == "nobody") }
            #expect(try await app.user(bob) == "bob")
            #expect(try await other.user(namesake) == "ada")
        }

        @Test func `Log out everywhere and in again leaves one session`() async throws {
            let app = SessionApp.make { app in
                app.get("/only_here") { request in
                    let session = try await request.session
                    let user = try session.requireLogin()
                    try session.logOutEverywhere()
                    try session.logIn(user: user)
                    return Response()
                }
            }
            let ids = [try await app.logIn(), try await app.logIn()]
            let new = try #require(try await app.get("only_here", ids[0]).id)
            #expect(try await app.user(new) == "ada")
            #expect(app.store.memory.count == 1)
        }

        @Test func `What is set after a log-out belongs to a new session`() async throws {
            let app = SessionApp.make { app in
                app.get("/out_and_on") { request in
                    let session = try await request.session
                    try session.logOut()
                    try session.set(Counter.self, to: 7)
                    return .text("\(session.user ?? "nobody") \(session[Counter.self] ?? 0)")
                }
            }
            let id = try await app.logIn()
            let response = try await app.get("out_and_on", id)
            #expect(response.text == "nobody 7")
            let new = try #require(response.id)
            #expect(try await app.get("counter", new).text == "7")
            #expect(try await app.user(new) == "nobody")
            #expect(try await app.user(id) == "nobody")
        }
    }
}
