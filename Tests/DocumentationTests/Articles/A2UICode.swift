import A2UI
import A2UIServing
import Backlot
import BacklotTesting
import Testing

// The code of A2UIServing's article.

private struct Visit: Codable, Sendable {
    var name = ""
    var slots: [Slot] = []
    var slot: Slot?
}

private struct Slot: Codable, Sendable {
    var id: String
    var time: String
}

private struct SlotChoice: Codable, Sendable { var id: String }

private let takeSlot = SurfaceAction<SlotChoice>("take")
private let bookVisit = SurfaceAction<NoContext>("book")

private actor VisitCalendar {
    private var slots = [Slot(id: "a", time: "9:00"), Slot(id: "b", time: "9:30")]
    private(set) var booked: [String] = []

    func freeSlots() throws -> [Slot] { slots }

    func take(_ id: String) throws -> Slot? {
        guard let index = slots.firstIndex(where: { $0.id == id }) else { return nil }
        return slots.remove(at: index)
    }

    func book(_ name: String, _ slot: Slot?) throws { booked.append("\(name) \(slot?.time ?? "")") }
}

private func addVisits(to router: Router, _ calendar: VisitCalendar) {
    router.a2ui("/assistant/", sessions: MemorySessionStore()) { app in
        let visit = app.surface("visit") { request in
            Visit(slots: try await calendar.freeSlots())  // the model of a new surface
        } tree: { m, visit in  // m.name is a path, visit.name the value
            column {
                text("Book a visit", .h2)
                textField("Name", value: m.name).check(.required(m.name), "Please give your name.")
                list(m.slots) { slot in  // a template, once for each slot
                    row {
                        text("At \(slot.time)").weight(1)
                        button("Take", takeSlot.event { $0.id = slot.id })
                    }
                }
                if let slot = visit.slot { text("Yours is at \(slot.time), \(m.name).") }
                button("Book", bookVisit.event(), .primary).check(.required(m.slot), "Please take a slot.")
            }
        }
        visit.on(takeSlot) { choice, turn in  // choice.id comes from the tapped row
            turn.model.slot = try await calendar.take(choice.id)
            turn.model.slots = try await calendar.freeSlots()
        }
        visit.on(bookVisit) { _, turn in
            try await calendar.book(turn.model.name, turn.model.slot)
            try turn.close()
        }
    }
}

private struct Rating: Codable, Sendable { var stars = 0 }

private let stars = Catalog.Component(
    "Stars",
    "A rating.",
    properties: [Property("value", .dynamic(.number), required: true, "The number of stars.")]
)

private func ratings() throws -> A2UIConfiguration {
    var configuration = A2UIConfiguration()
    let catalog = try Catalog("https://example.com/ratings.json", components: [stars])
    configuration.catalogs = [catalog]
    configuration.version = .v1_0
    return configuration
}

private func rating(_ m: Dynamic<Rating>) -> Element { element(stars).property("value", m.stars) }

private struct Tasks: Codable, Sendable { var tasks = [Task(title: "Water the plants"), Task(title: "Feed the cat")] }

private struct Task: Codable, Sendable {
    var title: String
    var isDone = false
}

private struct TaskChoice: Codable, Sendable { var row: Int }

private let toggle = SurfaceAction<TaskChoice>("toggle")

private func addTasks(to router: Router) {
    router.a2ui("/assistant/") { app in
        let tasks = app.surface("visit") { _ in
            Tasks()
        } tree: { m in
            list(m.tasks) { task in text(task.title) }
        }
        tasks.on(toggle) { change, m, values in
            let isDone = m.tasks[change.row].isDone
            try values.set(isDone, to: !values.value(isDone))
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct A2UICodeTests {
    private func post(
        _ name: String,
        _ context: JSONValue,
        _ transport: any ClientTransport,
        _ cookie: String
    ) async throws
        -> JSONValue
    {
        let action: JSONValue = [
            "name": .string(name), "surfaceId": "visit", "sourceComponentId": "x", "timestamp": "2026-11-24T12:00:00Z",
            "context": context,
        ]
        let body: JSONValue = ["version": "v0.9", "action": action]
        let request = ClientRequest(
            .post,
            try HTTPURL("http://localhost/assistant/actions"),
            headers: [.contentType: "application/json", .cookie: cookie],
            body: Array("\(body)".utf8)
        )
        return try JSONValue(parsing: try await transport.response(to: request, limits: ClientLimits()).body)
    }

    @Test func `The article's visit is booked`() async throws {
        let (router, calendar) = (Router(), VisitCalendar())
        addVisits(to: router, calendar)
        let transport = try InProcessTransport(router.handler())
        let request = ClientRequest(.get, try HTTPURL("http://localhost/assistant/surfaces/visit"))
        let opened = try await transport.response(to: request, limits: ClientLimits())
        let cookie = try #require(opened.headers[.setCookie]).prefix { $0 != ";" }
        let changes = try await post("take", ["id": "b"], transport, String(cookie))
        #expect(changes.array?.compactMap { $0["updateDataModel"]?["path"] } == ["/slots", "/slot"])
        #expect(changes.array?.last?["updateComponents"]?["components"]?.array?.count == 2)
        #expect(try await post("book", [:], transport, String(cookie)).array?.count == 1)
        #expect(await calendar.booked == [" 9:30"])
    }

    @Test func `The article's task is done after a tap, and nothing else changes`() async throws {
        let router = Router()
        addTasks(to: router)
        let transport = try InProcessTransport(router.handler())
        let request = ClientRequest(.get, try HTTPURL("http://localhost/assistant/surfaces/visit"))
        let opened = try await transport.response(to: request, limits: ClientLimits())
        let cookie = try #require(opened.headers[.setCookie]).prefix { $0 != ";" }
        let changes = try await post("toggle", ["row": 1], transport, String(cookie))
        #expect(changes.array?.compactMap { $0["updateDataModel"]?["path"] } == ["/tasks/1/isDone"])
    }

    @Test func `The article's own component is served`() async throws {
        let router = Router()
        router.a2ui("/ratings/", configuration: try ratings()) { app in
            app.surface("rating") { _ in
                Rating()
            } tree: { m in
                rating(m)
            }
        }
        let transport = try InProcessTransport(router.handler())
        let request = ClientRequest(.get, try HTTPURL("http://localhost/ratings/surfaces/rating"))
        let response = try await transport.response(to: request, limits: ClientLimits())
        let surface = try JSONValue(parsing: response.body)[0]?["createSurface"]
        #expect(surface?["components"]?[0]?["value"] == ["@path": "/stars"])
    }
}
