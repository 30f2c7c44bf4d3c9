import Backlot
import BacklotTesting
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct MembersTests {
    private func logIn(_ app: ApplinClient, as name: String = "ann") async throws {
        try await app.enter(name, into: "Name")
        try await app.enter("secret", into: "Password")
        try await app.tap("Log In")
    }

    @Test(arguments: DemoFlow.all)
    func `Log in, come back after a restart, log out`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Members")
            #expect(app.errorText == "You are not logged in, or not any more. Please log in.")
            #expect(app.lastRequest?.response?.headers[.contentType] == "text/plain; charset=utf-8")
            try await app.back()

            try await app.tap("Log In")
            try await logIn(app)
            #expect(app.stack == ["/members"])
            #expect(app.texts.first == "You are logged in as ann.")
            try await app.relaunch()
            #expect(app.texts.first == "You are logged in as ann.")

            try await app.tap("Log out")
            #expect(app.stack == ["/"])
            #expect(app.cookies.isEmpty)
            #expect(app.variables.isEmpty)
            try await app.tap("Members")
            #expect(app.errorKind == .user)
        }
    }

    @Test(arguments: DemoFlow.all)
    func `Who logs out of the client only is still known to the backend`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/log_in")
            try await logIn(app)
            let session = try #require(app.cookies.first { $0.name == "session" })
            try await app.tap("Log out of the client only")
            #expect(app.cookies.isEmpty)
            let thief = DemoClient(flow.mount, app)
            let headers: HTTPFields = [.cookie: "session=\(session.value)"]
            #expect(try await thief.send(.get, "/members", headers: headers).status == 200)
        }
    }

    @Test(arguments: [
        (" ", "secret", "Please enter a name of up to 50 characters."),
        (String(repeating: "a", count: 51), "secret", "Please enter a name of up to 50 characters."),
        ("ann", "", "Please enter a password: any will do."),
    ])
    func `A log-in needs a name and a password`(name: String, password: String, text: String) async throws {
        for flow in DemoFlow.objects {
            try await flow.run { app in
                try await app.launch(at: "/log_in")
                try await app.enter(name, into: "Name")
                try await app.enter(password, into: "Password")
                try await app.tap("Log In")
                #expect(app.errorText == text)
                #expect(app.stack == ["/log_in", "/applin_user_error"])
                #expect(app.cookies.isEmpty)
            }
        }
    }

    @Test(arguments: DemoFlow.all)
    func `The cookie lasts, and covers the mount and nothing else`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/log_in")
            try await logIn(app)
            let cookie = try #require(app.cookies.first)
            #expect(app.cookies.count == 1)
            #expect(cookie.name == "session")
            #expect(cookie.path == flow.mount.path)
            #expect(cookie.isPersistent)
            #expect(cookie.isHTTPOnly)
        }
    }

    @Test(arguments: DemoFlow.all)
    func `To log out everywhere ends the other devices' sessions, and nobody else's`(flow: DemoFlow) async throws {
        try await flow.run { phone in
            let (tablet, other) = (phone.otherDevice(), phone.otherDevice())
            for (device, name) in [(phone, "ann"), (tablet, "ann"), (other, "bob")] {
                try await device.launch(at: "/log_in")
                try await logIn(device, as: name)
                #expect(device.texts.first == "You are logged in as \(name).")
            }
            try await phone.tap("Log out everywhere")
            #expect(phone.stack == ["/"])
            try await tablet.pullToRefresh()
            #expect(tablet.errorKind == .user)
            try await other.pullToRefresh()
            #expect(other.errorKind == nil)
        }
    }

    @Test(arguments: DemoFlow.all)
    func `An expired session leaves the client its cookie`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/log_in")
            try await logIn(app)
            try await app.tap("All demos")
            let cookies = app.cookies
            try await app.tap("Expired Session")
            #expect(app.texts.first == "You are logged in as ann.")
            try await app.tap("Let the session expire, and open the members' page")
            #expect(app.errorKind == .user)
            #expect(app.cookies.map(\.value) == cookies.map(\.value))
            try await app.back()
            try await app.tap("Log in")
            try await logIn(app)
            #expect(app.stack == ["/members"])
        }
    }

    @Test func `Without a session there is none to expire`() async throws {
        #expect(try await DemoClient(.documented).post("/expired_session/expire").status == 200)
    }

    @Test(arguments: DemoFlow.all)
    func `The counter is the session's own, and outlives the log-in`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Counter")
            for _ in 1...2 { try await app.tap("Count") }
            #expect(app.texts.first == "Counted to 2 by somebody who is not logged in.")
            let other = app.otherDevice()
            try await other.launch(at: "/counter")
            #expect(other.texts.first == "Counted to 0 by somebody who is not logged in.")
            try await app.back()
            try await app.tap("Log In")
            try await logIn(app)
            try await app.tap("Count in the session")
            try await app.tap("Count")
            #expect(app.texts.first == "Counted to 3 by ann.")
        }
    }

    @Test func `A session of one mount is none of the other's`() async throws {
        let client = DemoClient(.documented)
        try await client.logIn()
        let session = try #require(try client.cookie("session"))
        // The cookie of the path / goes to /objects/ too.
        let response = try await client.send(
            .get,
            fromRoot: "/objects/members",
            headers: [.cookie: "session=\(session)"]
        )
        #expect(response.status == 403)
    }
}
