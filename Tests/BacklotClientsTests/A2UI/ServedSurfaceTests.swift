import A2UI
import A2UIServing
import Backlot
import BacklotClients
import BacklotTesting
import TestSupport
import Testing

/// The headless client with apps of the library, in every version.
@Suite(.timeLimit(.minutes(2))) struct ServedSurfaceTests {
    struct Booking: Codable, Sendable {
        struct Slot: Codable, Sendable {
            var id = ""
            var time = ""
        }

        var name = ""
        var doctor = ["ito"]
        var isNew = false
        var pain = 2
        var slots: [Slot] = []
        var note: String?
    }

    static let take = SurfaceAction<Booking.Slot>("take")
    static let book = SurfaceAction<NoContext>("book")

    static func router() -> Router {
        let router = Router()
        router.a2ui("/clinic/") { app in
            let thanks = app.surface("thanks") { _ in
                Booking()
            } tree: { m in
                card { text("Thank you, \(m.name).") }
            }.unlisted()
            let booking = app.surface("booking") { _ in
                Booking(slots: [.init(id: "s1", time: "9:30"), .init(id: "s2", time: "10:00")])
            } tree: { m, booking in
                column {
                    text("Book a visit", .h2)
                    textField("Name", value: m.name).check(.required(m.name), "Please give a name.")
                    checkBox("First visit", value: m.isNew)
                    choicePicker("Doctor", value: m.doctor, options: ["ito": "Dr Ito", "bell": "Dr Bell"])
                    slider("Pain", value: m.pain, 0...10)
                    list(m.slots) { slot in
                        row {
                            text(slot.time)
                            button(
                                "Take",
                                take.event {
                                    $0.id = slot.id; $0.time = slot.time
                                }
                            )
                        }
                    }
                    if booking.slots.isEmpty { text("No times are left.") }
                    text("\(m.note)")
                    modal {
                        text("Help")
                    } content: {
                        text("Call us.")
                    }
                    button("Book", book.event()).check(.required(m.name), "Please give a name.")
                }
            }
            booking.on(take) { slot, turn in
                turn.model.slots.removeAll { $0.id == slot.id }
                turn.model.note = "\(slot.time) for \(turn.model.doctor.first ?? "")"
            }
            booking.on(book) { _, turn in
                guard turn.model.name != "Eve" else { throw UserError("Not you.") }
                try turn.open(thanks, Booking(name: turn.model.name))
                try turn.close()
            }
        }
        return router
    }

    private static func configuration(_ version: ProtocolVersion?) -> A2UIClientConfiguration {
        var configuration = A2UIClientConfiguration()
        configuration.version = version
        return configuration
    }

    @Test(arguments: [ProtocolVersion.v0_9, .v0_9_1, .v1_0October, .v1_0], ClientReach.allCases)
    func `A visit is booked`(version: ProtocolVersion, reach: ClientReach) async throws {
        let configuration = Self.configuration(version)
        try await withA2UIClient(Self.router(), at: "/clinic/", over: reach, configuration: configuration) { app in
            try await app.open("booking")
            #expect(app.state.processor.surfaces["booking"]?.version == version)
            #expect(app.texts.contains("Please give a name."))
            try app.enter("Ada", into: "Name")
            try app.check("First visit")
            try app.choose("Dr Bell", from: "Doctor")
            try app.enter("7", into: "Pain")
            try await app.tap("Take", number: 2)
            #expect(app.texts.contains("10:00 for bell") && !app.texts.contains("10:00"))
            #expect(app.model(of: "booking")?["isNew"] == true && app.value(of: "Pain") == 7)
            try await app.tap("Take")
            #expect(app.texts.contains("No times are left."))
            try await app.tap("Help")
            #expect(app.texts == ["Call us."])
            try app.back()
            try await app.tap("Book")
            #expect(app.state.surfaceIDs == ["thanks"] && app.texts == ["Thank you, Ada."])
        }
    }

    @Test func `A refusal changes nothing`() async throws {
        try await withA2UIClient(Self.router(), at: "/clinic/") { app in
            try await app.open("booking")
            try app.enter("Eve", into: "Name")
            let before = app.texts
            await #expect(throws: A2UIClientError.self) { try await app.tap("Book") }
            #expect(app.texts == before)
            try app.enter("Ada", into: "Name")
            try await app.tap("Book")
            #expect(app.texts == ["Thank you, Ada."])
        }
    }

    @Test func `Check opens each surface as clients of each version`() async throws {
        let report = await Self.router().check()
        #expect(report.pages.map(\.path) == ["/clinic/surfaces/booking"])
        #expect(report.pages.flatMap(\.findings).filter { $0.severity != .note } == [], "\(report)")
        let app = try #require(Self.router().apps().first)
        #expect(app.appProtocol == .a2ui && app.hasPage("/clinic/surfaces/booking"))
        #expect(app.openPages().count == 1 && app.schema != nil)
    }
}
