import BacklotHTTP
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct AnonymousSessionTests {
    private static let light = [
        "light.get.yaml": """
        scenarioName: light
        responses:
          - {requiredScenarioState: "on", body: is on}
          - {body: is off}
        """,
        "switch.rpc.yaml": "{scenarioName: light, newScenarioState: \"on\"}",
        "late.rpc.yaml": "{scenarioName: light, newScenarioState: \"on\", fixedDelayMilliseconds: 1}",
        "plain.get.yaml": "body: hi",
        "log_in.rpc.yaml": "logIn: \"{{variables.username}}\"",
        "mappings/wiremock.json": """
        {"request": {"method": "POST", "url": "/wiremock"}, "scenarioName": "light", "newScenarioState": "on"}
        """,
    ]

    private func cookie(_ response: Response) throws -> String {
        String(try #require(response.headers[.setCookie]).prefix { $0 != ";" })
    }

    @Test(arguments: ["/switch", "/late", "/wiremock"])
    func `A client without a cookie gets a session with the response that changes a state`(path: String) async throws {
        try await withMocks(Self.light) { mocks in
            #expect(try await mocks.ask(.get, "/light").headers[.setCookie] == nil)
            #expect(try await mocks.ask(.get, "/plain").headers[.setCookie] == nil)
            let (first, second) = (try await mocks.ask(.post, path), try await mocks.ask(.post, path))
            let attributes = try #require(first.headers[.setCookie]).split(separator: ";").dropFirst().map { "\($0)" }
            #expect(attributes.contains(" Path=/") && attributes.contains(" HttpOnly"))
            #expect(first.headers[.cacheControl] == "no-store")
            let (ann, bob) = (try cookie(first), try cookie(second))
            #expect(ann != bob)
            try await mocks.expect("200 is off", .get, "/light")
            try await mocks.expect("200 is on", .get, "/light", headers: [.cookie: ann])
            #expect(try await mocks.ask(.post, path, headers: [.cookie: ann]).headers[.setCookie] == nil)
        }
    }

    @Test func `A cookie that is too long for a session is replaced`() async throws {
        try await withMocks(Self.light) { mocks in
            let headers: HTTPFields = [.cookie: "session=\(String(repeating: "x", count: 257))"]
            let response = try await mocks.ask(.post, "/switch", headers: headers)
            #expect(response.headers[.setCookie] != nil)
            #expect(mocks.backend.scenarios.sessions.map(\.utf8.count) == [32])
        }
    }

    @Test func `With a shared state, all clients have one, and nobody gets a cookie`() async throws {
        try await withMocks(Self.light, configure: { $0.sharesState = true }) { mocks in
            #expect(
                try await mocks.ask(.post, "/switch", headers: [.cookie: "session=ann"]).headers[.setCookie] == nil
            )
            try await mocks.expect("200 is on", .get, "/light")
            try await mocks.expect("200 is on", .get, "/light", headers: [.cookie: "session=bob"])
            let bob = try cookie(try await mocks.ask(.post, "/log_in", body: #"{"username":"bob"}"#))
            try await mocks.expect("200 is on", .get, "/light", headers: [.cookie: bob])
        }
    }

    @Test func `A log-in takes along the client's own state, never the shared one`() async throws {
        try await withMocks(Self.light) { mocks in
            mocks.backend.scenarios.set("door", to: "open")
            let ann = try cookie(try await mocks.ask(.post, "/switch"))
            let logIn = try await mocks.ask(.post, "/log_in", headers: [.cookie: ann], body: #"{"username":"ann"}"#)
            let user = try cookie(logIn)
            #expect(user != ann)
            try await mocks.expect("200 is on", .get, "/light", headers: [.cookie: user])
            try await mocks.expect("200 is off", .get, "/light", headers: [.cookie: ann])
            let own = ScenarioStates.Scope.session(String(user.dropFirst("session=".count)))
            #expect(mocks.backend.scenarios.states(in: own) == ["light": "on"])
            let bob = try cookie(try await mocks.ask(.post, "/log_in", body: #"{"username":"bob"}"#))
            try await mocks.expect("200 is off", .get, "/light", headers: [.cookie: bob])
        }
    }
}
