import Applin
import Backlot
import BacklotChecks
import BacklotClients
import Logging
import TestSupport
import Testing

@testable import BacklotMocks

/// Flows of recorded mocks, sent to a backend with other sessions, ids and tokens.
@Suite(.timeLimit(.minutes(5))) struct MocksFlowTests {
    /// A backend that gives each note a new id, and knows its users by a token.
    private static func backend(isStrict: Bool = false) throws -> InProcessTransport {
        let state = Locked((next: 100, notes: [Int: String](), tokens: Set<String>()))
        let router = Router()
        router.post("/log_in") { request in
            let sent = try await request.json()
            guard sent["password"] == "right" else {
                return Response.text("Wrong password.", status: .unprocessableContent)
            }
            let token = state.withLock { state in
                state.next += 1
                state.tokens.insert("token-\(state.next)")
                return "token-\(state.next)"
            }
            return .document(["token": .string(token), "name": "Ada"])
        }
        router.post("/notes") { request in
            let sent = try await request.json()
            guard state.withLock({ $0.tokens.contains(sent["token"]?.string ?? "") }) else {
                return Response.text("Log in.", status: .unauthorized)
            }
            let id = state.withLock { state in
                state.next += 7
                state.notes[state.next] = sent["text"]?.string ?? ""
                return state.next
            }
            return .document(["id": .number(JSONNumber(Int64(id)))], .created)
        }
        router.get("/notes") { _ in
            .document(
                .array(state.withLock { $0.notes.keys.sorted(by: >).map { ["id": .number(JSONNumber(Int64($0)))] } })
            )
        }
        router.get("/notes/{id}") { request in
            let id = Int(try request.parameter("id")) ?? 0
            guard let text = state.withLock({ $0.notes[id] }) else {
                return Response.text("There is no such note.", status: .notFound)
            }
            return .document(["id": .number(JSONNumber(Int64(id))), isStrict ? "body" : "text": .string(text)])
        }
        return try InProcessTransport(router.handler())
    }

    /// The files of a recording of this backend.
    private static let files = [
        "log_in.post.yaml": """
        responses:
          - request: {variables: {password: pseudonym-1}}
            scenarioName: r
            requiredScenarioState: Started
            newScenarioState: "1 after POST /log_in"
            jsonBody: {token: pseudonym-of-a-token, name: Ada}
          - {status: 422, body: Wrong password.}
        """,
        "notes.post.yaml": """
        responses:
          - request: {variables: {token: pseudonym-of-a-token, text: Bread}}
            scenarioName: r
            requiredScenarioState: "1 after POST /log_in"
            newScenarioState: "2 after POST /notes"
            status: 201
            jsonBody: {id: 17}
        """,
        "notes.get.yaml": """
        responses:
          - scenarioName: r
            requiredScenarioState: "2 after POST /notes"
            jsonBody: [{id: 17}]
          - jsonBody: []
        """,
        "notes/[id].get.yaml": """
        responses:
          - scenarioName: r
            requiredScenarioState: "2 after POST /notes"
            request: {pathParameters: {id: "17"}}
            jsonBody: {id: 17, text: Bread}
          - {status: 404, body: There is no such note.}
        """,
    ]

    private func report(
        isStrict: Bool = false,
        _ change: (inout ComparisonOptions) -> Void
    ) async throws -> MocksComparisonReport {
        try await compare(Self.files, with: Self.backend(isStrict: isStrict), change).report
    }

    @Test func `A flow goes through the states, with the backend's own token and ids`() async throws {
        let report = try await report { options in
            options.callsRPCs = true
            options.variables = ["password": "right"]
        }
        #expect(report.isClean, "\(report)")
        #expect(report.compared == 6, "\(report)")
        #expect(report.unverified.map(\.source) == ["log_in.post.yaml:7"], "\(report)")
    }

    @Test func `What has changed at the end of a flow is found`() async throws {
        let report = try await report(isStrict: true) { options in
            options.callsRPCs = true
            options.variables = ["password": "right"]
        }
        let found = report.differences.map { "\($0.finding.rule) \($0.finding.path.page) \($0.finding.path.pointer)" }
        #expect(found == ["key-removed GET /notes/17 /text", "key-added GET /notes/17 /body"], "\(report)")
        #expect(report.differences.first?.file == "notes/[id].get.yaml")
    }

    @Test func `A log-in with a pseudonym for a password suggests a variable`() async throws {
        let report = try await report { $0.callsRPCs = true }
        #expect(report.differences.first?.finding.rule == "status-changed", "\(report)")
        #expect(report.differences.first?.finding.path.page == "POST /log_in")
        #expect(report.differences.first?.finding.fix.contains("--variable") == true)
    }

    @Test func `Without --rpc only what GET shows at first is asked for`() async throws {
        let report = try await report { _ in }
        #expect(report.isClean, "\(report)")
        #expect(report.compared == 2, "\(report)")
        #expect(report.unverified.count == 5, "\(report)")
        #expect(report.requests == 4)
    }

    @Test(arguments: ["/travel/notes/", "http://localhost/travel/notes/"])
    func `A new item is requested at its Location below the base path`(place: String) async throws {
        let last = Locked(100)
        let router = Router()
        router.post("/travel/notes") { _ in
            let id = last.withLock { last in
                last += 7
                return last
            }
            var response = Response.document([:], .created)
            response.headers[.location] = "\(place)\(id)"
            return response
        }
        router.get("/travel/notes/{id}") { request in
            let id = Int(try request.parameter("id")) ?? 0
            guard id > 100, id <= last.withLock({ $0 }) else {
                return Response.text("There is no such note.", status: .notFound)
            }
            return .document(["text": "Bread"])
        }
        let files = [
            "notes.post.yaml": """
            scenarioName: r
            requiredScenarioState: Started
            newScenarioState: "1 after POST /notes"
            request: {variables: {text: Bread}}
            status: 201
            headers: {Location: /notes/17}
            jsonBody: {}
            """,
            "notes/[id].get.yaml": """
            scenarioName: r
            requiredScenarioState: "1 after POST /notes"
            request: {pathParameters: {id: "17"}}
            jsonBody: {text: Bread}
            """,
        ]
        let transport = try InProcessTransport(router.handler())
        let report = try await compare(files, with: transport, at: "http://localhost/travel/") { $0.callsRPCs = true }
            .report
        #expect(report.isClean && report.unverified.isEmpty, "\(report)")
    }
}

extension Request {
    /// The body as JSON.
    fileprivate func json() async throws -> JSONValue { try JSONValue(parsing: try await body.collect(upTo: 10_000)) }
}
