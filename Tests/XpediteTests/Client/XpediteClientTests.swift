import Backlot
import BacklotTesting
import Testing

@testable import Xpedite

/// The client behaves as a device does, and notices what a backend does wrong.
@Suite(.timeLimit(.minutes(5))) struct XpediteClientTests {
    /// Sends prepared responses, and can go away.
    private final class Script: ClientTransport {
        let responses: Locked<[String]>
        let isAway = Locked(false)

        init(_ responses: [String]) { self.responses = Locked(responses) }

        func response(
            to request: ClientRequest,
            limits: ClientLimits
        ) async throws(ClientError) -> ClientResponse {
            if isAway.withLock({ $0 }) { throw .notConnected("away") }
            let response = responses.withLock { $0.isEmpty ? "" : $0.removeFirst() }
            if let code = Int(response) { return ClientResponse(status: HTTPResponse.Status(code: code)) }
            return ClientResponse(status: .ok, body: Array(response.utf8))
        }
    }

    private func makeClient(_ responses: String...) throws -> (XpediteClient, Script) {
        let script = Script(responses)
        return (try XpediteClient(url: "http://localhost/xpedite", transport: script), script)
    }

    private static let home = #"{"rc":0,"version":1,"token":"t","title":"Home","components":[]}"#

    @Test(arguments: [
        (#"{"rc":0,"components":[]}"#, XpediteClientError.noPacket(#"it has no "token""#)),
        (#"{"rc":1,"token":"","components":[]}"#, .noPacket(#"it has no "token""#)),
        ("nonsense", .noPacket("it is no JSON object")), ("{}", .noPacket(#"it has no "rc""#)),
        ("404", .noPacket("its status is 404")), ("500", .serverAway("its status is 500")),
    ])
    func `A response that a device would drop is an error`(response: String, failure: XpediteClientError) async throws {
        let (app, _) = try makeClient(Self.home, response)
        try await app.connect()
        let error = await #expect(throws: XpediteClientError.self) { try await app.call("x") }
        #expect(error == failure)
        #expect(app.title == "Home")
    }

    @Test func `A page that breaks rules is a failure of the backend`() async throws {
        let (app, _) = try makeClient(#"{"rc":0,"token":"t","components":[{"type":"label"}]}"#)
        let error = await #expect(throws: BackendError.self) { try await app.connect() }
        #expect(error?.findings.map(\.rule) == ["missing-key"])
    }

    @Test func `A kept page is shown while the server is away, for as long as it may be`() async throws {
        let (app, script) = try makeClient(
            Self.home,
            #"{"rc":0,"token":"t","title":"For good","id":"a","disposition":"permanent","components":[]}"#,
            #"{"rc":0,"token":"t","title":"Sixty","id":"b","disposition":{"type":"expiry","seconds":60},"components":[]}"#,
            #"{"rc":0,"token":"t","title":"Not kept","components":[]}"#
        )
        try await app.connect()
        for method in ["good", "sixty", "not"] { try await app.call(method) }
        #expect(app.isCached == false)
        script.isAway.withLock { $0 = true }
        try await app.call("good")
        #expect(app.title == "For good")
        #expect(app.isCached)
        try await app.call("sixty")
        #expect(app.title == "Sixty")
        app.wait(.seconds(60))
        await #expect(throws: XpediteClientError.self) { try await app.call("sixty") }
        await #expect(throws: XpediteClientError.self) { try await app.call("not") }
        await #expect(throws: XpediteClientError.self) { try await app.call("good", ["other": 1]) }
        try await app.call("good")
        #expect(app.title == "For good")
    }

    @Test func `A page that expires after the clock's end is kept for good`() async throws {
        let (app, script) = try makeClient(
            Self.home,
            #"""
            {"rc":0,"token":"t","title":"Ages","id":"a","components":[],
            "disposition":{"type":"expiry","seconds":9223372036854775807}}
            """#
        )
        try await app.connect()
        app.wait(.seconds(1))
        try await app.call("ages")
        script.isAway.withLock { $0 = true }
        app.wait(.seconds(1_000_000_000))
        try await app.call("ages")
        #expect(app.title == "Ages")
        #expect(app.isCached)
    }

    @Test func `A new version drops what was kept`() async throws {
        let (app, script) = try makeClient(
            Self.home,
            #"{"rc":0,"token":"t","id":"a","disposition":"permanent","components":[]}"#,
            #"{"rc":0,"version":2,"token":"t","components":[]}"#
        )
        try await app.connect()
        try await app.call("good")
        try await app.call("new")
        script.isAway.withLock { $0 = true }
        await #expect(throws: XpediteClientError.self) { try await app.call("good") }
    }

    @Test func `A navigation that is sent by its id must have come whole`() async throws {
        let reference = #"{"rc":0,"token":"t","components":[{"type":"navigation","id":"m"}]}"#
        let whole = #"""
            {"rc":0,"token":"t","components":[{"type":"navigation","id":"m",
            "implementation":{"style":"slidefrom","position":"left"},
            "components":[{"type":"menuEntry","text":"Go","method":{"function":"go"}}]}]}
            """#
        let (app, _) = try makeClient(Self.home, reference, whole, reference, Self.home)
        try await app.connect()
        await #expect(throws: BackendError.self) { try await app.call("x") }
        try await app.call("x")
        try await app.call("x")
        try await app.tap("Go")
        #expect(app.sent.last?["method"] == "go")
    }

    @Test func `What is on no screen can't be tapped`() async throws {
        let (app, _) = try makeClient(
            #"{"rc":0,"token":"t","components":[{"type":"button","text":"Create","method":{"function":"go"}}]}"#
        )
        try await app.connect()
        let error = await #expect(throws: StepError.self) { try await app.tap("Creat") }
        #expect(error?.problem == #"nothing to tap says "Creat"; there is "Create""#)
    }

    @Test func `A client goes on with the token that a log-in brings`() async throws {
        let router = Router()
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { _ in page { label("x") } }
            app.method("logIn") { call in
                try call.session.logIn(user: "ann")
                return page { label("in") }
            }
            app.method("who") { call in page { label(call.session.user ?? "nobody") } }
        }
        let app = try XpediteClient(router)
        try await app.connect()
        let token = app.token
        try await app.call("logIn")
        #expect(app.token != token)
        try await app.call("who")
        #expect(app.components("label").first?["text"] == "ann")
        try await app.connect()
        try await app.call("who")
        #expect(app.components("label").first?["text"] == "nobody")
    }

    @Test(arguments: XpediteClientConfiguration.Checkbox.allCases)
    func `Save and cancel send what was filled in`(checkbox: XpediteClientConfiguration.Checkbox) async throws {
        struct Entry: Decodable {
            let name: String
            let isActive: Bool
        }
        let router = Router()
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { _ in
                page {
                    form(id: "f") {
                        textbox(name: "name")
                        Xpedite.checkbox(name: "isActive").title("Active").value(true)
                        date(name: "day")
                    }
                    .save("save", "OK").cancel("leave", "Discard")
                }
            }
            for method in ["save", "leave"] {
                app.method(method, Entry.self, form: "f") { entry, _ in
                    page("\(method) \(entry.name) \(entry.isActive)") { label("x") }
                }
            }
        }
        var configuration = XpediteClientConfiguration()
        configuration.checkbox = checkbox
        try await withXpediteClient(router, configuration: configuration) { app in
            for (isOn, button) in [(true, "OK"), (false, "OK"), (true, "Discard"), (false, "Discard")] {
                try await app.connect()
                try app.enter("Ann", into: "name")
                try isOn ? app.check("Active") : app.uncheck("Active")
                // The user can leave a form with an invalid date.
                try app.pick(button == "OK" ? "2000-01-01" : "never", for: "day")
                try await app.tap(button)
                #expect(app.title == "\(button == "OK" ? "save" : "leave") Ann \(isOn)")
            }
        }
    }

    @Test(arguments: XpediteClientConfiguration.Selection.allCases, XpediteClientConfiguration.Parameters.allCases)
    func `However a client writes its packets, the server reads them`(
        selection: XpediteClientConfiguration.Selection,
        parameters: XpediteClientConfiguration.Parameters
    ) async throws {
        struct Row: Decodable { let id: Int }
        let router = Router()
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { _ in page { table("rows") { cell("id") }.clickRow("view", selected: "id").refresh("Pull") } }
            app.table("rows", batch: 2) { offset, limit, _ in
                (offset..<min(5, offset + limit)).map { ["id": .number(JSONNumber(Int64($0)))] }
            }
            app.method("view", Row.self, selected: "id") { row, _ in page("Row \(row.id)") { label("x") } }
        }
        var configuration = XpediteClientConfiguration()
        configuration.selection = selection
        configuration.parameters = parameters
        for reach in ClientReach.allCases {
            try await withXpediteClient(router, over: reach, configuration: configuration) { app in
                try await app.connect()
                #expect(app.rows.rows.count == 2)
                try await app.loadMore()
                try await app.loadMore()
                #expect(app.rows.rows.compactMap { $0["id"]?.number?.int64 } == [0, 1, 2, 3, 4])
                #expect(app.rows.hasMore == false)
                try await app.refresh()
                #expect(app.rows.rows.count == 2)
                #expect(app.rows.hasMore)
                try await app.tapRow(1)
                #expect(app.title == "Row 1")
            }
        }
    }
}
