import Backlot
import Testing

@testable import demo_server

struct MembersTests {
    @Test(arguments: DemoMount.all)
    func `Log in, see the members' page, log out`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        let refusal = try await client.send(.get, "/members")
        #expect(refusal.status == 403)
        #expect(refusal.text == "You are not logged in, or not any more. Please log in.")
        #expect(refusal.headers[.contentType] == "text/plain; charset=utf-8")

        try await client.logIn("ann")
        #expect(client.cookies["session"] != nil)
        #expect(try await client.page("/members").strings("text").contains("You are logged in as ann."))
        #expect(try await client.post("/log_out").status == 200)
        #expect(client.cookies["session"] == nil)
        #expect(try await client.send(.get, "/members").status == 403)
    }

    @Test(arguments: [
        (" ", "secret", "Please enter a name of up to 50 characters."),
        (String(repeating: "a", count: 51), "secret", "Please enter a name of up to 50 characters."),
        ("ann", "", "Please enter a password: any will do."),
    ])
    func `A log-in needs a name and a password`(name: String, password: String, text: String) async throws {
        let client = DemoClient(.objects)
        let input: JSONObject = ["log_in_name": .string(name), "log_in_password": .string(password)]
        let answer = try await client.post("/log_in/submit", input)
        #expect(answer.status == 422)
        #expect(answer.text == text)
        #expect(client.cookies.isEmpty)
    }

    @Test(arguments: DemoMount.all)
    func `The cookie lasts, and covers the mount and nothing else`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        let input: JSONObject = ["log_in_name": "ann", "log_in_password": "secret"]
        let cookie = try #require(try await client.post("/log_in/submit", input).headers[.setCookie])
        #expect(cookie.hasPrefix("session="))
        #expect(cookie.contains("Path=\(mount.path);"))
        #expect(cookie.contains("Max-Age="))
        #expect(cookie.contains("HttpOnly"))
    }

    @Test(arguments: DemoMount.all)
    func `To log out everywhere ends the other devices' sessions, and nobody else's`(mount: DemoMount) async throws {
        let server = DemoClient.server()
        let (phone, tablet, other) = (DemoClient(mount, server), DemoClient(mount, server), DemoClient(mount, server))
        try await phone.logIn("ann")
        try await tablet.logIn("ann")
        try await other.logIn("bob")
        #expect(try await phone.post("/log_out_everywhere").status == 200)
        #expect(try await phone.send(.get, "/members").status == 403)
        #expect(try await tablet.send(.get, "/members").status == 403)
        #expect(try await other.send(.get, "/members").status == 200)
    }

    @Test(arguments: DemoMount.all)
    func `An expired session leaves the client its cookie`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        try await client.logIn()
        let cookie = client.cookies["session"]
        #expect(try await client.post("/expired_session/expire").status == 200)
        #expect(client.cookies["session"] == cookie)
        #expect(try await client.send(.get, "/members").status == 403)
        try await client.logIn()
        #expect(try await client.send(.get, "/members").status == 200)
    }

    @Test func `Without a session there is none to expire`() async throws {
        #expect(try await DemoClient(.documented).post("/expired_session/expire").status == 200)
    }

    @Test(arguments: DemoMount.all)
    func `The counter is the session's own, and outlives the log-in`(mount: DemoMount) async throws {
        let server = DemoClient.server()
        let (client, other) = (DemoClient(mount, server), DemoClient(mount, server))
        for _ in 1...2 { #expect(try await client.post("/counter/increment").status == 200) }
        #expect(
            try await client.page("/counter").strings("text").first == "Counted to 2 by somebody who is not logged in."
        )
        #expect(try await other.page("/counter").strings("text").first?.hasPrefix("Counted to 0 ") == true)
        try await client.logIn("ann")
        #expect(try await client.post("/counter/increment").status == 200)
        #expect(try await client.page("/counter").strings("text").first == "Counted to 3 by ann.")
    }

    @Test func `A session of one mount is none of the other's`() async throws {
        let server = DemoClient.server()
        let client = DemoClient(.documented, server)
        try await client.logIn()
        let session = try #require(client.cookies["session"])
        // The cookie of the path / goes to /objects/ too.
        let answer = try await client.send(.get, fromRoot: "/objects/members", headers: [.cookie: "session=\(session)"])
        #expect(answer.status == 403)
    }
}
