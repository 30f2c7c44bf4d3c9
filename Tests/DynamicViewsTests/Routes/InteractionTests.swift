import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import DynamicViews

/// Interactions over HTTP: the typed handlers, the responses, and bad input.
@Suite(.timeLimit(.minutes(5))) struct InteractionTests {
    private let log = Locked<[String]>([])

    private func makeServer() throws -> ViewServer {
        let log = log
        @Sendable func note(_ text: String) { log.withLock { $0.append(text) } }
        return try ViewServer { views in
            views.view("v") { _ in
                document {
                    button("b", id: "b")
                    button("refuses", id: "refuses")
                    button("fails", id: "fails")
                    toggle("t", id: "t", key: "k")
                    multiValue("m", id: "m") { option("a", id: "m.a") }
                    lastPurchases(projectId: "shop", id: "p")
                    text("x", id: "quiet")
                }
            }
            .on(.tap, "b") { interaction, _ in note("tap \(interaction.widgetID)") }
            .on(.tap, "refuses") { _, _ in throw UserError("Not now.") }
            .on(.tap, "fails") { _, _ in throw StatusError(.conflict, "twice") }
            .on(.toggle, "t") { isOn, _ in note("toggle \(isOn)") }
            .on(.choice, "m") { option, _ in note("choice \(option)") }
            .on(.receipt, "p") { receipt, _ in note("receipt \(receipt)") }
            .on(.more, "p") { _, _ in note("more") }
            .on(.tap, "t") { _, _ in note("never") }
        }
    }

    @Test(arguments: [
        (#"{"widgetId":"b"}"#, "tap b"),
        (#"{"widgetId":"t","userInfo":{"k":true}}"#, "toggle true"),
        (#"{"widgetId":"m","userInfo":{"value":"a"}}"#, "choice m.a"),
        (#"{"widgetId":"p","elementId":"77"}"#, "receipt 77"),
        (#"{"widgetId":"p"}"#, "more"),
        (#"{"widgetId":"quiet"}"#, ""),
    ])
    func `An interaction goes to its handler, and is answered with 204`(body: String, entry: String) async throws {
        let server = try makeServer()
        let response = try await server.post("/v/interactions", body)
        #expect(response.status == .noContent)
        #expect(response.body == [])
        #expect(log.withLock { $0 } == (entry.isEmpty ? [] : [entry]))
    }

    @Test(arguments: [
        (#"{"widgetId":"nowhere"}"#, 404, "this view has no widget \"nowhere\"; its widgets are b, refuses,"),
        ("", 400, "the body is not JSON"), ("{", 400, "the body is not JSON"),
        (#"{"widgetId":}"#, 400, "the body is not JSON"),
        ("[]", 400, "the interaction is not an object"), ("{}", 400, "widgetId is missing"),
        (#"{"widgetId":1}"#, 400, "widgetId is not a string"), (#"{"widgetId":"t"}"#, 400, "userInfo of the toggle"),
        (#"{"widgetId":"refuses"}"#, 422, "Not now."), (#"{"widgetId":"fails"}"#, 409, "twice"),
    ])
    func `What is refused is said with a status and a reason`(body: String, status: Int, reason: String) async throws {
        let response = try await makeServer().post("/v/interactions", body)
        #expect(response.status.code == status)
        #expect(response.text.hasPrefix(reason), "\(response.text)")
        #expect(response.mediaType == "text/plain")
        #expect(log.withLock { $0 } == [])
    }

    @Test func `Other views and large bodies are refused`() async throws {
        let server = try makeServer()
        #expect(try await server.post("/w/interactions", #"{"widgetId":"b"}"#).status == .notFound)
        let large = #"{"widgetId":"\#(String(repeating: "b", count: 70_000))"}"#
        #expect(try await server.post("/v/interactions", large).status == .contentTooLarge)
        #expect(try await server.post("/v/interactions?dialect=x", #"{"widgetId":"b"}"#).status == .badRequest)
    }

    @Test func `What has no handler of its own goes to the view's`() async throws {
        let log = log
        let server = try ViewServer { views in
            views.view("v") { request in
                document { if request.dialect == .android { text("a", id: "android") } else { text("i", id: "ios") } }
            }
            .on(.tap, "x") { _, _ in }
            views.interactions(with: "v").onInteraction { interaction, request in
                log.withLock { $0.append("\(interaction.event) \(request.dialect.platform)") }
            }
        }
        #expect(try await server.post("/v/interactions", #"{"widgetId":"ios"}"#).status == .noContent)
        #expect(try await server.post("/v/interactions", #"{"widgetId":"android"}"#).status == .notFound)
        let android = try await server.post("/v/interactions?dialect=android", #"{"widgetId":"android"}"#)
        #expect(android.status == .noContent)
        #expect(log.withLock { $0 } == ["tap ios", "tap android"])
    }

    @Test func `Mutated interactions are answered`() async throws {
        let server = try makeServer()
        let tokens = [
            #""widgetId":"#, #""elementId":"more""#, #""userInfo":{"#, #""id":"7""#, "null", "true", "1e9", "[", "{",
            "\"", ",",
        ].map { Array($0.utf8) }
        let seeds = [
            #"{"widgetId":"t","userInfo":{"k":true}}"#, #"{"widgetId":"m","userInfo":{"value":"m.a"}}"#,
            #"{"widgetId":"p","elementId":"12345","userInfo":{"id":"12345"}}"#,
            #"{"widgetId":"Snabble.DynamicView.CustomerCard.information"}"#,
        ]
        var mutator = Mutator(random: SeededGenerator(seed: 11), tokens: tokens)
        var statuses: [Int: Int] = [:]
        for round in 0..<1200 {
            let body = mutator.mutate(Array(seeds[round % seeds.count].utf8))
            let response = try await server.post("/v/interactions", String(decoding: body, as: UTF8.self))
            statuses[response.status.code, default: 0] += 1
        }
        #expect(Set(statuses.keys) == [204, 400, 404])
    }

    @Test func `A session keeps what one client has done`() async throws {
        enum Taps: SessionKey {
            static let name = "taps"
            typealias Value = Int
        }
        let router = Router()
        router.dynamicViews("/views/", sessions: MemorySessionStore()) { views in
            views.view("v") { request in
                let taps = try await request.session[Taps.self] ?? 0
                return document { button("\(taps)", id: "b") }
            }
            .on(.tap, "b") { _, request in try await request.session.update(Taps.self) { $0 = ($0 ?? 0) + 1 } }
        }
        for reach in ClientReach.allCases {
            try await withDynamicViewsClient(router, over: reach) { app in
                try await app.load("v")
                try await app.tap("0")
                try await app.tap("1")
                #expect(app.texts == ["2"])
            }
        }
    }
}
