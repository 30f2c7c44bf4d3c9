import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import A2UI
@testable import A2UIServing

/// An app over HTTP, in this process and over sockets.
@Suite(.timeLimit(.minutes(3))) struct ServingTests {
    struct Counter: Codable, Sendable {
        var count = 0
        var name = ""
        var items: [String] = []
    }

    struct Step: Codable, Sendable { var by: Int = 1 }
    struct Sum: Codable, Sendable { var a: Int, b: Int }
    struct Guest: Codable, Sendable { var name = "" }
    struct Row: Codable, Sendable { var id: Int, taps = 0 }
    struct Rows: Codable, Sendable { var rows: [Row] }

    static let add = SurfaceAction<Step>("add")
    static let greet = SurfaceAction<NoContext>("greet")
    static let fail = SurfaceAction<NoContext>("fail")
    static let detail = SurfaceAction<NoContext>("detail")
    static let all = SurfaceAction<NoContext>("all")
    static let slow = SurfaceAction<NoContext>("slow")
    static let mark = SurfaceAction<Step>("mark")
    static let enter = SurfaceAction<Guest>("enter")
    static let leave = SurfaceAction<NoContext>("leave")
    static let ask = SurfaceAction<NoContext>("ask")
    static let now = RendererFunction<NoContext, String>("now")

    /// A server with a client that may hold its id.
    final class App: Sendable {
        let handler: any Handler
        let counter: SurfaceDeclaration<Counter>
        let transport: any ClientTransport
        private let id = Locked<String?>(nil)

        init(_ configuration: A2UIConfiguration = A2UIConfiguration()) throws {
            let router = Router()
            var declared: SurfaceDeclaration<Counter>?
            router.a2ui("/assistant/", sessions: MemorySessionStore(), configuration: configuration) { app in
                let detail = app.surface("detail") { _ in
                    Counter()
                } tree: { m in
                    text("Detail \(m.name)")
                }
                let counter = app.surface("counter") { _ in
                    Counter(count: 1)
                } tree: { m, counter in
                    column {
                        text("Count \(m.count)")
                        if counter.count > 2 { text("Many") }
                        textField("Name", value: m.name)
                        list(m.items) { item in text(item) }
                        button("Add", add.event { $0.by = 1 })
                        button("Greet", greet.event())
                        button("Fail", fail.event())
                        button("Detail", ServingTests.detail.event())
                        button("Slow", slow.event())
                    }
                }
                counter.on(add) { step, turn in turn.model.count += step.by }
                counter.on(greet) { _, turn in
                    turn.model.items.append("Hello \(turn.model.name)")
                    let number = try await turn.request.session[Visits.self] ?? 0
                    try await turn.request.session.set(Visits.self, to: number + 1)
                }
                counter.on(fail) { _, turn in
                    turn.model.count = 99
                    throw UserError("Not now.")
                }
                counter.on(ServingTests.detail) { _, turn in
                    try turn.open(detail, Counter(name: turn.model.name))
                    try turn.close()
                }
                counter.on(all) { _, turn in
                    try counter.update { $0.count = 40 }
                    turn.model.count = 50
                }
                counter.on(slow) { _, turn in
                    turn.model.count = 10
                    try await turn.send()
                    turn.model.count = 11
                }
                counter.on(mark) { step, m, values in
                    let item = m.items[step.by]
                    try values.set(item, to: values.value(item) + "!")
                    try values.append("and \(try values.value(item))", to: m.items)
                    try values.set(m.count, to: 8)
                }
                counter.on(ask) { _, turn in try turn.call(now, NoContext()) }
                counter.on(now) { outcome, turn in
                    switch outcome {
                    case .success(let time): turn.model.name = time
                    case .failure(let failure): turn.model.name = failure.code
                    }
                }
                app.agUI(start: counter)
                app.a2a(start: counter, name: "Counter", description: "Counts.")
                app.mcp(name: "Counter", origins: ["https://host.example"])
                app.function("sum") { (sum: Sum, _) in sum.a + sum.b }
                declared = counter
            }
            handler = router.handler()
            transport = try InProcessTransport(handler)
            counter = try #require(declared)
        }

        func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> ClientResponse {
            try await send(ClientRequest(.get, HTTPURL("http://localhost/assistant\(path)"), headers: fields(headers)))
        }

        func post(_ body: JSONValue, _ headers: HTTPFields = [:]) async throws -> ClientResponse {
            try await post(text: "\(body)", headers)
        }

        func post(
            text: String,
            _ headers: HTTPFields = [:],
            to path: String = "/actions"
        ) async throws -> ClientResponse {
            var headers = fields(headers)
            if headers[.contentType] == nil { headers[.contentType] = "application/a2ui+json" }
            let url = try HTTPURL("http://localhost/assistant\(path)")
            return try await send(ClientRequest(.post, url, headers: headers, body: Array(text.utf8)))
        }

        func fields(_ headers: HTTPFields) -> HTTPFields {
            var headers = headers
            if let name = HTTPField.Name("A2UI-Client") { headers[name] = headers[name] ?? id.withLock { $0 } }
            return headers
        }

        private func send(_ request: ClientRequest) async throws -> ClientResponse {
            let response = try await transport.response(to: request, limits: ClientLimits())
            if let new = HTTPField.Name("A2UI-Client").flatMap({ response.headers[$0] }) { id.withLock { $0 = new } }
            return response
        }
    }

    enum Visits: SessionKey {
        static let name = "visits"
        typealias Value = Int
    }

    private static func action(
        _ name: String,
        _ context: JSONValue = ["by": 1],
        on surface: String = "counter",
        version: String = "v0.9"
    ) -> JSONValue {
        [
            "version": .string(version),
            "action": [
                "name": .string(name), "surfaceId": .string(surface), "sourceComponentId": "button",
                "timestamp": "2026-01-01T00:00:00Z", "context": context,
            ],
        ]
    }

    private func json(_ response: ClientResponse) throws -> JSONValue { try JSONValue(parsing: response.body) }

    private func shown(_ surface: String, of client: Processor) -> [String] {
        let nodes = client.nodes(of: surface)
        return (nodes?.order ?? []).compactMap { path in
            guard case .value(let value, _)? = nodes?.nodes[path]?.properties["text"] else { return nil }
            return value?.string
        }
    }

    @Test(arguments: ["0.9", "v0.9.1", "v1.0", "1.0"])
    func `A surface comes in the version that the client asks for, and actions change it`(version: String) async throws
    {
        let app = try App()
        var client = Processor(strictness: .strict)
        let opened = try await app.get("/surfaces/counter?version=\(version)")
        #expect(opened.status == .ok)
        #expect(opened.mediaType == "application/a2ui+json")
        #expect(client.apply(try json(opened)) == [])
        let wire = try #require(client.surfaces["counter"]?.version.rawValue)
        #expect(shown("counter", of: client).prefix(2) == ["Count 1", "Add"])
        let changed = try await app.post(Self.action("add", ["by": 3], version: wire))
        #expect(client.apply(try json(changed)) == [])
        #expect(shown("counter", of: client).prefix(2) == ["Count 4", "Many"])
        // Two values and a branch, and nothing more.
        #expect(try json(changed).array?.count == 2)
        let nothing = try await app.post(Self.action("add", ["by": 0], version: wire))
        #expect(try json(nothing) == [])
    }

    @Test func `An app is freed though its handlers hold its surfaces`() throws {
        var declared: SurfaceDeclaration<Counter>?
        var router: Router? = Router()
        router?.a2ui("/assistant/") { app in
            let surface = app.surface("counter") { _ in
                Counter()
            } tree: { m in
                button("Add", Self.add.event { $0.by = 1 })
            }
            surface.on(Self.add) { _, turn in
                try turn.open(surface, id: "another", Counter())
                try surface.update { $0.count += 1 }
            }
            declared = surface
        }
        #expect(declared?.server != nil)
        router = nil
        #expect(declared?.server == nil)
        #expect(declared?.surface == nil)
        // Nobody is left who has it open.
        try declared?.update { $0.count += 1 }
    }

    @Test func `The client's model is the base, and only the handler's changes go out`() async throws {
        let app = try App()
        _ = try await app.get("/surfaces/counter")
        let body: JSONValue = [
            "messages": [Self.action("greet")],
            "metadata": [
                "a2uiClientDataModel": [
                    "version": "v0.9", "surfaces": ["counter": ["count": "1", "name": "Jo", "items": [], "own": true]],
                ]
            ],
        ]
        #expect(
            try json(try await app.post(body)) == [
                [
                    "version": "v0.9",
                    "updateDataModel": ["surfaceId": "counter", "path": "/items/0", "value": "Hello Jo"],
                ]
            ]
        )
    }

    @Test func `The newest version and the first catalog that both sides have are chosen`() async throws {
        let app = try App()
        let metadata = try #require(HTTPField.Name("A2UI-Metadata"))
        func opened(_ capabilities: String) async throws -> JSONValue? {
            let response = try await app.get(
                "/surfaces/counter",
                [metadata: "{\"a2uiClientCapabilities\":\(capabilities)}"]
            )
            let messages = try json(response)
            return messages.array?.first { $0["createSurface"] != nil } ?? messages
        }
        let old = "\"v0.9\":{\"supportedCatalogIds\":[\"\(Catalog.basic0_9.id)\"]}"
        let new = "\"1.0\":{\"supportedCatalogIds\":[\"\(Catalog.basic1_0.id)\"]}"
        #expect(try await opened("{\(old)}")?["version"] == "v0.9")
        #expect(try await opened("{\(old),\(new)}")?["version"] == "1.0")
        #expect(try await opened("{\"v2.0\":{\"supportedCatalogIds\":[]},\(old)}")?["version"] == "v0.9")
        #expect(try await opened("{\"1.0\":{\"supportedCatalogIds\":[\"mine\"]}}")?["code"] == "no_catalog")
        #expect(try await opened("{\"1.0\":7}")?["code"] == "type_mismatch")
        #expect(try await opened("{")?["code"] == "invalid_value")
    }

    @Test(
        arguments: [
            (action("add", on: "countr"), 404, "unknown_surface", "/action/surfaceId"),
            (action("ad"), 404, "unknown_action", "/action/name"),
            (action("add", version: "1.0"), 400, "version_mismatch", "/version"),
            (["version": "v7"], 400, "invalid_value", "/version"),
            (action("add", ["by": "x"]), 400, "type_mismatch", "/action/context"), (action("fail"), 422, nil, nil),
            ([:], 400, "missing_field", "/version"),
            ([action("add"), ["version": "v0.9"]], 400, "missing_field", "/messages/1"),
            (["version": "v0.9", "action": ["name": "add"]], 400, "missing_field", "/action/surfaceId"),
            (
                [
                    "messages": [action("add")],
                    "metadata": ["a2uiClientDataModel": ["surfaces": ["counter": 7]]],
                ], 400, "type_mismatch", "/metadata/a2uiClientDataModel/surfaces"
            ),
            (
                [
                    "messages": [action("add")],
                    "metadata": ["a2uiClientDataModel": ["surfaces": ["counter": ["count": "many"]]]],
                ], 400, "type_mismatch", "/metadata/a2uiClientDataModel/surfaces/counter"
            ),
            (.array(Array(repeating: action("add"), count: 101)), 413, "too_large", "/messages"),
            (["messages": .array(Array(repeating: 0, count: 101))], 413, "too_large", "/messages"),
            (
                [
                    "messages": [action("add")],
                    "metadata": [
                        "a2uiClientCapabilities": [
                            "v0.9": ["supportedCatalogIds": .array(Array(repeating: "", count: 1001))]
                        ]
                    ],
                ], 400, "type_mismatch", "/metadata/a2uiClientCapabilities/v0.9/supportedCatalogIds"
            ),
        ] as [(JSONValue, Int, String?, String?)]
    )
    func `Bad messages get an error with code and path, and change nothing`(
        body: JSONValue,
        status: Int,
        code: String?,
        path: String?
    ) async throws {
        let app = try App()
        _ = try await app.get("/surfaces/counter")
        let response = try await app.post(body)
        #expect(response.status.code == status, "\(response.text)")
        #expect(response.mediaType == "application/problem+json")
        #expect(try json(response)["code"]?.string == code)
        #expect(try json(response)["path"]?.string == path)
        // The client's surface is unharmed.
        let values: JSONValue = ["surfaces": ["counter": ["count": 1, "name": "", "items": []]]]
        let sound: JSONValue = ["messages": [Self.action("add")], "metadata": ["a2uiClientDataModel": values]]
        let next = try json(try await app.post(sound))
        #expect(
            next == [["version": "v0.9", "updateDataModel": ["surfaceId": "counter", "path": "/count", "value": 2]]]
        )
    }

    @Test func `Half a message, other media types and large bodies are refused`() async throws {
        var configuration = A2UIConfiguration()
        configuration.limits.body = 1000
        let app = try App(configuration)
        #expect(try await app.post(text: "{\"version\":").status == .badRequest)
        #expect(try await app.post(text: "{}", [.contentType: "text/plain"]).status == .unsupportedMediaType)
        #expect(try await app.post(text: String(repeating: " ", count: 2000)).status == .contentTooLarge)
        #expect(try await app.get("/surfaces/countr").status == .notFound)
        #expect(try await app.get("/surfaces/countr").text.contains("Do you mean counter?"))
        #expect(try await app.get("/surfaces/counter?version=7").status == .badRequest)
    }

    @Test(
        arguments: [
            ("application/json", 200), ("Application/JSON ; charset=utf-8", 200), ("application/a2ui+json", 200),
            ("application/json+a2ui", 200), ("application/vnd.x+json", 200), ("", 415), ("text/json", 415),
            ("application/x-www-form-urlencoded;charset=json", 415), ("multipart/form-data;boundary=+json", 415),
            ("application/x-www-form-urlencoded;\u{301}+json", 415), ("application/jsonp", 415),
        ]
    )
    func `Messages come as JSON, which forms of other sites can't send`(type: String, status: Int) async throws {
        let app = try App()
        _ = try await app.get("/surfaces/counter")
        let response = try await app.post(Self.action("add"), [.contentType: type])
        #expect(response.status.code == status, "\(response.text)")
    }

    @Test func `A client holds only so many surfaces and bytes, and a server so many clients`() async throws {
        var configuration = A2UIConfiguration()
        configuration.limits.surfacesPerClient = 1
        configuration.limits.clientBytes = 5000
        let app = try App(configuration)
        _ = try await app.get("/surfaces/counter")
        #expect(try await app.get("/surfaces/detail").status == .tooManyRequests)
        let long = JSONValue.string(String(repeating: "x", count: 6000))
        let body: JSONValue = [
            "messages": [Self.action("greet")],
            "metadata": ["a2uiClientDataModel": ["surfaces": ["counter": ["name": long, "count": 1, "items": []]]]],
        ]
        #expect(try await app.post(body).status == .contentTooLarge)
        #expect(try json(try await app.post(Self.action("add"))).array?.count == 1)

        var limits = A2UILimits()
        limits.clients = 16
        let table = ClientTable(limits)
        let clients = (0..<40).map { _ in table.newClient(of: .http) }
        #expect(clients.filter { table.client($0.id, of: .http) != nil }.count <= 16)
        #expect(table.client(clients[39].id, of: .http) != nil)
    }

    /// A list of empty texts is short in JSON, but not in memory.
    @Test func `A client can't park a model that others pay for`() async throws {
        let app = try App()
        _ = try await app.get("/surfaces/counter")
        let client = try #require(app.counter.server?.clients.clients(with: "counter").first)
        func parking(_ count: Int) -> JSONValue {
            let items = JSONValue.array(Array(repeating: "", count: count))
            return [
                "messages": [],
                "metadata": [
                    "a2uiClientDataModel": ["surfaces": ["counter": ["name": "", "count": 1, "items": items]]]
                ],
            ]
        }
        for count in [1_000_000, 40_000] {
            let response = try await app.post(parking(count))
            #expect(response.status == .contentTooLarge)
            #expect(try json(response)["code"] == "too_large")
            #expect(client.state["counter"]?.model["items"]?.array?.isEmpty == true)
        }
        let bytes = client.state.bytes
        #expect(try await app.post(parking(1000)).status == .ok)
        #expect(client.state.bytes == bytes + 17 * 32_000)
    }

    @Test func `A client whose values fill its bounds keeps no update from others`() async throws {
        let empty = try App()
        _ = try await empty.get("/surfaces/counter")
        let usual = try #require(empty.counter.server?.clients.clients(with: "counter").first).state.bytes
        var configuration = A2UIConfiguration()
        // The client's own 100 bytes count 16 times more.
        configuration.limits.clientBytes = usual + 1700
        let (app, name) = (try App(configuration), try #require(HTTPField.Name("A2UI-Client")))
        _ = try await app.get("/surfaces/counter")
        let full = try #require(app.counter.server?.clients.clients(with: "counter").first)
        let filling = JSONValue.string(String(repeating: "x", count: 100))
        let body: JSONValue = [
            "messages": [Self.action("add", ["by": 0])],
            "metadata": ["a2uiClientDataModel": ["surfaces": ["counter": ["name": filling, "count": 1, "items": []]]]],
        ]
        #expect(try await app.post(body).status == .ok)
        #expect(full.state.bytes == usual + 1700)
        // An unknown id makes another client.
        var client = Processor(strictness: .strict)
        #expect(client.apply(try json(try await app.get("/surfaces/counter", [name: "other"]))) == [])
        #expect(client.apply(try json(try await app.post(Self.action("all")))) == [])
        #expect(shown("counter", of: client).first == "Count 50")
        #expect(full.state["counter"]?.model["count"] == 1)
    }

    @Test func `A client whose values don't fit the model keeps them at an update, and the log says so`() throws {
        let log = LogRecorder()
        let server = A2UIServer(A2UIConfiguration(), logger: log.logger)
        let counter = A2UIApp(server) { _, _ in }.surface("counter") { _ in
            Counter()
        } tree: { m in
            text("Count \(m.count)")
        }
        let client = server.clients.newClient(of: .http)
        let open = ClientState.Open(
            id: "counter",
            name: "counter",
            version: .v0_9,
            catalogID: Catalog.basic0_9.id,
            sendsDataModel: true,
            model: ["count": "many", "name": "", "items": []],
            tree: []
        )
        _ = try server.clients.change(client, isPushed: false) { $0.open(open) }
        try counter.update { $0.count = 7 }
        #expect(server.clients.clients(with: "counter").first?.state["counter"]?.model["count"] == "many")
        #expect(log.lines.count == 1)
        let beginning = "warning: an update of \"counter\" leaves out a client: The values at / don't fit"
        #expect(log.lines.first?.hasPrefix(beginning) == true, "\(log.lines)")
    }

    @Test func `Another client's surface doesn't exist`() async throws {
        let (app, name) = (try App(), try #require(HTTPField.Name("A2UI-Client")))
        _ = try await app.get("/surfaces/counter")
        #expect(try await app.post(Self.action("add"), [name: "guessed"]).status == .notFound)
        #expect(try await app.post(Self.action("add")).status == .ok)
    }

    @Test func `Surfaces of a user who has logged out don't exist for the next one`() async throws {
        let router = Router()
        router.a2ui("/assistant/", sessions: MemorySessionStore()) { app in
            let door = app.surface("door") { _ in
                Guest()
            } tree: { m in
                column {
                    button("Enter", Self.enter.event { $0.name = m.name })
                    button("Leave", Self.leave.event())
                }
            }
            door.on(Self.enter) { guest, turn in try await turn.request.session.logIn(user: guest.name) }
            door.on(Self.leave) { _, turn in try await turn.request.session.logOut() }
        }
        let name = try #require(HTTPField.Name("A2UI-Client"))
        try await withHTTPClient(router) { client in
            func act(_ action: String, as user: String = "") async throws -> ClientResponse {
                let message = Self.action(action, ["name": .string(user)], on: "door")
                let headers: HTTPFields = [.contentType: "application/a2ui+json"]
                return try await client.send(.post, "/assistant/actions", headers: headers, body: message.bytes)
            }
            let first = try await client.get("/assistant/surfaces/door").headers[name]
            #expect(try await act("enter", as: "ann").status == .ok)
            let left = try await act("leave")
            #expect(try json(left) == [["version": "v0.9", "deleteSurface": ["surfaceId": "door"]]])
            let second = left.headers[name]
            #expect(try await act("enter", as: "bob").status == .notFound)
            #expect(try await client.get("/assistant/surfaces/door").status == .ok)
            #expect(first != nil && second != nil && first != second)
            #expect(try await act("enter", as: "bob").status == .ok)
        }
    }

    @Test(arguments: ["application/a2ui+json", "text/event-stream"])
    func `A surface that is opened after a log-out is a new client's`(accept: String) async throws {
        let router = Router()
        router.a2ui("/assistant/", sessions: MemorySessionStore()) { app in
            let lobby = app.surface("lobby") { _ in
                Guest()
            } tree: { _ in
                button("Greet", Self.greet.event())
            }
            lobby.on(Self.greet) { _, turn in turn.model.name = "seen" }
            let door = app.surface("door") { _ in
                Guest()
            } tree: { m in
                column {
                    button("Enter", Self.enter.event { $0.name = m.name })
                    button("Leave", Self.leave.event())
                }
            }
            door.on(Self.enter) { guest, turn in try await turn.request.session.logIn(user: guest.name) }
            door.on(Self.leave) { _, turn in
                try await turn.request.session.logOut()
                try turn.open(lobby, Guest())
            }
        }
        try await withHTTPClient(router) { client in
            func act(_ action: JSONValue) async throws -> ClientResponse {
                let headers: HTTPFields = [.contentType: "application/a2ui+json", .accept: accept]
                return try await client.send(.post, "/assistant/actions", headers: headers, body: action.bytes)
            }
            _ = try await client.get("/assistant/surfaces/door")
            #expect(try await act(Self.action("enter", ["name": "ann"], on: "door")).status == .ok)
            let left = try await act(Self.action("leave", [:], on: "door"))
            #expect(left.text.contains("deleteSurface") && left.text.contains("lobby"))
            #expect(try await act(Self.action("greet", [:], on: "door")).status == .notFound)
            let greeted = try await act(Self.action("greet", [:], on: "lobby"))
            #expect(greeted.status == .ok && greeted.text.contains("seen"))
        }
    }

    @Test func `A handler that logs in a user sends nothing to streams from before`() async throws {
        let router = Router()
        router.a2ui("/assistant/", sessions: MemorySessionStore()) { app in
            let door = app.surface("door") { _ in
                Guest()
            } tree: { m in
                button("Enter", Self.enter.event { $0.name = m.name })
            }
            door.on(Self.enter) { guest, turn in
                try await turn.request.session.logIn(user: guest.name)
                turn.model.name = "secret"
            }
        }
        let transport = try InProcessTransport(router.handler())
        let name = try #require(HTTPField.Name("A2UI-Client"))
        func request(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ headers: HTTPFields,
            _ body: [UInt8] = []
        ) throws
            -> ClientRequest
        {
            ClientRequest(method, try HTTPURL("http://localhost/assistant\(path)"), headers: headers, body: body)
        }
        let opened = try await transport.response(to: request(.get, "/surfaces/door", [:]), limits: ClientLimits())
        let id = try #require(opened.headers[name])
        let listening = try request(.get, "/", [.accept: "text/event-stream", name: id])
        let stream = try await transport.open(listening, limits: ClientLimits())
        let action = Self.action("enter", ["name": "ann"], on: "door")
        let entering = try request(.post, "/actions", [.contentType: "application/json", name: id], action.bytes)
        let entered = try await transport.response(to: entering, limits: ClientLimits())
        let update: JSONValue = ["surfaceId": "door", "path": "/name", "value": "secret"]
        // Otherwise the stream has it.
        try #require(try json(entered) == [["version": "v0.9", "updateDataModel": update]])
        var text = ""
        for try await piece in stream.pieces { text += String(decoding: piece, as: UTF8.self) }
        #expect(text.contains("door") && !text.contains("secret"))
    }

    @Test(arguments: ["application/jsonl", "text/event-stream", "application/json"], [false, true])
    func `A client stays a user's who logs in before messages are sent`(accept: String, isNested: Bool) async throws {
        let router = Router()
        let outer = SessionMiddleware(path: "/", store: MemorySessionStore())
        let group: any Routes = isNested ? router.group("/", outer) : router
        group.a2ui("/assistant/", sessions: MemorySessionStore()) { app in
            let door = app.surface("door") { _ in
                Guest()
            } tree: { m in
                button("Enter", Self.enter.event { $0.name = m.name })
            }
            door.on(Self.enter) { guest, turn in
                try await turn.request.session.logIn(user: guest.name)
                for name in ["a", "b"] {
                    turn.model.name = name
                    try await turn.send()
                }
                turn.model.name = "c"
            }
        }
        try await withHTTPClient(router) { client in
            _ = try await client.get("/assistant/surfaces/door")
            for user in ["ann", "ann", "bob"] {
                let entered = try await client.send(
                    .post,
                    "/assistant/actions",
                    headers: [.contentType: "application/json", .accept: accept],
                    body: Self.action("enter", ["name": .string(user)], on: "door").bytes
                )
                #expect(entered.status == .ok)
                #expect(entered.text.contains("deleteSurface") == (user == "bob"), "\(entered.text)")
                #expect(entered.text.contains(#""value":"c""#) == (user == "ann"), "\(entered.text)")
            }
        }
    }

    @Test func `A client belongs to the first user who is logged in`() {
        let client = Client("c", of: .http)
        #expect(client.admit(nil))
        #expect(client.admit("ann"))
        #expect(!client.admit(nil))
        #expect(!client.admit("bob"))
        #expect(client.admit("ann"))
    }

    @Test func `Single values of a model are read and written, and errors change nothing`() async throws {
        let app = try App()
        var client = Processor(strictness: .strict)
        #expect(client.apply(try json(try await app.get("/surfaces/counter"))) == [])
        #expect(try json(try await app.post(Self.action("mark", ["by": 0])))["code"] == "missing_value")
        #expect(client.apply(try json(try await app.post(Self.action("greet")))) == [])
        let messages = try json(try await app.post(Self.action("mark", ["by": 0])))
        #expect(messages.array?.count == 4)
        #expect(client.apply(messages) == [])
        #expect(client.surfaces["counter"]?.model.value["items"] == ["Hello !", "and Hello !"])
        #expect(shown("counter", of: client).prefix(2) == ["Count 8", "Many"])
        #expect(try json(try await app.post(Self.action("mark", ["by": 2])))["path"] == "/items/2")
    }

    @Test func `A handler opens and closes surfaces`() async throws {
        let app = try App()
        var client = Processor(strictness: .strict)
        #expect(client.apply(try json(try await app.get("/surfaces/counter"))) == [])
        #expect(client.apply(try json(try await app.post(Self.action("detail")))) == [])
        #expect(client.surfaces.keys.sorted() == ["detail"])
        #expect(try await app.post(Self.action("add")).status == .notFound)
    }

    @Test func `Functions of the server are called, and unknown ones are named`() async throws {
        let app = try App()
        func call(_ name: String, _ arguments: JSONValue) async throws -> JSONValue? {
            let message: JSONValue = [
                "version": "1.0",
                "callAgentFunction": [
                    "functionCallId": "7", "surfaceId": "counter",
                    "callFunction": ["@call": .string(name), "args": arguments],
                ],
            ]
            return try json(try await app.post(message))[0]?["agentFunctionResponse"]
        }
        #expect(try await call("sum", ["a": 1, "b": 2]) == ["functionCallId": "7", "value": 3])
        #expect(try await call("sum", ["a": 1])?["error"]?["code"] == "INVALID_FUNCTION_CALL")
        #expect(try await call("sun", [:])?["error"]?["code"] == "UNKNOWN_FUNCTION")
    }

    @Test func `A server calls a function of the client, and its outcome has a handler`() async throws {
        var now = Function("now", "The time.", returns: .string, parameters: []) { _, _ throws(A2UIError) in "12:00" }
        now.callers = .rendererOrAgent
        let label = Catalog.Component(
            "Label",
            "A text.",
            properties: [Property("text", .dynamic(.string), required: true, "The text.")]
        )
        let secret = Function("secret", "A secret.", returns: .string, parameters: []) { _, _ throws(A2UIError) in "" }
        let clock = try Catalog("clock", components: [label], functions: [now, secret])
        var configuration = A2UIConfiguration()
        (configuration.catalogs, configuration.version) = ([clock], .v1_0)
        let (ask, router) = (SurfaceAction<NoContext>("ask"), Router())
        router.a2ui("/assistant/", configuration: configuration) { app in
            let surface = app.surface("clock") { _ in
                Counter()
            } tree: { m in
                element(label).property("text", m.name)
            }
            surface.on(ask) { _, turn in
                for name in ["now", "secret"] { try turn.call(RendererFunction<NoContext, String>(name), NoContext()) }
            }
            for name in ["now", "secret"] {
                surface.on(RendererFunction<NoContext, String>(name)) { outcome, turn in
                    switch outcome {
                    case .success(let time): turn.model.name = time
                    case .failure(let failure): turn.model.items.append(failure.code)
                    }
                }
            }
        }
        let transport = try InProcessTransport(router.handler())
        let name = try #require(HTTPField.Name("A2UI-Client"))
        var headers: HTTPFields = [.contentType: "application/a2ui+json"]
        func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue?) async throws -> ClientResponse {
            let url = try HTTPURL("http://localhost/assistant\(path)")
            let bytes = body.map { Array("\($0)".utf8) } ?? []
            let request = ClientRequest(method, url, headers: headers, body: bytes)
            return try await transport.response(to: request, limits: ClientLimits())
        }
        var client = Processor(catalogs: ["clock": clock], strictness: .strict)
        let opened = try await send(.get, "/surfaces/clock", nil)
        headers[name] = opened.headers[name]
        #expect(client.apply(try json(opened)) == [])
        let calls = try await send(.post, "/actions", Self.action("ask", [:], on: "clock", version: "1.0"))
        #expect(client.apply(try json(calls)) == [])
        let responses = client.takeOutbox().map(\.json)
        #expect(responses.count == 2)
        #expect(client.apply(try json(try await send(.post, "/actions", .array(responses)))) == [])
        let model = client.surfaces["clock"]?.model.value
        #expect(model?["name"] == "12:00")
        #expect(model?["items"] == ["INVALID_FUNCTION_CALL"])
        // Some clients report an error in place of a response; its call is known by the id.
        let id = try #require(responses[0]["rendererFunctionResponse"]?["functionCallId"])
        for (content, status, code) in [
            (["error": ["code": "TIMEOUT", "message": "late", "functionCallId": id]], 200, nil),
            (["rendererFunctionResponse": ["functionCallId": "7", "value": 1]], 404, "unknown_call"),
            (["rendererFunctionResponse": ["functionCallId": "1 later clock", "value": 1]], 404, "unknown_action"),
            (["rendererFunctionResponse": ["functionCallId": "1 now other", "value": 1]], 404, "unknown_surface"),
            (["rendererFunctionResponse": ["functionCallId": id, "value": [7]]], 400, "type_mismatch"),
        ] as [(JSONObject, Int, String?)] {
            var message = content
            message["version"] = "1.0"
            let response = try await send(.post, "/actions", .object(message))
            #expect(response.status.code == status, "\(response.text)")
            #expect(try json(response)["code"]?.string == code)
        }
    }

    @Test(arguments: [("v0.9", true, "version_mismatch", 400), ("v1.0", false, nil, 500)])
    func `A call needs a client of 1.0 and a handler`(
        version: String,
        hasHandler: Bool,
        code: String?,
        status: Int
    ) async throws {
        let (ask, router) = (SurfaceAction<NoContext>("ask"), Router())
        router.a2ui("/assistant/") { app in
            let (now, clock) = (
                RendererFunction<NoContext, String>("now"),
                app.surface("clock") { _ in
                    Counter()
                } tree: { m in
                    text(m.name)
                }
            )
            clock.on(ask) { _, turn in try turn.call(now, NoContext()) }
            if hasHandler { clock.on(now) { outcome, turn in turn.model.name = try outcome.get() } }
        }
        let transport = try InProcessTransport(router.handler())
        let name = try #require(HTTPField.Name("A2UI-Client"))
        let url = try HTTPURL("http://localhost/assistant/surfaces/clock?version=\(version)")
        let opened = try await transport.response(to: ClientRequest(.get, url), limits: ClientLimits())
        var headers: HTTPFields = [.contentType: "application/a2ui+json"]
        headers[name] = opened.headers[name]
        let request = ClientRequest(
            .post,
            try HTTPURL("http://localhost/assistant/actions"),
            headers: headers,
            body: Array("\(Self.action("ask", [:], on: "clock", version: version))".utf8)
        )
        let response = try await transport.response(to: request, limits: ClientLimits())
        #expect(response.status.code == status)
        if let code { #expect(try json(response)["code"]?.string == code) }
    }

    @Test func `Parts of a turn come as lines and as events, and errors at their end`() async throws {
        let app = try App()
        _ = try await app.get("/surfaces/counter")
        let lines = try await app.post(Self.action("slow"), [.accept: "application/jsonl"])
        #expect(lines.mediaType == "application/jsonl")
        let values = try lines.text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(values.compactMap { $0["updateDataModel"]?["value"] } == [10, 11])
        let events = try await app.post(Self.action("slow"), [.accept: "text/event-stream"])
        #expect(events.text.split(separator: "\n\n").count == 2)
        let failed = try await app.post(Self.action("fail"), [.accept: "text/event-stream"])
        #expect(failed.text.hasPrefix("event: error\n"))
        let line = try await app.post(Self.action("fail"), [.accept: "application/x-ndjson"])
        #expect(try JSONValue(parsing: line.text)["error"]?["detail"] == "Not now.")
        #expect(try await app.post(Self.action("ad"), [.accept: "text/event-stream"]).status == .notFound)
    }

    @Test(arguments: ["application/json", "application/jsonl", "text/event-stream"])
    func `Handlers change the session, whatever the form of the response`(accept: String) async throws {
        let app = try App()
        _ = try await app.get("/surfaces/counter")
        let response = try await app.post(.array([Self.action("add"), Self.action("greet")]), [.accept: accept])
        #expect(response.text.contains("Hello "))
        #expect(response.headers[.setCookie]?.hasPrefix("session=") == true)
    }

    /// A router with a handler that changes the session, sends a change, and then waits.
    private static func pausing(_ wait: @escaping @Sendable () async throws -> Void) -> Router {
        let router = Router()
        router.a2ui("/assistant/", sessions: MemorySessionStore()) { app in
            let counter = app.surface("counter") { _ in
                Counter()
            } tree: { _ in
                button("Slow", slow.event())
            }
            counter.on(slow) { _, turn in
                try await turn.request.session.set(Visits.self, to: 1)
                turn.model.count = 10
                try await turn.send()
                try await wait()
                turn.model.count = 11
            }
        }
        return router
    }

    private static let slowMessage = Array("\(action("slow"))".utf8)

    @Test(arguments: ["application/jsonl", "text/event-stream"])
    func `A response begins with the first change that a handler sends`(accept: String) async throws {
        let isRead = Locked(false)
        let router = Self.pausing {
            let wasRead = try await Self.eventually { isRead.withLock { $0 } }
            #expect(wasRead)
        }
        let transport = try InProcessTransport(router.handler())
        let opening = try ClientRequest(.get, HTTPURL("http://localhost/assistant/surfaces/counter"))
        let opened = try await transport.response(to: opening, limits: ClientLimits())
        let name = try #require(HTTPField.Name("A2UI-Client"))
        var headers: HTTPFields = [.accept: accept, .contentType: "application/json"]
        headers[name] = opened.headers[name]
        let url = try HTTPURL("http://localhost/assistant/actions")
        let acting = ClientRequest(.post, url, headers: headers, body: Self.slowMessage)
        let stream = try await transport.open(acting, limits: ClientLimits())
        #expect(stream.response.headers[.setCookie]?.hasPrefix("session=") == true)
        var text = ""
        for try await piece in stream.pieces {
            text += String(decoding: piece, as: UTF8.self)
            isRead.withLock { $0 = true }
        }
        #expect(text.contains("\"value\":10") && text.contains("\"value\":11"))
    }

    @Test(arguments: [
        ("/actions", "application/jsonl", ""), ("/actions", "text/event-stream", ":\n"),
        ("/ag-ui", "text/event-stream", "RUN_STARTED"),
    ])
    func `A response begins after one heartbeat, though its handler sends nothing`(
        path: String,
        accept: String,
        beginning: String
    ) async throws {
        let (isBegun, router) = (Locked(false), Router())
        var configuration = A2UIConfiguration()
        configuration.heartbeat = .milliseconds(20)
        router.a2ui("/assistant/", configuration: configuration) { app in
            let counter = app.surface("counter") { _ in
                Counter()
            } tree: { _ in
                button("Slow", Self.slow.event())
            }
            counter.on(Self.slow) { _, turn in
                let wasBegun = try await Self.eventually { isBegun.withLock { $0 } }
                #expect(wasBegun)
                turn.model.count = 11
            }
            app.agUI(start: counter)
        }
        let transport = try InProcessTransport(router.handler())
        func request(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ headers: HTTPFields,
            _ body: JSONValue
        ) throws -> ClientRequest {
            let url = try HTTPURL("http://localhost/assistant\(path)")
            return ClientRequest(method, url, headers: headers, body: method == .get ? [] : body.bytes)
        }
        var headers: HTTPFields = [.accept: accept, .contentType: "application/json"]
        var run: JSONObject = ["threadId": "t", "runId": "r"]
        var body = Self.action("slow")
        if path == "/ag-ui" {
            let opening = try request(.post, path, headers, .object(run))
            _ = try await transport.response(to: opening, limits: ClientLimits())
            run["forwardedProps"] = ["a2uiAction": ["userAction": body["action"] ?? .null]]
            body = .object(run)
        } else {
            let opened = try await transport.response(
                to: request(.get, "/surfaces/counter", [:], [:]),
                limits: ClientLimits()
            )
            let name = try #require(HTTPField.Name("A2UI-Client"))
            headers[name] = opened.headers[name]
        }
        let stream = try await transport.open(request(.post, path, headers, body), limits: ClientLimits())
        var text = ""
        if beginning.isEmpty { isBegun.withLock { $0 = true } }
        for try await piece in stream.pieces {
            text += String(decoding: piece, as: UTF8.self)
            if text.contains(beginning) { isBegun.withLock { $0 = true } }
        }
        #expect(text.contains("11"))
    }

    @Test func `The work of a response that nobody reads is cancelled`() async throws {
        let (isRead, isCancelled) = (Locked(false), Locked(false))
        let router = Router()
        router.a2ui("/assistant/") { app in
            let counter = app.surface("counter") { _ in
                Counter()
            } tree: { _ in
                button("Slow", Self.slow.event())
            }
            counter.on(Self.slow) { _, turn in
                defer { isCancelled.withLock { $0 = Task.isCancelled } }
                turn.model.count = 10
                try await turn.send()
                isRead.withLock { $0 = true }
            }
        }
        let handler = router.handler()
        try handler.prepare()
        let opened = try await handler(try Request(.get, "/assistant/surfaces/counter"))
        let name = try #require(HTTPField.Name("A2UI-Client"))
        var headers: HTTPFields = [.accept: "application/jsonl", .contentType: "application/json"]
        headers[name] = opened.headers[name]
        let request = try Request(.post, "/assistant/actions", headers: headers, body: Self.slowMessage)
        let status = try await handler(request).status
        #expect(status == .ok)
        let wasCancelled = try await Self.eventually { isCancelled.withLock { $0 } }
        #expect(wasCancelled)
        #expect(!isRead.withLock { $0 })
    }

    @Test func `What the server changes waits for clients without a stream`() async throws {
        let app = try App()
        var client = Processor(strictness: .strict)
        #expect(client.apply(try json(try await app.get("/surfaces/counter"))) == [])
        try app.counter.update { $0.count = 7 }
        #expect(client.apply(try json(try await app.post(Self.action("add")))) == [])
        #expect(shown("counter", of: client).prefix(2) == ["Count 8", "Many"])
    }

    @Test func `What waited precedes what an action changes, also if it came during the action`() async throws {
        let app = try App()
        var client = Processor(strictness: .strict)
        #expect(client.apply(try json(try await app.get("/surfaces/counter"))) == [])
        #expect(client.apply(try json(try await app.post(Self.action("all")))) == [])
        #expect(shown("counter", of: client).first == "Count 50")
        #expect(try json(try await app.post(Self.action("add", ["by": 0]))) == [])
    }

    /// Adds a surface with three rows.
    private static func table(of app: A2UIApp) -> SurfaceDeclaration<Rows> {
        app.surface("table") { _ in
            Rows(rows: [1, 2, 3].map { Row(id: $0) })
        } tree: { m in
            list(m.rows) { row in text("\(row.id)") }
        }
    }

    @Test(arguments: ["all", "mark"], [[1, 2], [9, 1, 2, 3]])
    func `A list that an update changes during an action is the action's in the end`(
        action: String,
        ids: [Int]
    ) async throws {
        let router = Router()
        router.a2ui("/assistant/") { app in
            let table = Self.table(of: app)
            table.on(Self.all) { _, turn in
                try table.update { $0.rows = ids.map { Row(id: $0) } }
                turn.model.rows[2].taps += 1
            }
            table.on(Self.mark) { step, m, values in
                try table.update { $0.rows = ids.map { Row(id: $0) } }
                let taps = m.rows[2].taps
                try values.set(taps, to: values.value(taps) + step.by)
            }
        }
        try await withHTTPClient(router) { client in
            var renderer = Processor(strictness: .strict)
            #expect(renderer.apply(try json(try await client.get("/assistant/surfaces/table"))) == [])
            for taps in 1...2 {
                let response = try await client.send(
                    .post,
                    "/assistant/actions",
                    headers: [.contentType: "application/a2ui+json"],
                    body: Self.action(action, on: "table").bytes
                )
                #expect(response.status == .ok, "\(response.text)")
                #expect(renderer.apply(try json(response)) == [])
                let rows: JSONValue = [
                    ["id": 1, "taps": 0], ["id": 2, "taps": 0], ["id": 3, "taps": .number(JSONNumber(Int64(taps)))],
                ]
                #expect(renderer.surfaces["table"]?.model.value["rows"] == rows)
            }
        }
    }

    @Test func `A turn that has sent a list sends it whole after an update, and its elements before`() async throws {
        let router = Router()
        router.a2ui("/assistant/") { app in
            let table = Self.table(of: app)
            table.on(Self.slow) { _, turn in
                for _ in 0..<2 {
                    turn.model.rows[2].taps += 1
                    try await turn.send()
                }
                try table.update { $0.rows.removeFirst() }
                turn.model.rows[2].taps += 1
            }
        }
        try await withHTTPClient(router) { client in
            _ = try await client.get("/assistant/surfaces/table")
            let response = try await client.send(
                .post,
                "/assistant/actions",
                headers: [.contentType: "application/a2ui+json", .accept: "application/jsonl"],
                body: Self.action("slow", on: "table").bytes
            )
            let paths = try response.text.split(separator: "\n").map {
                try JSONValue(parsing: String($0))["updateDataModel"]?["path"]?.string
            }
            // The third is the update's, and the fourth replaces it.
            #expect(paths == ["/rows/2/taps", "/rows/2/taps", "/rows", "/rows"])
        }
    }

    @Test func `A stream restores surfaces, carries what the server starts, and takes all messages`() async throws {
        let app = try App()
        let opened = try await app.get("/surfaces/counter")
        let name = try #require(HTTPField.Name("A2UI-Client"))
        let id = try #require(opened.headers[name])
        try await withServer(app.handler) { address in
            let headers: HTTPFields = [.accept: "text/event-stream", name: id]
            let response = try await address.open(.http1, .get, "/assistant/", headers)
            var pieces = response.body.makeAsyncIterator()
            var client = Processor(strictness: .strict)
            var last = ""
            /// Applies events until the surface has a text.
            func read(until wanted: String) async throws {
                while !shown("counter", of: client).contains(wanted), let piece = try await pieces.next() {
                    for line in String(decoding: piece, as: UTF8.self).split(separator: "\n") {
                        if line.hasPrefix("data: ") {
                            #expect(client.apply(try JSONValue(parsing: String(line.dropFirst(6)))) == [])
                        }
                        if line.hasPrefix("id: ") { last = String(line.dropFirst(4)) }
                    }
                }
            }
            try await read(until: "Count 1")
            try app.counter.update { $0.count = 5 }
            try await read(until: "Many")
            #expect(try json(try await app.post(Self.action("add"))) == [])
            try await read(until: "Count 6")
            #expect(Int(last) != nil)
        }
    }

    @Test func `Mistakes in trees are errors of the server that the log describes`() async throws {
        let router = Router()
        router.a2ui("/a/") { app in
            app.surface("one") { _ in
                Counter()
            } tree: { m in
                button("Go", Self.add.event())
            }
            app.surface("two") { _ in
                Counter()
            } tree: { m in
                icon("nothing")
            }
            app.surface("three") { _ in
                [1]
            } tree: { _ in
                text("a")
            }
        }
        let transport = try InProcessTransport(router.handler())
        for name in ["one", "two"] {
            let request = try ClientRequest(.get, HTTPURL("http://localhost/a/surfaces/\(name)"))
            let response = try await transport.response(to: request, limits: ClientLimits())
            #expect(response.status == .internalServerError)
        }
        let surface = DeclaredSurface(name: "s", sendsDataModel: true, isFixed: true) { _ in
            [:]
        } tree: { _ in
            column { button("Go", Self.add.event()) }
        }
        let error = #expect(throws: SurfaceError.self) { try surface.components([:], .v0_9, .basic0_9) }
        #expect(error?.description.contains("the action \"add\" has no handler") == true)
    }

    @Test func `A tree is checked against each catalog of a version`() throws {
        let stars = Catalog.Component(
            "Stars",
            "A rating.",
            properties: [Property("value", .dynamic(.number), "The number.")]
        )
        let ratings = try Catalog("ratings", components: [stars])
        let surface = DeclaredSurface(name: "s", sendsDataModel: true, isFixed: false) { _ in
            [:]
        } tree: { _ in
            element(stars).property("value", 3)
        }
        #expect(try surface.components([:], .v1_0, ratings).count == 1)
        #expect(throws: SurfaceError.self) { try surface.components([:], .v1_0, .basic1_0) }
    }

    @Test func `Names are declared once, and have the form of identifiers`() {
        let router = Router()
        router.a2ui("/a/") { app in
            app.surface("one") { _ in
                Counter()
            } tree: { _ in
                text("a")
            }
            app.surface("one") { _ in
                Counter()
            } tree: { _ in
                text("a")
            }
            app.surface("t-wo") { _ in
                Counter()
            } tree: { _ in
                text("a")
            }
        }
        router.a2ui("/b") { _ in }
        let error = #expect(throws: StartupError.self) { try InProcessTransport(router.handler()) }
        #expect(error?.problems.count == 3)
    }
}
