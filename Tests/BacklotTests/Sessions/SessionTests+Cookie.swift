import Testing

@testable import Backlot

extension SessionTests {
    /// What the cookie says, byte by byte, and when it is set.
    struct Cookie {
        private static let id = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"

        private func make(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> SessionApp {
            .make(configure: { configuration in
                configuration.randomBytes = { count in (0..<count).map { UInt8($0) } }
                configure(&configuration)
            })
        }

        @Test func `A log-in sets the cookie`() async throws {
            let response = try await make().get("log_in")
            #expect(
                response.setCookies == [
                    "session=\(Self.id); Path=/; Max-Age=31536000; Expires=Fri, 01 Jan 2027 12:00:00 GMT; "
                        + "HttpOnly; SameSite=Lax"
                ]
            )
            #expect(response.response.headers[.cacheControl] == "no-store")
            #expect(response.code == 200)
        }

        @Test func `A log-out clears it`() async throws {
            let app = make()
            let response = try await app.get("log_out", try await app.logIn())
            #expect(
                response.setCookies == [
                    "session=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax"
                ]
            )
            #expect(response.response.headers[.cacheControl] == "no-store")
        }

        @Test(arguments: [SessionConfiguration.SameSite.strict, .none])
        func `SameSite and Max-Age are as configured`(_ sameSite: SessionConfiguration.SameSite) async throws {
            let app = make { configuration in
                configuration.sameSite = sameSite
                configuration.absoluteTimeout = .seconds(60)
            }
            #expect(
                try await app.get("log_in").setCookies == [
                    "session=\(Self.id); Path=/; Max-Age=60; Expires=Thu, 01 Jan 2026 12:01:00 GMT; "
                        + "HttpOnly; SameSite=\(sameSite.rawValue)"
                ]
            )
        }

        @Test func `The path is the app's`() async throws {
            let app = SessionApp.make(path: "/objects/")
            let id = try await app.logIn()
            #expect(try await app.get("renew", id).setCookies.first?.contains("; Path=/objects/; ") == true)
            #expect(try await app.get("log_out").setCookies.first?.contains("=; Path=/objects/; ") == true)
        }

        @Test func `A renewed session's cookie ends when the session does`() async throws {
            let app = SessionApp.make()
            let id = try await app.logIn()
            app.clock.move(1000)
            let cookie = try #require(try await app.get("renew", id).setCookies.first)
            #expect(cookie.contains("; Max-Age=31535000; Expires=Fri, 01 Jan 2027 12:00:00 GMT; "))
        }

        @Test func `No cookie is set where nothing is stored`() async throws {
            let app = SessionApp.make { app in
                app.get("/empty") { request in
                    try await request.session.set(Counter.self, to: nil)
                    try await request.session.renew()
                    return Response(headers: [.cacheControl: "max-age=60"])
                }
            }
            for target in ["plain", "me", "empty", "counter"] {
                #expect(try await app.get(target).setCookies == [])
            }
            #expect(try await app.get("empty").response.headers[.cacheControl] == "max-age=60")
            #expect(app.store.memory.count == 0)
        }

        @Test func `A value sets it once, later requests don't`() async throws {
            let app = SessionApp.make()
            let first = try await app.get("count")
            let id = try #require(first.id)
            #expect(first.text == "1")
            for expected in 2...5 {
                app.clock.move(86_400)
                let response = try await app.get("count", id)
                #expect(response.setCookies == [])
                #expect(response.text == "\(expected)")
            }
        }

        @Test func `A response's own Set-Cookie stays, its Cache-Control doesn't`() async throws {
            let app = SessionApp.make { app in
                app.get("/both") { request in
                    try await request.session.logIn(user: "ada")
                    return Response(headers: [.setCookie: "theme=dark", .cacheControl: "public, max-age=60"])
                }
            }
            let response = try await app.get("both")
            #expect(response.setCookies.count == 2)
            #expect(response.setCookies.first == "theme=dark")
            #expect(response.response.headers[values: .cacheControl] == ["no-store"])
        }
    }
}
