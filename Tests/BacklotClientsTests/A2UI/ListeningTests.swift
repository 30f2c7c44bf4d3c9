import A2UI
import A2UIServing
import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import BacklotClients

/// A client that listens to what the server starts by itself.
@Suite(.timeLimit(.minutes(3))) struct ListeningTests {
    struct Counter: Codable, Sendable { var count = 0, name = "" }

    private static let add = SurfaceAction<NoContext>("add")
    private static let wait = SurfaceAction<NoContext>("wait")

    private static let enter = SurfaceAction<NoContext>("enter")

    private static func app() throws -> (router: Router, counter: SurfaceDeclaration<Counter>) {
        let (router, found) = (Router(), Locked<SurfaceDeclaration<Counter>?>(nil))
        router.a2ui("/a/", sessions: MemorySessionStore()) { app in
            let counter = app.surface("counter") { _ in
                Counter()
            } tree: { m, counter in
                column {
                    text("Count \(m.count)")
                    textField("Name", value: m.name)
                    button("Add", add.event())
                    button("Wait", wait.event())
                    button("Enter", enter.event())
                    if counter.count > 5 { text("Many") }
                }
            }
            counter.on(add) { _, turn in turn.model.count += 1 }
            counter.on(wait) { _, _ in }
            counter.on(enter) { _, turn in try await turn.request.session.logIn(user: "ann") }
            found.withLock { $0 = counter }
        }
        let counter = found.withLock { $0 }
        return (router, try #require(counter))
    }

    @Test(arguments: ClientReach.allCases)
    func `A change without an action is shown, and keeps what the user typed`(reach: ClientReach) async throws {
        let (router, counter) = try Self.app()
        try await withA2UIClient(router, at: "/a/", over: reach) { app in
            try await app.launch()
            await #expect(throws: (any Error).self) { try await app.receive() }
            try await app.listen()
            try counter.update { $0.count = 7 }
            while app.texts.first != "Count 7" { try await app.receive() }
            try app.enter("Ada", into: "Name")
            #expect(app.texts.contains("Many"))
            try await app.tap("Add")
            while app.texts.first != "Count 8" { try await app.receive() }
            #expect(app.state.lastEventID != nil && app.value(of: "Name") == "Ada")
            await app.stopListening()
        }
    }

    @Test func `A client goes on to listen when a log-in ends its stream`() async throws {
        let (router, counter) = try Self.app()
        let app = try A2UIClient(router, at: "/a/")
        try await app.launch()
        try await app.listen()
        try await app.tap("Enter")
        try counter.update { $0.count = 7 }
        while app.texts.first != "Count 7" { try await app.receive() }
        await app.stopListening()
    }

    /// Changes of the server and of the client in any order, with streams that end in between: nothing is lost, and nothing counts twice.
    @Test(arguments: 1...25 as ClosedRange<UInt64>) func `The order of changes doesn't matter`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let (router, counter) = try Self.app()
        let app = try A2UIClient(router, at: "/a/")
        try await app.launch()
        var (count, isListening, trace) = (0, false, [String]())
        for _ in 0..<30 {
            let step = ["update", "tap", "receive", "listen", "stop"].randomElement(using: &random) ?? ""
            trace.append(step)
            switch step {
            case "update":
                try counter.update { $0.count += 10 }
                count += 10
            case "tap":
                try await app.tap("Add")
                count += 1
                if !isListening { #expect(app.texts.first == "Count \(count)", "\(trace)") }
            case "receive" where isListening && app.texts.first != "Count \(count)": try await app.receive()
            case "listen":
                try await app.listen()
                isListening = true
            case "stop":
                await app.stopListening()
                isListening = false
            default: break
            }
        }
        await app.stopListening()
        try await app.tap("Wait")
        #expect(app.texts.first == "Count \(count)", "\(trace)")
    }

    /// The pieces of a stream don't matter.
    @Test func `Events are read in any pieces`() throws {
        let catalog = Catalog.basic0_9.id
        let text = """
            :

            data: {"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"\(catalog)"}}
            id:

            data: {"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"a":1}}}
            id: 7


            """
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            var state = A2UIClientState()
            #expect(try state.receive(Array(bytes[..<cut]), limit: 1000) == [])
            #expect(state.isWhole == (state.processor.surfaces["s"] == nil || state.lastEventID == "7"))
            #expect(try state.receive(Array(bytes[cut...]), limit: 1000) == [])
            #expect(state.lastEventID == "7" && state.isWhole)
            #expect(state.processor.surfaces["s"]?.model.value == ["a": 1])
        }
    }

    /// A surface with a column of texts.
    private static func surface(_ id: String, texts count: Int) -> JSONValue {
        let texts: [JSONValue] = (0..<count).map { ["id": .string("t\($0)"), "component": "Text", "text": "x"] }
        let root: JSONValue = [
            "id": "root", "component": "Column", "children": .array((0..<count).map { .string("t\($0)") }),
        ]
        let catalog = JSONValue.string(Catalog.basic0_9.id)
        return [
            ["version": "v0.9", "createSurface": ["surfaceId": .string(id), "catalogId": catalog]],
            [
                "version": "v0.9",
                "updateComponents": ["surfaceId": .string(id), "components": .array([root] + texts)],
            ],
        ]
    }

    @Test func `Surfaces beyond the bound of nodes aren't shown, and an error says so`() throws {
        var state = A2UIClientState()
        #expect(state.nodeLimit == 100_000)
        state.nodeLimit = 10
        #expect(state.receive(Self.surface("a", texts: 8)) == [])
        #expect(state.receive(Self.surface("b", texts: 3)) == [])
        let errors = state.receive(Self.surface("c", texts: 1))
        #expect(errors.map(\.code) == ["too_many_nodes"] && errors.map(\.surfaceID) == ["c"])
        #expect(
            errors.first?.message
                == "The surface isn't shown: the surfaces before it have 10 nodes. Close some of them."
        )
        #expect(state.trees.keys.sorted() == ["a", "b"])
        let closed = state.receive(["version": "v0.9", "deleteSurface": ["surfaceId": "b"]])
        #expect(closed == [] && state.trees.keys.sorted() == ["a", "c"])
    }

    @Test func `A crawl says which surfaces it doesn't look at`() throws {
        let url = try HTTPURL("http://localhost/a/")
        var guide = A2UICrawlGuide(url)
        guide.state.nodeLimit = 3
        let found = ["a", "b", "c"].flatMap { id in
            let body = Self.surface(id, texts: 2).bytes
            let stop = CrawlStop("surfaces/\(id)", url, "surface")
            return guide.take(ClientResponse(status: .ok, headers: [:], body: body), of: stop).findings
        }
        let expected = ["b › surface \"b\"", "c › surface \"b\"", "c › surface \"c\""].map { "surfaces/\($0)" }
        #expect(found.filter { $0.rule == "crawl-bound" }.map { "\($0.path)" } == expected)
    }

    @Test(
        arguments: [
            ("data: {\"a\"\n\n", "an event is no JSON"), ("data: \(String(repeating: "x", count: 2000))", "1000"),
        ]
    )
    func `A stream that is none is an error`(text: String, expected: String) {
        var state = A2UIClientState()
        let error = #expect(throws: ClientError.self) { try state.receive(Array(text.utf8), limit: 1000) }
        #expect(error.map { "\($0)" }?.contains(expected) == true, "\(String(describing: error))")
    }

    @Test func `A stream that ends, or changes nothing, is an error`() async throws {
        let router = Router()
        router.get("/a/") { request in
            request.headers[.accept] == "text/event-stream"
                ? Response.events { _ in } : Response(json: ["surfaces": []])
        }
        let app = try A2UIClient(router, at: "/a/")
        try await app.listen()
        await #expect(throws: A2UIClientError.self) { try await app.receive() }
        var configuration = A2UIClientConfiguration()
        configuration.limits.idle = .milliseconds(20)
        let silent = try A2UIClient(try Self.app().router, at: "/a/", configuration: configuration)
        try await silent.launch()
        try await silent.listen()
        let error = await #expect(throws: A2UIClientError.self) {
            while true { try await silent.receive() }
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("changed nothing within 20 ms"))
    }
}
