import Backlot
import BacklotTesting
import Testing

@testable import DynamicViews

/// Handlers that belong to widgets, and responses with the document.
@Suite(.timeLimit(.minutes(5))) struct WidgetHandlerTests {
    private enum TextKey: SessionKey {
        static let name = "text"
        typealias Value = String
    }

    private let log = Locked<[String]>([])

    private func makeServer(
        _ configuration: DynamicViewsConfiguration = DynamicViewsConfiguration()
    ) throws -> ViewServer {
        let log = log
        @Sendable func note(_ text: String, _ request: Request) async throws {
            log.withLock { $0.append(text) }
            try await request.session.set(TextKey.self, to: text)
        }
        return try ViewServer(sessions: MemorySessionStore(), configuration: configuration) { views in
            views.view("v") { request in
                let state = try await request.session[TextKey.self]
                return document {
                    section("s", id: "s") {
                        button("b", id: "b").onTap { interaction, request in
                            try await note("tap \(interaction.widgetID) \(state ?? "-")", request)
                        }
                        .padding(1)
                    }
                    .onTap { _, request in try await note("section", request) }
                    toggle("t", id: "t", key: "k").onToggle { try await note("toggle \($0)", $1) }
                    multiValue("m", id: "m") { option("a", id: "m.a") }.onChoice { try await note("choice \($0)", $1) }
                    lastPurchases(projectId: "shop", id: "p")
                        .onReceipt { try await note("receipt \($0)", $1) }
                        .onMore { try await note("more", $0) }
                    lastPurchases(projectId: "shop", id: "q").onReceipt { _, _ in }
                    image("i", id: "i").onTap { _, _ in throw StatusError(.conflict, "twice") }
                    text("x", id: "x").onTap { try await note("first \($0.widgetID)", $1) }
                        .onTap { try await note("last \($0.widgetID)", $1) }
                    text("y", id: "y")
                    if let state { text(state, id: "state") }
                }
                .style(.list)
            }
            .on(.tap, "b") { _, request in try await note("view's", request) }
            .on(.more, "q") { _, request in try await note("view's more", request) }
            .onInteraction { _, request in try await note("any", request) }
        }
    }

    @Test(arguments: [
        (#"{"widgetId":"b"}"#, "tap b -"), (#"{"widgetId":"s"}"#, "section"),
        (#"{"widgetId":"t","userInfo":{"k":true}}"#, "toggle true"),
        (#"{"widgetId":"m","userInfo":{"value":"a"}}"#, "choice m.a"),
        (#"{"widgetId":"p","elementId":"77"}"#, "receipt 77"), (#"{"widgetId":"p"}"#, "more"),
        (#"{"widgetId":"q"}"#, "view's more"), (#"{"widgetId":"x"}"#, "last x"), (#"{"widgetId":"y"}"#, "any"),
    ])
    func `An interaction goes to the widget's handler first`(body: String, entry: String) async throws {
        let response = try await makeServer().post("/v/interactions", body)
        #expect(response.status == .noContent)
        #expect(log.withLock { $0 } == [entry])
    }

    @Test(arguments: [
        (#"{"widgetId":"i"}"#, 409, "twice"), (#"{"widgetId":"state"}"#, 404, "this view has no widget"),
        (#"{"widgetId":"t","userInfo":{"k":1}}"#, 400, "userInfo of the toggle"),
    ])
    func `What is refused is said as without handlers at widgets`(
        body: String,
        status: Int,
        reason: String
    ) async throws {
        let response = try await makeServer().post("/v/interactions", body)
        #expect(response.status.code == status)
        #expect(response.text.hasPrefix(reason))
        #expect(log.withLock { $0 } == [])
    }

    private static let tap = #"{"widgetId":"b"}"#

    @Test(
        arguments: [
            (false, nil, false), (false, "return=representation", true), (false, "return=minimal", false),
            (false, "respond-async, return=\"representation\"; x=1", true), (false, "Return=Representation", true),
            (false, "representation", false), (false, "return=everything", false), (false, "return", false),
            (false, "", false), (false, "wait=10,,return = representation", true),
            (true, nil, true), (true, "return=minimal", false), (true, "return=everything", true),
            (true, "return=", true),
        ] as [(Bool, String?, Bool)]
    )
    func `An interaction is answered with the document where that is wished`(
        usually: Bool,
        preference: String?,
        hasDocument: Bool
    ) async throws {
        var configuration = DynamicViewsConfiguration()
        configuration.respondsWithDocument = usually
        let server = try makeServer(configuration)
        var headers: HTTPFields = [:]
        if let preference { try headers.set("Prefer", to: preference) }
        let response = try await server.post("/v/interactions", Self.tap, headers)
        #expect(response.status == (hasDocument ? .ok : .noContent))
        guard hasDocument else { return #expect(response.body == []) }
        let document = try JSONValue(parsing: response.body)
        // The document after the interaction.
        #expect(document["widgets"]?.array?.last == ["type": "text", "id": "state", "text": "tap b -"])
        #expect(response.mediaType == "application/json")
        let applied = HTTPField.Name("Preference-Applied").flatMap { response.headers[$0] }
        let isAsked = preference?.lowercased().contains("representation") == true
        #expect(applied == (isAsked ? "return=representation" : nil))
        // Its entity tag is that of the view.
        let cookie = String(response.headers[.setCookie]?.prefix { $0 != ";" } ?? "")
        let tag = try #require(response.headers[.eTag])
        let again = try await server.get("/v.json", [.cookie: cookie, .ifNoneMatch: tag])
        #expect(again.status == .notModified)
    }

    @Test func `The response is in the client's dialect`() async throws {
        var configuration = DynamicViewsConfiguration()
        configuration.respondsWithDocument = true
        let server = try ViewServer(configuration: configuration) { views in
            views.view("v") { _ in document { button("b", id: "b") } }
        }
        let response = try await server.post("/v/interactions?dialect=android", Self.tap)
        #expect(
            response.text
                == #"{"configuration":{"image":"","style":"scroll","padding":[0]},"#
                + #""widgets":[{"type":"button","id":"b","text":"b","padding":[0]}]}"#
        )
    }

    @Test func `A document that clients would refuse isn't answered`() async throws {
        var configuration = DynamicViewsConfiguration()
        configuration.validation = .response
        configuration.respondsWithDocument = true
        let isBroken = Locked(false)
        let server = try ViewServer(configuration: configuration) { views in
            views.view("v") { _ in
                document {
                    button("b", id: "b").onTap { _, _ in isBroken.withLock { $0 = true } }
                    if isBroken.withLock({ $0 }) { button("b", id: "b") }
                }
            }
        }
        let response = try await server.post("/v/interactions", Self.tap)
        #expect(response.status == .internalServerError)
        #expect(response.text.contains("duplicate-id"))
    }

    @Test(arguments: ClientReach.allCases)
    func `A client that takes the document doesn't ask for it`(reach: ClientReach) async throws {
        let loads = Locked(0)
        let router = Router()
        router.dynamicViews(sessions: MemorySessionStore()) { views in
            views.view("v") { request in
                if request.method == .get { loads.withLock { $0 += 1 } }
                let state = try await request.session[TextKey.self]
                return document {
                    button(state ?? "b", id: "b").onTap { _, request in
                        try await request.session.set(TextKey.self, to: "tapped")
                    }
                }
            }
        }
        for (asks, expected) in [(true, 1), (false, 2)] {
            loads.withLock { $0 = 0 }
            var configuration = DynamicViewsClientConfiguration()
            configuration.asksForDocument = asks
            try await withDynamicViewsClient(router, over: reach, configuration: configuration) { app in
                try await app.load("v")
                try await app.tap("b")
                #expect(app.texts == ["tapped"])
                #expect(!app.isNotModified)
                try await app.tap("b")
            }
            #expect(loads.withLock { $0 } == (asks ? expected : 3))
        }
    }
}
