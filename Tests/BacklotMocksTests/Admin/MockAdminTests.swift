import Backlot
import BacklotHTTP
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

/// Commands to mocks, by their answers.
@Suite(.timeLimit(.minutes(5))) struct MockAdminTests {
    private static let hello: JSONValue = [
        "request": ["method": "GET", "urlPath": "/hello"], "response": ["body": "hi"],
    ]

    private static func errors(_ json: JSONValue) -> JSONValue? { json["errors"]?[0] }

    // MARK: Stubs

    @Test func `Stubs are added, listed, replaced and removed`() async throws {
        let app = AdminApp()
        #expect(try await app.call(.get, "/hello").status == 404)
        let id = try await app.add(Self.hello)
        #expect(try await app.call(.get, "/hello").json == "hi")
        var response = try await app.call(.get, "/__admin/mappings")
        #expect(response.json["meta"] == ["total": 1] && response.json["mappings"]?[0]?["id"]?.string == id)
        response = try await app.call(.get, "/__admin/mappings/\(id)")
        #expect(response.status == 200 && response.json["request"] == Self.hello["request"])
        let changed: JSONValue = ["request": ["urlPath": "/hello"], "response": ["body": "bye"]]
        response = try await app.call(.put, "/__admin/mappings/\(id)", changed)
        #expect(response.status == 200 && response.json["id"]?.string == id && response.json["uuid"]?.string == id)
        #expect(try await app.call(.get, "/hello").json == "bye")
        #expect(try await app.call(.delete, "/__admin/mappings/\(id)").status == 200)
        #expect(try await app.call(.get, "/hello").status == 404)
        for method in [HTTPRequest.Method.get, .delete, .put] {
            #expect(try await app.call(method, "/__admin/mappings/\(id)", changed).status == 404)
            #expect(try await app.call(method, "/__admin/mappings/none", changed).status == 404)
        }
    }

    @Test func `Pages of the list`() async throws {
        let app = AdminApp()
        for index in 0..<5 { try await app.add(["name": .string("\(index)"), "request": ["urlPath": "/\(index)"]]) }
        let response = try await app.call(.get, "/__admin/mappings?limit=2&offset=1")
        // The last that was added is asked first.
        #expect(response.json["mappings"]?.array?.compactMap { $0["name"]?.string } == ["3", "2"])
        #expect(response.json["meta"] == ["total": 5])
        #expect(try await app.call(.get, "/__admin/mappings?limit=some").status == 422)
        #expect(try await app.call(.get, "/__admin/mappings?limit=-1").status == 422)
    }

    @Test(
        arguments: [
            (#"{"request":{"urlPath":"/a","url":"/b"}}"#, "/request", "contradict each other"),
            (#"{"request":{"headers":{"a/b~":{"equalTo":"x"}}}}"#, "/request/headers/a~1b~0", "can't be the name"),
            (#"{"response":{"fault":"EXPLODE"}}"#, "/response/fault", #""EXPLODE", which is unknown"#),
            (#"{"response":{"status":99}}"#, "/response/status", "99, but must be a whole number from 200 to 599"),
            (#"{"request":"#, nil, "the document ends where a value belongs"),
            ("[]", nil, "the body must be an object"),
        ] as [(String, String?, String)]
    )
    func `A stub that can't be read is a 422 that says where and why`(
        body: String,
        pointer: String?,
        text: String
    ) async throws {
        let app = AdminApp()
        let response = try await app.call(.post, "/__admin/mappings", bytes: Array(body.utf8))
        let error = try #require(Self.errors(response.json))
        #expect(response.status == 422)
        #expect(error["source"]?["pointer"]?.string == pointer)
        #expect(error["detail"]?.string?.contains(text) == true, "\(error)")
        #expect(error["title"]?.string?.isEmpty == false && error["code"] == 10)
        #expect(app.backend.stubs.count == 0)
    }

    @Test func `An import is whole or not at all`() async throws {
        let app = AdminApp()
        let old = try await app.add(Self.hello)
        let mappings: JSONValue = [
            ["request": ["urlPath": "/a"], "response": ["body": "first"]],
            ["request": ["urlPath": "/a"], "response": ["body": "second"]],
        ]
        #expect(try await app.call(.post, "/__admin/mappings/import", ["mappings": mappings]).status == 200)
        #expect(try await app.call(.get, "/a").json == "first" && app.backend.stubs.count == 3)
        let bad: JSONValue = ["mappings": [["request": ["urlPath": "/c"]], ["response": ["status": 1]]]]
        let response = try await app.call(.post, "/__admin/mappings/import", bad)
        #expect(response.status == 422)
        #expect(Self.errors(response.json)?["source"]?["pointer"] == "/mappings/1/response/status")
        #expect(app.backend.stubs.count == 3)
        let ignored: JSONValue = [
            "mappings": [["id": .string(old), "request": ["urlPath": "/hello"], "response": ["body": "other"]]],
            "importOptions": ["duplicatePolicy": "IGNORE", "deleteAllNotInImport": true],
        ]
        #expect(try await app.call(.post, "/__admin/mappings/import", ignored).status == 200)
        #expect(try await app.call(.get, "/hello").json == "hi" && app.backend.stubs.count == 1)
    }

    @Test func `An import that removes all others says which files stay`() async throws {
        let files = [
            "a.get.yaml": "body: a", "mappings/b.json": #"{"request": {"url": "/b"}, "response": {"body": "b"}}"#,
        ]
        try await withMocks(files) { mocks in
            let saved = #"{"persistent": true, "request": {"url": "/saved"}, "response": {"body": "saved"}}"#
            #expect(try await mocks.ask(.post, "/__admin/mappings", body: saved).status == .created)
            let body = #"{"mappings": [], "importOptions": {"deleteAllNotInImport": true}}"#
            let response = try await mocks.ask(.post, "/__admin/mappings/import", body: body)
            let warning = try #require(response.headers[HTTPField.Name("Backlot-Warning") ?? .date])
            #expect(response.status == .ok && warning.contains("2 files stay, such as a.get.yaml"), "\(warning)")
            for path in ["/a", "/b", "/saved"] { try await mocks.expect(.notFound, .get, path) }
            try mocks.files.load()
            try await mocks.expect(.ok, .post, "/__admin/mappings/reset")
            try await mocks.expect("200 a", .get, "/a")
            try await mocks.expect(.notFound, .get, "/saved")
            #expect(try await mocks.text(.get, "/__admin/health").contains("replicas share no states"))
        }
    }

    @Test func `Metadata finds stubs`() async throws {
        let app = AdminApp()
        let one = try await app.add(["request": ["urlPath": "/1"], "metadata": ["team": "red"]])
        try await app.add(["request": ["urlPath": "/2"], "metadata": ["team": "blue"]])
        try await app.add(["request": ["urlPath": "/3"]])
        let red: JSONValue = ["matchesJsonPath": ["expression": "$.team", "equalTo": "red"]]
        let response = try await app.call(.post, "/__admin/mappings/find-by-metadata", red)
        #expect(response.json["mappings"]?.array?.compactMap { $0["id"]?.string } == [one])
        #expect(try await app.call(.post, "/__admin/mappings/remove-by-metadata", red).status == 200)
        #expect(app.backend.stubs.count == 2)
    }

    @Test func `Credentials and a lone body pattern are what clients write`() async throws {
        let app = AdminApp()
        let request: JSONValue = [
            "urlPath": "/", "method": "POST", "basicAuthCredentials": ["username": "ada", "password": "pw"],
            "bodyPatterns": ["contains": "x"],
        ]
        try await app.add(["request": request, "response": ["body": "in"]])
        let authorization: HTTPFields = [.authorization: "Basic YWRhOnB3"]
        #expect(try await app.call(.post, "/", "xyz", headers: authorization).json == "in")
        #expect(try await app.call(.post, "/", "xyz").status == 404)
        #expect(try await app.call(.post, "/", "abc", headers: authorization).status == 404)
        #expect(try await app.call(.post, "/__admin/requests/count", request).json["count"] == 1)
    }

    @Test func `Without a folder nothing is saved`() async throws {
        let app = AdminApp()
        #expect(try await app.call(.post, "/__admin/mappings/save").status == 200)
        try await app.add(Self.hello)
        for path in ["/mappings/save", "/files"] {
            let response = try await app.call(path == "/files" ? .get : .post, "/__admin\(path)")
            #expect(response.status == 422)
            #expect(
                Self.errors(response.json)?["detail"]
                    == "there is no folder of routes; start the server with --routes DIR"
            )
        }
    }

    // MARK: The journal

    @Test func `Requests are listed, counted, found and removed`() async throws {
        let app = AdminApp()
        try await app.add(Self.hello)
        for target in ["/hello?n=1", "/hello?n=2", "/nowhere"] { try await app.call(.get, target) }
        var response = try await app.call(.get, "/__admin/requests")
        let urls = response.json["requests"]?.array?.compactMap { $0["request"]?["url"]?.string }
        #expect(urls == ["/nowhere", "/hello?n=2", "/hello?n=1"])
        #expect(response.json["meta"] == ["total": 3] && response.json["requestJournalDisabled"] == false)
        response = try await app.call(.get, "/__admin/requests?limit=1")
        #expect(response.json["requests"]?.array?.count == 1 && response.json["meta"] == ["total": 3])
        #expect(
            try await app.call(.get, "/__admin/requests?since=2020-01-01T00:00:00Z").json["requests"]?.array?.count == 3
        )
        response = try await app.call(.get, "/__admin/requests?since=2120-01-01T00:00:00.123Z")
        #expect(response.json["requests"] == [])
        for time in ["yesterday", "1e400", "999999999999-01-01T00:00:00Z"] {
            #expect(try await app.call(.get, "/__admin/requests?since=\(time)").status == 422)
        }
        let pattern: JSONValue = ["method": "GET", "urlPath": "/hello"]
        #expect(try await app.call(.post, "/__admin/requests/count", pattern).json["count"] == 2)
        response = try await app.call(.post, "/__admin/requests/find", pattern)
        #expect(response.json["requests"]?.array?.compactMap { $0["url"]?.string } == ["/hello?n=1", "/hello?n=2"])
        response = try await app.call(.get, "/__admin/requests/unmatched")
        #expect(response.json["requests"]?.array?.compactMap { $0["url"]?.string } == ["/nowhere"])
        let id = try #require(app.journal.entries.first?.id)
        #expect(try await app.call(.get, "/__admin/requests/\(id)").json["wasMatched"] == false)
        #expect(try await app.call(.delete, "/__admin/requests/\(id)").status == 200)
        #expect(try await app.call(.get, "/__admin/requests/\(id)").status == 404)
        response = try await app.call(.post, "/__admin/requests/remove", ["queryParameters": ["n": ["equalTo": "2"]]])
        #expect(response.json["serveEvents"]?.array?.count == 1 && app.journal.entries.count == 1)
        #expect(try await app.call(.post, "/__admin/requests/count", ["urlPath": 7]).status == 422)
        #expect(try await app.call(.delete, "/__admin/requests").status == 200)
        #expect(app.journal.entries.isEmpty)
        // Commands are not requests.
        #expect(try await app.call(.get, "/__admin/requests").json["requests"] == [])
    }

    @Test func `Near misses`() async throws {
        let app = AdminApp()
        try await app.add(Self.hello)
        try await app.call(.get, "/helo")
        var response = try await app.call(.get, "/__admin/requests/unmatched/near-misses")
        var miss = try #require(response.json["nearMisses"]?[0])
        #expect(miss["request"]?["url"] == "/helo" && miss["stubMapping"]?["request"] == Self.hello["request"])
        let distance = try #require(miss["matchResult"]?["distance"]?.number?.double)
        #expect(distance > 0 && distance < 0.5)
        response = try await app.call(.post, "/__admin/near-misses/request", ["url": "/hullo", "method": "GET"])
        #expect(response.json["nearMisses"]?[0]?["request"]?["url"] == "/hullo")
        response = try await app.call(.post, "/__admin/near-misses/request-pattern", ["urlPath": "/hell"])
        miss = try #require(response.json["nearMisses"]?[0])
        #expect(miss["request"]?["url"] == "/helo" && miss["requestPattern"] == ["urlPath": "/hell"])
        for body in [["method": "GET"], ["url": "hello"], ["url": "/", "method": "G E T"]] as [JSONValue] {
            #expect(try await app.call(.post, "/__admin/near-misses/request", body).status == 422)
        }
    }

    @Test func `A message has at most 1000 header fields`() async throws {
        let app = AdminApp()
        let values = JSONValue.array([JSONValue](repeating: "x", count: 70_000))
        var response = try await app.call(
            .post,
            "/__admin/near-misses/request",
            ["url": "/", "headers": ["A": values]]
        )
        #expect(response.status == 422 && "\(response.json)".contains("at most 1000"), "\(response.json)")
        let stub: JSONValue = ["request": ["url": "/"], "response": ["headers": ["A": values]]]
        response = try await app.call(.post, "/__admin/mappings", stub)
        #expect(response.status == 422 && "\(response.json)".contains("at most 1000"), "\(response.json)")
    }

    // MARK: Scenarios

    private static func step(_ from: String, _ to: String) -> JSONValue {
        [
            "scenarioName": "to do", "requiredScenarioState": .string(from), "newScenarioState": .string(to),
            "request": ["urlPath": "/next"], "response": ["body": .string(to)],
        ]
    }

    @Test func `Scenarios are looked at, set and reset, for each session`() async throws {
        let app = AdminApp()
        try await app.add(Self.step("Started", "Half"))
        try await app.add(Self.step("Half", "Done"))
        let ada: HTTPFields = [.cookie: "session=ada"]
        #expect(try await app.call(.get, "/next", headers: ada).json == "Half")
        var response = try await app.call(.get, "/__admin/scenarios")
        let scenario = try #require(response.json["scenarios"]?[0])
        #expect(scenario["name"] == "to do" && scenario["id"] == "to do" && scenario["state"] == "Started")
        #expect(Set(scenario["possibleStates"]?.array ?? []) == ["Started", "Half", "Done"])
        #expect(scenario["mappings"]?.array?.count == 2)
        let state = "/__admin/scenarios/to%20do/state"
        #expect(try await app.call(.put, "\(state)?session=ada", ["state": "Started"]).status == 200)
        #expect(try await app.call(.get, "/next", headers: ada).json == "Half")
        #expect(try await app.call(.put, state, ["state": "Half"]).status == 200)
        #expect(try await app.call(.get, "/next").json == "Done")
        #expect(try await app.call(.get, "/__admin/scenarios/to%20do?session=ada").json["state"] == "Half")
        response = try await app.call(.put, state, ["state": "Dnoe"])
        #expect(response.status == 422 && Self.errors(response.json)?["source"]?["pointer"] == "/state")
        #expect(try await app.call(.put, state, ["state": 7]).status == 422)
        #expect(try await app.call(.put, "/__admin/scenarios/none/state").status == 404)
        #expect(try await app.call(.delete, state).status == 200)
        #expect(try await app.call(.get, "/__admin/scenarios/to%20do?session=ada").json["state"] == "Started")
        try await app.call(.put, state, ["state": "Done"])
        #expect(try await app.call(.post, "/__admin/scenarios/reset").status == 200)
        #expect(try await app.call(.get, "/__admin/scenarios/to%20do").json["state"] == "Started")
    }

    // MARK: Faults, and the rest

    @Test func `Faults are ordered, listed, taken and dropped`() async throws {
        let app = AdminApp()
        try await app.add(Self.hello)
        var response = try await app.call(.post, "/__admin/faults", ["status": 503, "times": 2, "session": "ada"])
        let expected: JSONValue = [
            "status": 503, "times": 2, "client": .string("\(FaultClient.session(cookie: "ada"))"),
        ]
        #expect(response.status == 201 && response.json == expected)
        response = try await app.call(.post, "/__admin/faults", ["delay": 1, "path": "/hello", "session": "*"])
        #expect(response.json == ["delay": 1, "times": 1, "client": "anyone", "path": "/hello"])
        let ada: HTTPFields = [.cookie: "session=ada"]
        #expect(try await app.call(.get, "/hello", headers: ada).status == 503)
        #expect(try await app.call(.get, "/hello").json == "hi")
        #expect(try await app.call(.get, "/__admin/faults").json["faults"]?.array?.count == 1)
        #expect(try await app.call(.get, "/hello", headers: ada).status == 503)
        #expect(try await app.call(.get, "/hello", headers: ada).status == 200)
        // What a fault has answered is in the journal too, and not among what matched nothing.
        #expect(app.journal.entries.filter { $0.fault != nil }.count == 2)
        #expect(try await app.call(.get, "/__admin/requests/unmatched").json["requests"] == [])
        try await app.call(.post, "/__admin/faults", ["fault": "EMPTY_RESPONSE", "answer": "lost"])
        try await app.call(.post, "/__admin/faults", ["fault": "EMPTY_RESPONSE", "session": "ada"])
        #expect(try await app.call(.delete, "/__admin/faults?session=ada").json == ["removed": 1])
        #expect(try await app.call(.delete, "/__admin/faults").json == ["removed": 1])
    }

    @Test func `Networks are set, listed, felt and taken away`() async throws {
        let app = AdminApp()
        try await app.add(Self.hello)
        var response = try await app.call(.put, "/__admin/network", ["profile": "offline"])
        #expect(response.status == 200 && response.json == ["client": "anyone", "network": "offline"])
        let ada = FaultClient.session(cookie: "ada")
        response = try await app.call(.put, "/__admin/network", ["profile": "3g", "latency": 1, "session": "ada"])
        let slow: JSONValue = [
            "client": .string("\(ada)"), "network": "downlink=200000; uplink=96000; latency=1", "downlink": 200_000,
            "uplink": 96_000, "latency": 1,
        ]
        #expect(response.json == slow)
        #expect(try await app.call(.get, "/hello").json == .null)
        #expect(app.journal.entries.first?.fault == Fault(connection: .emptyResponse))
        #expect(try await app.call(.get, "/hello", headers: [.cookie: "session=ada"]).json == "hi")
        response = try await app.call(.get, "/__admin/network")
        #expect(response.json["networks"] == [["client": "anyone", "network": "offline"], slow])
        #expect(response.json["profiles"]?.array?.count == NetworkProfile.known.count)
        #expect(
            response.json["profiles"]?[4] == ["downlink": 30_000, "uplink": 25_000, "latency": 840, "name": "edge"]
        )
        #expect(try await app.call(.delete, "/__admin/network?session=*").json == ["removed": 1])
        #expect(try await app.call(.get, "/hello").json == "hi")
        #expect(try await app.call(.delete, "/__admin/network").json == ["removed": 1])
        try await app.call(.put, "/__admin/network", ["loss": 1])
        try await app.call(.post, "/__admin/reset")
        #expect(app.faults.networks.isEmpty)
    }

    @Test(
        arguments: [
            (
                "/__admin/faults",
                [
                    [:], ["status": 199], ["status": "503"], ["delay": -1], ["delay": 120_001], ["fault": "NONE"],
                    ["times": 3], ["answer": "found"], ["status": 500, "times": 0], ["status": 500, "sessoin": "a"],
                    ["status": 500, "path": "save"], ["status": 500, "session": 7],
                ]
            ),
            (
                "/__admin/network",
                [
                    [:], ["session": "ada"], ["profile": "5g"], ["profile": 3], ["downlink": 0], ["downlink": -1],
                    ["uplink": 1_000_000_001], ["latency": 60_001], ["jitter": "1"], ["loss": 101], ["cuts": 1.5],
                    ["profile": "3g", "sessoin": "a"], ["profile": "3g", "session": 7],
                ]
            ),
        ] as [(String, [JSONValue])]
    )
    func `A bad fault or network is a 422 that says what to do`(path: String, bodies: [JSONValue]) async throws {
        let app = AdminApp()
        for body in bodies {
            let response = try await app.call(path.hasSuffix("s") ? .post : .put, path, body)
            #expect(response.status == 422 && app.faults.orders.isEmpty && app.faults.networks.isEmpty, "\(body)")
            let detail = Self.errors(response.json)?["detail"]?.string ?? ""
            #expect(["rite ", "Make ", "Remove "].contains { detail.contains($0) }, "\(detail)")
        }
    }

    @Test func `All responses can be delayed`() async throws {
        let app = AdminApp()
        try await app.add(Self.hello)
        #expect(try await app.call(.post, "/__admin/settings", ["fixedDelay": 30]).status == 200)
        #expect(try await app.call(.get, "/__admin/settings").json == ["settings": ["fixedDelay": 30]])
        let start = ContinuousClock.now
        #expect(try await app.call(.get, "/hello").json == "hi")
        #expect(start.duration(to: .now) >= .milliseconds(30))
        #expect(try await app.call(.post, "/__admin/settings", ["fixedDelay": -1]).status == 422)
        #expect(try await app.call(.post, "/__admin/settings", ["fixedDleay": 1]).status == 422)
        let off: JSONValue = ["fixedDelay": nil, "delayDistribution": nil]
        #expect(try await app.call(.post, "/__admin/settings", off).status == 200)
        #expect(try await app.call(.get, "/__admin/settings").json == ["settings": ["fixedDelay": 0]])
    }

    @Test func `The delay of all responses leaves exempt requests alone`() async throws {
        let backend = MockBackend(MockConfiguration(), logger: .silent)
        let access = LocalAccess(host: "127.0.0.1")
        var admin = MockAdmin(backend, journal: Journal(), faults: FaultBoard(), access: access)
        admin.isExempt = { $0.path == "/preview" }
        let router = Router()
        router.use(admin)
        for path in ["/preview", "/page"] { router.get("\(path)") { _ in .text("") } }
        let handler = router.handler()
        let delay = Array(#"{"fixedDelay": 120000}"#.utf8)
        #expect(try await handler.response(to: Request(.post, "/__admin/settings", body: delay)).status == .ok)
        #expect(try await handler.response(to: Request(.get, "/preview")).status == .ok)
        let page = Task { try await handler.response(to: Request(.get, "/page")) }
        page.cancel()
        await #expect(throws: CancellationError.self) { try await page.value }
    }

    @Test func `A reset takes everything back`() async throws {
        let app = AdminApp()
        try await app.add(Self.step("Started", "Half"))
        try await app.call(.get, "/next")
        try await app.call(.post, "/__admin/faults", ["status": 500])
        try await app.call(.post, "/__admin/settings", ["fixedDelay": 1])
        #expect(try await app.call(.post, "/__admin/reset").status == 200)
        #expect(app.backend.stubs.count == 0 && app.journal.entries.isEmpty && app.faults.orders.isEmpty)
        #expect(app.backend.scenarios.state(of: "to do") == "Started")
        #expect(try await app.call(.get, "/__admin/settings").json == ["settings": ["fixedDelay": 0]])
    }

    @Test func `What is no command gets the list of them`() async throws {
        let app = AdminApp()
        var response = try await app.call(.get, "/__admin/mapings")
        let detail = try #require(Self.errors(response.json)?["detail"]?.string)
        #expect(
            response.status == 404 && detail.hasPrefix("there is no GET /__admin/mapings; there are GET /__admin/, ")
        )
        #expect(detail.contains("PUT /__admin/scenarios/{name}/state"))
        response = try await app.call(.patch, "/__admin/mappings")
        #expect(response.status == 405)
        #expect(Self.errors(response.json)?["detail"] == "PATCH is not answered here; allowed: DELETE, GET, POST")
        for path in ["/__admin", "/__admin/"] {
            let list = try await app.call(.get, path)
            let access = LocalAccess(host: "127.0.0.1")
            let admin = MockAdmin(app.backend, journal: app.journal, faults: app.faults, access: access)
            #expect(list.status == 200 && list.json["commands"]?.array?.count == admin.routes.count)
        }
        #expect(try await app.call(.get, "/__admin/health").json["status"] == "healthy")
        response = try await app.call(.post, "/__admin/shutdown")
        #expect(response.status == 403)
        // Only what is below it is a command.
        #expect(try await app.call(.get, "/__administer").json.string?.hasPrefix("No mock answers") == true)
    }

    @Test func `Whoever isn't admitted finds nothing, whatever the method`() async throws {
        let app = AdminApp(path: "/mock/", access: LocalAccess(host: "0.0.0.0", token: "t"))
        for method in [HTTPRequest.Method.get, .post, .delete, .patch, .options] {
            for path in ["/__admin/mappings", "/mock/__admin/mappings"] {
                let response = try await app.call(method, path)
                #expect(response.status == 404 && response.json == .string("nothing answers at \(path)"))
            }
        }
        let authorization: HTTPFields = [.authorization: "Bearer t"]
        #expect(try await app.call(.get, "/__admin/mappings", headers: authorization).status == 200)
        #expect(try await app.call(.get, "/mock/__admin/mappings", headers: authorization).status == 200)
    }

    @Test func `Below a path, what is logged is below it too`() async throws {
        let app = AdminApp(path: "/mock/")
        try await app.add(Self.hello)
        #expect(try await app.call(.get, "/mock/hello").json == "hi")
        let response = try await app.call(.get, "/__admin/requests")
        let request = response.json["requests"]?[0]?["request"]
        #expect(request?["url"] == "/hello" && request?["absoluteUrl"] == "http://localhost/mock/hello")
    }
}
