import BacklotHTTP
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import BacklotMocks

/// What tells clients apart.
@Suite(.timeLimit(.minutes(5))) struct StateKeyTests {
    private static let gym = [
        "classes.crud.yaml": """
        rows:
          - {id: 1, name: Yoga, seats: 12}
        schema:
          properties: {name: {type: string}, seats: {type: integer}}
        """,
        "v1/door.get.yaml": """
        scenarioName: door
        responses:
          - {requiredScenarioState: open, body: is open}
          - {body: "is closed {{data.classes.0.name}}"}
        """,
        "v1/open.rpc.yaml": "{scenarioName: door, newScenarioState: open}",
        "v2/door.get.yaml": "{scenarioName: door, requiredScenarioState: open, body: is open}",
    ]
    private static let ann: HTTPFields = [.authorization: "Bearer ann"]
    private static let bob: HTTPFields = [.authorization: "Bearer bob"]

    @Test func `Each token is a client, and none gets a cookie`() async throws {
        try await withMocks(Self.gym, configure: { $0.stateKey = .field(.authorization) }) { mocks in
            let new = #"{"name":"Boxing","seats":3}"#
            let added = try await mocks.ask(.post, "/classes", headers: Self.ann, body: new)
            #expect(added.status.code == 201 && added.headers[.setCookie] == nil)
            try await mocks.expect("200 is closed Yoga", .get, "/v1/door", headers: Self.ann)
            try await mocks.expect("200 ", .post, "/v1/open", headers: Self.ann)
            try await mocks.expect("200 is open", .get, "/v1/door", headers: Self.ann)
            try await mocks.expect("200 is closed Yoga", .get, "/v1/door", headers: Self.bob)
            for (client, count) in [(Self.ann, "2"), (Self.bob, "1"), ([:], "1")] {
                #expect(
                    try await mocks.ask(.get, "/classes", headers: client).headers[
                        HTTPField.Name("X-Total-Count") ?? .date
                    ] == count
                )
            }
            // Commands name a client by its token.
            let path = "/__admin/data/classes?session=Bearer%20ann"
            #expect(try await mocks.ask(.delete, path).status == .ok)
            #expect(
                try await mocks.ask(.get, "/classes", headers: Self.ann).headers[
                    HTTPField.Name("X-Total-Count") ?? .date
                ] == "1"
            )
        }
    }

    /// The recipe of the article on mocks.
    @Test func `A JSON API lets in whoever has a token from its log-in`() async throws {
        let files = [
            "login.post.yaml": """
            logIn: "{{variables.user}}"
            newClient: "Bearer tok-{{variables.user}}"
            jsonBody: {token: "tok-{{variables.user}}"}
            """,
            "orders.crud.yaml": """
            requiresLogin: 401
            rows: [{id: 1, item: Tea}]
            """,
            "report.get.yaml": "{requiresLogin: 418, jsonBody: {sum: 3}}",
        ]
        try await withMocks(files, configure: { $0.stateKey = .field(.authorization) }) { mocks in
            for (method, path) in [(.get, "/orders"), (.post, "/orders"), (.delete, "/orders/1")]
                as [(HTTPRequest.Method, String)]
            {
                for headers in [[:], Self.ann] {
                    let refused = try await mocks.ask(method, path, headers: headers, body: "{}")
                    #expect(refused.status == .unauthorized && refused.headers[.wwwAuthenticate] == "Bearer")
                    #expect(refused.headers[.contentType] == "application/problem+json")
                }
            }
            #expect(try await mocks.ask(.get, "/report").status.code == 418)
            try await mocks.expect(#"200 {"token":"tok-ann"}"#, .post, "/login", body: #"{"user":"ann"}"#)
            let token: HTTPFields = [.authorization: "Bearer tok-ann"]
            #expect(try await mocks.ask(.post, "/orders", headers: token, body: #"{"item":"Milk"}"#).status == .created)
            try await mocks.expect(#"200 {"id":2,"item":"Milk"}"#, .get, "/orders/2", headers: token)
            try await mocks.expect(#"200 {"sum":3}"#, .get, "/report", headers: token)
        }
    }

    @Test(arguments: ["", "?client=own", "?session=Bearer%20tok-ann"])
    func `A command that resets scenarios logs nobody out`(query: String) async throws {
        let files = [
            "login.post.yaml": "{logIn: ann, newClient: Bearer tok-ann}",
            "open.post.yaml": "{scenarioName: door, newScenarioState: open}",
            "door.get.yaml": """
            scenarioName: door
            requiresLogin: 401
            responses:
              - {requiredScenarioState: open, body: is open}
              - {body: is closed}
            """,
        ]
        try await withMocks(files, configure: { $0.stateKey = .field(.authorization) }) { mocks in
            let token: HTTPFields = [.authorization: "Bearer tok-ann"]
            try await mocks.expect("200 ", .post, "/login")
            try await mocks.expect("200 ", .post, "/open", headers: token)
            try await mocks.expect("200 is open", .get, "/door", headers: token)
            try await mocks.expect("200 {}", .post, "/__admin/scenarios/reset\(query)", headers: token)
            try await mocks.expect("200 is closed", .get, "/door", headers: token)
        }
    }

    @Test(arguments: ["requiresLogin: 200", "requiresLogin: [401]", "requiresLogin: 401.5"])
    func `Only errors of clients refuse a log-in`(key: String) async throws {
        let error = await #expect(throws: (any Error).self) {
            try await withMocks(["a.get.yaml": "{\(key), body: x}"]) { _ in }
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("requiresLogin"))
    }

    @Test func `Without the field the cookie counts`() async throws {
        try await withMocks(Self.gym, configure: { $0.stateKey = .field(.authorization) }) { mocks in
            let opened = try await mocks.ask(.post, "/v1/open", headers: [.cookie: "session=x"])
            #expect(opened.headers[.setCookie] == nil)
            try await mocks.expect("200 is open", .get, "/v1/door", headers: [.cookie: "session=x"])
            // Requests with neither are one client.
            try await mocks.expect("200 is closed Yoga", .get, "/v1/door")
            #expect(try await mocks.ask(.post, "/v1/open").headers[.setCookie] == nil)
            try await mocks.expect("200 is open", .get, "/v1/door")
            try await mocks.expect("200 is closed Yoga", .get, "/v1/door", headers: Self.ann)
        }
    }

    @Test func `A token that is as long as a head may be counts by its hash`() async throws {
        try await withMocks(Self.gym, configure: { $0.stateKey = .field(.authorization) }) { mocks in
            let token = "Bearer " + String(repeating: "x", count: 30_000)
            try await mocks.expect("200 ", .post, "/v1/open", headers: [.authorization: token])
            try await mocks.expect("200 is open", .get, "/v1/door", headers: [.authorization: token])
            try await mocks.expect("200 is closed Yoga", .get, "/v1/door", headers: [.authorization: token + "y"])
            #expect(mocks.backend.scenarios.sessions.allSatisfy { $0.utf8.count < 100 })
        }
    }

    @Test func `A settings file holds for its folder, and changes while it runs`() async throws {
        var files = Self.gym
        files["v1/settings.yaml"] = "stateBy: Authorization"
        try await withMocks(files) { mocks in
            #expect(try await mocks.ask(.post, "/v1/open", headers: Self.ann).headers[.setCookie] == nil)
            try await mocks.expect("200 is open", .get, "/v1/door", headers: Self.ann)
            // The folder beside it goes by the cookie.
            try await mocks.expect(.notFound, .get, "/v2/door")
            try mocks.folder.write("stateBy: cookie", to: "v1/settings.yaml")
            #expect(mocks.files.scan().changed == ["v1/settings.yaml"])
            try await mocks.expect("200 is closed Yoga", .get, "/v1/door", headers: Self.ann)
            try mocks.folder.remove("v1/settings.yaml")
            #expect(mocks.files.scan().removed == ["v1/settings.yaml"])
            #expect(try await mocks.ask(.post, "/v1/open", headers: Self.ann).headers[.setCookie] != nil)
        }
    }

    @Test(arguments: [
        ("stateBy: 'a b'", "\"a b\" is no header field; write cookie, or a name such as Authorization"),
        ("stateBy: 5", "must be"), ("state: cookie", "Write \"stateBy\""), ("[]", "which is an object"),
    ])
    func `Broken settings are explained`(text: String, message: String) async throws {
        let found = try await problems("settings.yaml", text)
        #expect(found.count == 1 && found[0].contains(message), "\(found)")
    }

    @Test func `Two settings of one folder are refused`() async throws {
        let found = try await problems("settings.yaml", "stateBy: cookie", others: ["settings.json": "{}"])
        #expect(found.count == 1 && found[0].contains("the settings of the folder '' is answered by"), "\(found)")
        #expect(found.first?.hasSuffix("already; remove one of the two") == true, "\(found)")
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "/classes", "[]"), (.post, "/classes", "{"), (.delete, "/classes", ""),
        (.put, "/classes/7", #"{"name":"A","seats":1}"#), (.post, "/classes", #"{"name":5}"#),
    ])
    func `A CRUD route that refuses sets no cookie`(method: HTTPRequest.Method, path: String, body: String) async throws
    {
        try await withMocks(Self.gym) { mocks in
            let refused = try await mocks.ask(method, path, body: body)
            #expect(refused.status.code >= 400 && refused.headers[.setCookie] == nil, "\(refused.status)")
            #expect(mocks.backend.data.clients == 0)
        }
    }

    @Test(arguments: ["/orders", "/open"])
    func `A route that requires a log-in sets no cookie where it refuses`(path: String) async throws {
        let files = [
            "orders.crud.yaml": "{requiresLogin: true, rows: []}",
            "open.rpc.yaml": "{requiresLogin: true, scenarioName: door, newScenarioState: open}",
        ]
        try await withMocks(files) { mocks in
            let refused = try await mocks.ask(.post, path, body: "{}")
            #expect(refused.status == .forbidden && refused.headers[.setCookie] == nil, "\(refused.status)")
        }
    }

    @Test func `A client that loses its cookie is noted once`() async throws {
        let lines = LogRecorder()
        try await withMocks(Self.gym, logger: lines.logger) { mocks in
            try await mocks.expect("200 is closed Yoga", .get, "/v1/door")
            try await mocks.expect("200 ", .post, "/v1/open")
            #expect(lines.lines == [])
            for _ in 0..<2 { try await mocks.expect("200 is closed Yoga", .get, "/v1/door", headers: Self.ann) }
            #expect(lines.lines.count == 1)
            #expect(lines.lines[0].contains("GET \"/v1/door\" comes without the session cookie"), "\(lines.lines)")
            #expect(lines.lines[0].contains("--state-by Authorization"))
        }
    }
}
