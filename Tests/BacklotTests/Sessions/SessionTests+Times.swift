import Testing

@testable import Backlot

extension SessionTests {
    /// Time-outs, by a clock that stands still.
    struct Times {
        private func make() -> SessionApp {
            .make(configure: { configuration in
                configuration.idleTimeout = .seconds(1000)
                configuration.absoluteTimeout = .seconds(5000)
            })
        }

        @Test func `A session ends when it was idle`() async throws {
            let app = make()
            let id = try await app.logIn()
            app.clock.move(999)
            #expect(try await app.user(id) == "ada")
            app.clock.move(999)
            #expect(try await app.user(id) == "ada")
            app.clock.move(1000)
            #expect(try await app.user(id) == "nobody")
        }

        @Test func `A session without a user lives shorter, until somebody logs in`() async throws {
            let app = SessionApp.make(configure: {
                $0.idleTimeout = .seconds(1000)
                $0.anonymousTimeout = .seconds(100)
            })
            var id = try #require(try await app.get("count").id)
            for _ in 0..<3 {
                app.clock.move(99)
                #expect(try await app.get("count", id).id == nil)
            }
            app.clock.move(100)
            id = try #require(try await app.get("count", id).id)
            id = try await app.logIn("ada", id)
            app.clock.move(999)
            #expect(try await app.user(id) == "ada")
        }

        @Test func `A session ends in any case`() async throws {
            let app = make()
            var id = try await app.logIn()
            for _ in 0..<9 {
                app.clock.move(500)
                #expect(try await app.user(id) == "ada")
                id = try #require(try await app.get("renew", id).id)
            }
            app.clock.move(499)
            #expect(try await app.user(id) == "ada")
            app.clock.move(1)
            #expect(try await app.user(id) == "nobody")
        }

        @Test func `A log-in starts the time anew`() async throws {
            let app = make()
            var id = try #require(try await app.get("count").id)
            for _ in 0..<6 {
                app.clock.move(900)
                id = try await app.logIn("ada", id)
            }
            #expect(try await app.user(id) == "ada")
        }

        @Test func `The last request is written once a minute at most`() async throws {
            let app = make()
            let id = try await app.logIn()
            app.store.forgetCalls()
            for _ in 0..<12 {
                app.clock.move(10)
                _ = try await app.user(id)
            }
            #expect(app.store.calls.filter { $0 == "touch" }.count == 2)
            #expect(Set(app.store.calls) == ["session", "touch"])
        }

        @Test func `Requests that only look at the session set no cookie`() async throws {
            let app = make()
            let id = try await app.logIn()
            for _ in 0..<9 {
                app.clock.move(500)
                #expect(try await app.get("me", id).setCookies == [])
            }
        }

        @Test func `Shorter time-outs count for sessions that are there`() async throws {
            let app = make()
            let id = try await app.logIn()
            let strict = SessionApp.make(
                clock: app.clock,
                store: app.store,
                configure: { $0.idleTimeout = .seconds(100) }
            )
            app.clock.move(99)
            #expect(try await strict.user(id) == "ada")
            app.clock.move(150)
            #expect(try await strict.user(id) == "nobody")
            #expect(try await app.user(id) == "ada")
        }

        @Test func `A clock that goes back ends nothing and writes nothing`() async throws {
            let app = make()
            let id = try await app.logIn()
            app.clock.move(-3600)
            app.store.forgetCalls()
            #expect(try await app.user(id) == "ada")
            #expect(app.store.calls == ["session"])
        }
    }
}
