import BacklotHTTP
import HTTPTypes
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct ScenarioTests {
    private static let light = [
        "light.get.yaml": """
        scenarioName: light
        responses:
          - {requiredScenarioState: "on", body: is on}
          - {requiredScenarioState: Started, body: is off}
        """,
        "switch.rpc.yaml": """
        scenarioName: light
        responses:
          - {requiredScenarioState: Started, newScenarioState: "on"}
          - {requiredScenarioState: "on", newScenarioState: Started}
        """,
    ]

    @Test func `Each session has its own states`() async throws {
        try await withMocks(Self.light) { mocks in
            let (ann, bob): (HTTPFields, HTTPFields) = ([.cookie: "session=ann"], [.cookie: "x=1; session=bob"])
            try await mocks.expect("200 is off", .get, "/light")
            try await mocks.expect("200 ", .post, "/switch", headers: ann)
            try await mocks.expect("200 is on", .get, "/light", headers: ann)
            try await mocks.expect("200 is off", .get, "/light", headers: bob)
            try await mocks.expect("200 is off", .get, "/light")
            mocks.backend.scenarios.reset(.session("ann"))
            try await mocks.expect("200 is off", .get, "/light", headers: ann)
            mocks.backend.scenarios.set("light", to: "on")
            try await mocks.expect("200 is on", .get, "/light", headers: ann)
            try await mocks.expect("200 is on", .get, "/light")
            mocks.backend.reset()
            try await mocks.expect("200 is off", .get, "/light")
        }
    }

    private static let members = [
        "log_in.rpc.yaml": """
        scenarioName: visit
        newScenarioState: inside
        logIn: "{{variables.username}}"
        """,
        "log_out.rpc.yaml": "logOut: true",
        "hello.page.yaml": """
        requiresLogin: Please log in first.
        page: {typ: nav_page, title: "Hello {{session.user}}", widget: {typ: empty}}
        """,
        "where.get.yaml": """
        scenarioName: visit
        responses:
          - {requiredScenarioState: inside, body: inside}
          - {body: outside}
        """,
    ]

    @Test func `An rpc logs in and out, and a page requires it`() async throws {
        try await withMocks(Self.members) { mocks in
            try await mocks.expect("403 Please log in first.", .get, "/hello")
            #expect(
                try await mocks.text(.post, "/log_in", body: "{}").hasPrefix("422 Nobody can log in without a name")
            )
            let logIn = try await mocks.ask(.post, "/log_in", body: #"{"username":"Ann \"A\""}"#)
            #expect(logIn.status == .ok)
            let cookie = String(try #require(logIn.headers[.setCookie]).prefix { $0 != ";" })
            #expect(cookie.hasPrefix("session="))
            let hello = try await mocks.text(.get, "/hello", headers: [.cookie: cookie])
            #expect(hello == #"200 {"page":{"typ":"nav_page","title":"Hello Ann \"A\"","widget":{"typ":"empty"}}}"#)
            try await mocks.expect("200 ", .post, "/log_out", headers: [.cookie: cookie])
            try await mocks.expect("403 Please log in first.", .get, "/hello", headers: [.cookie: cookie])
        }
    }

    @Test func `The scenario goes with the session that a log-in makes, and nobody else's is touched`() async throws {
        try await withMocks(Self.members) { mocks in
            let logIn = try await mocks.ask(.post, "/log_in", body: #"{"username":"ann"}"#)
            let cookie = String(try #require(logIn.headers[.setCookie]).prefix { $0 != ";" })
            try await mocks.expect("200 inside", .get, "/where", headers: [.cookie: cookie])
            try await mocks.expect("200 outside", .get, "/where")
            // A second log-in gives the session a new id.
            let again = try await mocks.ask(
                .post,
                "/log_in",
                headers: [.cookie: cookie],
                body: #"{"username":"bob"}"#
            )
            let other = String(try #require(again.headers[.setCookie]).prefix { $0 != ";" })
            #expect(other != cookie)
            try await mocks.expect("200 inside", .get, "/where", headers: [.cookie: other])
            try await mocks.expect("200 outside", .get, "/where", headers: [.cookie: cookie])
        }
    }

    @Test(arguments: ["", "moves: {door: {Started: open}}", "data: {insert: {into: visits, value: {}}}"])
    func `A log-in without a name changes nothing`(change: String) async throws {
        var files = Self.members
        files["log_in.rpc.yaml", default: ""] += "\n\(change)"
        files["data/visits.yaml"] = "rows: []"
        try await withMocks(files) { mocks in
            let ann: HTTPFields = [.cookie: "session=ann"]
            for headers in [[:], ann] {
                let refused = try await mocks.ask(.post, "/log_in", headers: headers, body: "{}")
                #expect(refused.status == .unprocessableContent && refused.headers[.setCookie] == nil)
                #expect(refused.text.hasPrefix("Nobody can log in without a name"), "\(refused.text)")
            }
            try await mocks.expect("200 outside", .get, "/where", headers: ann)
            let scenarios = mocks.backend.scenarios
            for session in scenarios.sessions {
                #expect(scenarios.states(in: .session(session)).values.allSatisfy { $0 == "Started" })
            }
            #expect(mocks.backend.data.clients == 0)
        }
    }

    @Test func `Only so many sessions are remembered`() {
        let states = ScenarioStates(mostSessions: 100)
        for number in 0..<1000 { states.set("a", to: "x", in: .session("\(number)")) }
        #expect(states.sessions.count <= 100)
        #expect(states.state(of: "a", in: .session("999")) == "x")
        #expect(states.state(of: "a", in: .session("0")) == "Started")
    }
}
