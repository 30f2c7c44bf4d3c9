import A2UI
import Backlot
import BacklotClients
import Testing

/// The headless client, with a backend that sends messages as they stand here.
@Suite(.timeLimit(.minutes(1))) struct A2UIClientTests {
    /// A form with each kind of input, a list by template, tabs and a modal.
    private static let form: JSONValue = [
        [
            "version": "v0.9",
            "createSurface": ["surfaceId": "form", "catalogId": .string(Catalog.basic0_9.id), "sendDataModel": true],
        ],
        [
            "version": "v0.9",
            "updateDataModel": [
                "surfaceId": "form",
                "value": [
                    "name": "", "isNew": false, "doctor": [], "days": [], "pain": 2, "day": "",
                    "slots": [["id": "s1", "time": "9:30"], ["id": "s2", "time": "10:00"]],
                ],
            ],
        ],
        [
            "version": "v0.9",
            "updateComponents": [
                "surfaceId": "form",
                "components": [
                    [
                        "id": "root", "component": "Column",
                        "children": [
                            "title", "name", "new", "doctor", "days", "pain", "day", "rows", "tabs", "modal", "send",
                        ],
                    ],
                    ["id": "title", "component": "Text", "text": "Book a visit"],
                    [
                        "id": "name", "component": "TextField", "label": "Name", "value": ["path": "/name"],
                        "checks": [
                            [
                                "condition": ["call": "required", "args": ["value": ["path": "/name"]]],
                                "message": "Please give a name.",
                            ]
                        ],
                    ],
                    ["id": "new", "component": "CheckBox", "label": "First visit", "value": ["path": "/isNew"]],
                    [
                        "id": "doctor", "component": "ChoicePicker", "label": "Doctor", "value": ["path": "/doctor"],
                        "options": [["label": "Dr Ito", "value": "ito"], ["label": "Dr Bell", "value": "bell"]],
                    ],
                    [
                        "id": "days", "component": "ChoicePicker", "label": "Days", "value": ["path": "/days"],
                        "variant": "multipleSelection",
                        "options": [["label": "Monday", "value": "mo"], ["label": "Tuesday", "value": "tu"]],
                    ],
                    [
                        "id": "pain", "component": "Slider", "label": "Pain", "value": ["path": "/pain"], "min": 0,
                        "max": 10,
                    ],
                    [
                        "id": "day", "component": "DateTimeInput", "label": "Day", "value": ["path": "/day"],
                        "enableDate": true,
                    ],
                    ["id": "rows", "component": "List", "children": ["componentId": "row", "path": "/slots"]],
                    ["id": "row", "component": "Row", "children": ["time", "take"]],
                    ["id": "time", "component": "Text", "text": ["path": "time"]],
                    [
                        "id": "take", "component": "Button", "child": "take_text",
                        "action": ["event": ["name": "take", "context": ["slot": ["path": "id"]]]],
                    ],
                    ["id": "take_text", "component": "Text", "text": "Take"],
                    [
                        "id": "tabs", "component": "Tabs",
                        "tabs": [["title": "Here", "child": "here"], ["title": "There", "child": "there"]],
                    ],
                    ["id": "here", "component": "Text", "text": "We are here."],
                    ["id": "there", "component": "Text", "text": "We are there."],
                    ["id": "modal", "component": "Modal", "trigger": "more", "content": "details"],
                    ["id": "more", "component": "Text", "text": "More"],
                    ["id": "details", "component": "Text", "text": "All the details."],
                    [
                        "id": "send", "component": "Button", "child": "send_text",
                        "action": ["event": ["name": "book"]],
                        "checks": [
                            [
                                "condition": ["call": "required", "args": ["value": ["path": "/name"]]],
                                "message": "Please give a name.",
                            ]
                        ],
                    ],
                    ["id": "send_text", "component": "Text", "text": "Book"],
                ],
            ],
        ],
    ]

    /// Responds to `take` by the slots that are left, and to `book` by another surface. `odd` is a wrong message.
    private static func response(to body: JSONValue) -> JSONValue {
        let action = body["messages"]?[0]?["action"]
        switch action?["name"] {
        case "take":
            return [
                ["version": "v0.9", "updateDataModel": ["surfaceId": "form", "path": "/slots", "value": []]]
            ]
        case "book":
            let name = body["metadata"]?["a2uiClientDataModel"]?["surfaces"]?["form"]?["name"] ?? ""
            return [
                ["version": "v0.9", "deleteSurface": ["surfaceId": "form"]],
                [
                    "version": "v0.9",
                    "createSurface": ["surfaceId": "thanks", "catalogId": .string(Catalog.basic0_9.id)],
                ],
                [
                    "version": "v0.9",
                    "updateComponents": [
                        "surfaceId": "thanks",
                        "components": [
                            ["id": "root", "component": "Text", "text": .string("Thank you, \(name.string ?? "").")],
                            ["id": "odd", "component": "Txet"],
                        ],
                    ],
                ],
            ]
        default: return []
        }
    }

    private static func router(log: Locked<[JSONValue]> = Locked([])) -> Router {
        let router = Router()
        router.get("/clinic/") { _ in Response(json: ["surfaces": ["/clinic/surfaces/form"]]) }
        router.get("/clinic/surfaces/form") { _ in
            Response(headers: [.contentType: "application/a2ui+json"], body: .bytes(form.bytes))
        }
        router.post("/clinic/actions") { request in
            let body = try await request.json()
            log.withLock { $0.append(body) }
            return Response(headers: [.contentType: "application/a2ui+json"], body: .bytes(response(to: body).bytes))
        }
        return router
    }

    private func client() async throws -> A2UIClient {
        let client = try A2UIClient(Self.router(), at: "/clinic/")
        try await client.launch()
        return client
    }

    @Test func `Inputs write into the model`() async throws {
        let app = try await client()
        #expect(app.texts.prefix(3) == ["Book a visit", "Name", "Please give a name."])
        try app.enter("Ada", into: "Name")
        try app.check("First visit")
        try app.choose("Dr Ito", from: "Doctor")
        try app.choose("bell", from: "Doctor")
        try app.choose("Tuesday", from: "Days")
        try app.choose("Monday", from: "Days")
        try app.choose("Tuesday", from: "Days")
        try app.enter("7", into: "Pain")
        try app.enter("2026-12-31", into: "day")
        let model = app.model(of: "form")
        #expect(model?["name"] == "Ada" && model?["isNew"] == true && model?["doctor"] == ["bell"])
        #expect(model?["days"] == ["mo"] && model?["pain"] == 7 && model?["day"] == "2026-12-31")
        #expect(app.value(of: "Doctor") == ["bell"])
        #expect(app.failures(of: "Name").isEmpty && app.sent.isEmpty)
    }

    @Test func `Taps send actions with the values of their rows`() async throws {
        let log = Locked<[JSONValue]>([])
        let app = try A2UIClient(Self.router(log: log), at: "/clinic/")
        try await app.launch()
        try await app.tap("Take", number: 2)
        let body = try #require(log.withLock { $0.first })
        #expect(body["messages"]?[0]?["action"]?["context"] == ["slot": "s2"])
        #expect(body["messages"]?[0]?["action"]?["sourceComponentId"] == "take")
        #expect(body["metadata"]?["a2uiClientCapabilities"]?["v0.9"]?["supportedCatalogIds"] != nil)
        #expect(body["metadata"]?["a2uiClientDataModel"]?["surfaces"]?["form"]?["slots"]?.array?.count == 2)
        #expect(!app.texts.contains("9:30"))
    }

    @Test func `Tabs and modals are the client's own affair`() async throws {
        let app = try await client()
        #expect(app.texts.contains("We are here.") && !app.texts.contains("We are there."))
        try await app.tap("There")
        #expect(app.texts.contains("We are there.") && !app.texts.contains("We are here."))
        try await app.tap("More")
        #expect(app.texts == ["All the details."])
        try app.back()
        #expect(app.texts.first == "Book a visit" && app.sent.isEmpty)
    }

    /// The wrong message is reported to the server, as real clients do.
    @Test func `A wrong message is an error of the backend, and is reported`() async throws {
        let log = Locked<[JSONValue]>([])
        let app = try A2UIClient(Self.router(log: log), at: "/clinic/")
        try await app.launch()
        try app.enter("Ada", into: "Name")
        let error = await #expect(throws: BackendError.self) { try await app.tap("Book") }
        #expect(error?.findings.map(\.rule) == ["unrecognized-component"])
        #expect(error?.findings.first?.path.pointer == "/messages/2/updateComponents/components/1/component")
        let report = log.withLock { $0.last }?["messages"]?[0]?["error"]
        #expect(report?["code"] == "VALIDATION_FAILED" && report?["surfaceId"] == "thanks")
        #expect(app.state.surfaceIDs == ["thanks"])
    }

    /// Steps that a user can't do, and the reason.
    @Test(
        arguments: [
            ("tap Bok", #"no button, tab or modal "Bok"; there is "Book""#),
            ("tap Book", #""Book" is disabled: Please give a name."#),
            ("tap Take 3", #"there are 2 "Take", not 3"#),
            ("enter Nam", #"no text field or date or time or slider "Nam"; there is "Name""#),
            ("enter Pain", #""Pain" takes a number from 0.0 to 10.0"#),
            ("enter Day", #""Day" takes a date such as 2026-12-31, not "soon""#),
            ("check Name", #"no check box "Name""#),
            ("choose Dr Bel", #"no option "Dr Bel"; there is "Dr Bell""#),
            ("back", "no modal is open"),
        ]
    )
    func `Impossible steps say why, and change nothing`(step: String, reason: String) async throws {
        let app = try await client()
        let before = app.model(of: "form")
        let error = await #expect(throws: StepError.self) {
            let words = step.split(separator: " ", maxSplits: 1).map(String.init)
            switch words[0] {
            case "tap" where words[1].hasSuffix(" 3"): try await app.tap("Take", number: 3)
            case "tap": try await app.tap(words[1])
            case "enter": try app.enter("soon", into: words[1])
            case "check": try app.check(words[1])
            case "choose": try app.choose(words[1], from: "Doctor")
            default: try app.back()
            }
        }
        #expect(error?.problem == reason)
        #expect(error?.screen.contains(#"TextField name "Name": """#) == true, "\(error?.screen ?? "")")
        #expect(app.model(of: "form") == before && app.sent.isEmpty)
    }

    @Test func `A crawl taps 500 buttons of a surface that has thousands, each in its row`() throws {
        let slots = (1...5000).map { ["id": .string("s\($0)")] as JSONValue }
        let messages: JSONValue = [
            ["version": "v0.9", "createSurface": ["surfaceId": "many", "catalogId": .string(Catalog.basic0_9.id)]],
            ["version": "v0.9", "updateDataModel": ["surfaceId": "many", "value": ["slots": .array(slots)]]],
            [
                "version": "v0.9",
                "updateComponents": [
                    "surfaceId": "many",
                    "components": [
                        ["id": "root", "component": "List", "children": ["componentId": "take", "path": "/slots"]],
                        [
                            "id": "take", "component": "Button", "child": "take_text",
                            "action": ["event": ["name": "take", "context": ["slot": ["path": "id"]]]],
                        ],
                        ["id": "take_text", "component": "Text", "text": "Take"],
                    ],
                ],
            ],
        ]
        let url = try HTTPURL("http://localhost/clinic/")
        var guide = A2UIClient.guide(at: url, GuideOptions())
        let response = ClientResponse(status: .ok, body: messages.bytes)
        let links = guide.take(response, of: CrawlStop("surfaces/many", url, "surface")).links
        #expect(links.count == 500)
        let contexts = links.compactMap { $0.stop.detail["messages"]?[0]?["action"]?["context"] }
        #expect(contexts.first == ["slot": "s1"])
        #expect(contexts.last == ["slot": "s500"])
    }

    @Test func `A backend that isn't one is told from others`() async throws {
        let router = Router()
        router.get("/") { _ in "hello" }
        let app = try A2UIClient(router)
        await #expect(throws: A2UIClientError.self) { try await app.launch() }
        let error = await #expect(throws: A2UIClientError.self) { try await app.open("x") }
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("the response's status is 404: "))
    }

    @Test func `It is found among the protocols by its index or its messages`() async throws {
        let transport = try InProcessTransport(Self.router().handler())
        #expect(try await AppProtocol.found(at: "http://localhost/clinic/", transport: transport) == .a2ui)
        #expect(try await AppProtocol.found(at: "http://localhost/clinic/surfaces/form", transport: transport) == .a2ui)
    }
}
