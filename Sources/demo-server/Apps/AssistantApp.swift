import A2UI
import A2UIServing
import Backlot

/// A booking assistant of A2UI: a form, a list by template, checks, a modal, and slots that all clients see change.
struct AssistantApp: Sendable {
    /// The app's base path.
    static let path = "/assistant/"

    /// A time that a visit may begin at.
    struct Slot: Codable, Sendable, Equatable {
        var id: String
        var time: String
        var doctor: String
    }

    /// The model of the form.
    struct Booking: Codable, Sendable, Equatable {
        var name = ""
        var email = ""
        var doctor: [String] = []
        var day = ""
        var isNew = false
        var pain = 0
        var slots: [Slot] = []
        var slot: Slot?
        var note: String?
    }

    /// The model of the confirmation.
    struct Receipt: Codable, Sendable, Equatable {
        var name: String
        var slot: Slot
    }

    /// The slot that a user takes.
    struct Chosen: Codable, Sendable { var id: String }

    static let take = SurfaceAction<Chosen>("take")
    static let filter = SurfaceAction<NoContext>("filter")
    static let book = SurfaceAction<NoContext>("book")
    static let cancel = SurfaceAction<NoContext>("cancel")

    private let clinic: Clinic

    init(_ clinic: Clinic = Clinic()) { self.clinic = clinic }

    /// Adds the surfaces.
    func register(on router: Router, sessions: any SessionStore) {
        router.a2ui(Self.path, sessions: sessions) { app in
            let booking = app.surface("booking") { [clinic] _ in
                Booking(slots: clinic.free)
            } tree: {
                form($0, $1)
            }
            let receipt = app.surface("receipt") { _ -> Receipt in
                throw StatusError(.notFound, "there is no receipt yet: book a visit first")
            } tree: {
                confirmation($0)
            }.unlisted()
            // Everybody else sees at once that a slot has gone or come back.
            @Sendable func publish() async throws {
                try await Blocking.run {
                    try booking.update { booking in booking.slots = clinic.slots(of: booking.doctor) }
                }
            }
            booking.on(Self.filter) { [clinic] _, turn in
                turn.model.slots = clinic.slots(of: turn.model.doctor)
            }
            booking.on(Self.take) { [clinic] chosen, turn in
                let former = turn.model.slot
                turn.model.slot = clinic.take(chosen.id, for: turn.clientID) ?? former
                turn.model.note = turn.model.slot?.id == chosen.id ? nil : "Somebody has just taken that one."
                if turn.model.note == nil, let former, former.id != chosen.id { clinic.free(former, of: turn.clientID) }
                turn.model.slots = clinic.slots(of: turn.model.doctor)
                try await turn.send()
                try await publish()
            }
            booking.on(Self.book) { [clinic] _, turn in
                guard let slot = clinic.slot(turn.model.slot?.id, of: turn.clientID) else {
                    throw UserError("Please take a slot first.")
                }
                try turn.open(receipt, Receipt(name: turn.model.name, slot: slot))
                try turn.close()
            }
            receipt.on(Self.cancel) { [clinic] _, turn in
                clinic.free(turn.model.slot, of: turn.clientID)
                try await publish()
                try turn.open(booking, Booking(name: turn.model.name, slots: clinic.free))
                try turn.close()
            }
            app.agUI(start: booking)
            app.a2a(start: booking, name: "Assistant", description: "Books visits to the doctor.")
            app.mcp(name: "Assistant")
        }
    }

    private func form(_ m: Dynamic<Booking>, _ booking: Booking) -> Element {
        column(align: .stretch) {
            text("Book a visit", .h2)
            textField("Name", value: m.name, placeholder: "Ada Lovelace")
                .check(.required(m.name), "Please give your name.")
                .accessibility(description: "As in your passport")
            textField("Email, if you want a reminder", value: m.email)
                .check(.or(.email(m.email), .not(.required(m.email))), "That isn't an email address.")
            row(align: .center) {
                choicePicker("Doctor", value: m.doctor, options: Clinic.options, .chips).weight(1)
                button("Show", Self.filter.event(), .borderless)
            }
            dateTimeInput("Day", value: m.day, .date, min: "2026-01-01")
            checkBox("This is my first visit", value: m.isNew)
            slider("Pain, from 0 to 10", value: m.pain, 0...10, steps: 10)
            text("Free slots", .h3)
            list(m.slots) { slot in
                row(justify: .spaceBetween, align: .center) {
                    text("\(slot.time) with \(slot.doctor)").weight(1)
                    button("Take", Self.take.event { $0.id = slot.id })
                        .accessibility(label: "Take \(slot.time) with \(slot.doctor)")
                }
            }
            if booking.slots.isEmpty { text("No slot is left today.", .caption) }
            if booking.slot != nil {
                card { text("Yours: \(m.slot.time) with \(m.slot.doctor)") }.accessibility(live: .polite)
            }
            if booking.note != nil { text(m.note, .caption).accessibility(live: .assertive) }
            row {
                button("Book", Self.book.event(message: "Book a visit for \(m.name)"), .primary)
                    .check(.required(m.name), "Please give your name.")
                    .check(.required(m.slot), "Please take a slot.")
                modal {
                    text("What to bring")
                } content: {
                    column {
                        text("What to bring", .h4)
                        text("Your card, and earlier findings if you have some.")
                    }
                }
            }
        }
    }

    private func confirmation(_ m: Dynamic<Receipt>) -> Element {
        card {
            column {
                icon("check")
                text("Thank you, \(m.name)", .h3)
                text("\(m.slot.doctor) expects you at \(m.slot.time).")
                button("Cancel the visit", Self.cancel.event(), .borderless)
            }
        }
    }
}

/// The slots of the day, and the clients that have taken them.
struct Clinic: Sendable {
    static let options: KeyValuePairs<String, Dynamic<String>> = ["ito": "Dr Ito", "bell": "Dr Bell"]
    private static let names = ["ito": "Dr Ito", "bell": "Dr Bell"]

    private static let all = [
        ("09:00", "ito"), ("09:30", "bell"), ("10:00", "ito"), ("11:15", "bell"), ("14:00", "ito"), ("15:30", "bell"),
    ].map { time, doctor in
        AssistantApp.Slot(id: "\(doctor)_\(time.prefix(2))\(time.suffix(2))", time: time, doctor: names[doctor] ?? "")
    }

    /// The client of each slot that isn't free.
    private let holders = Locked<[String: String]>([:])

    /// The free slots, earliest first.
    var free: [AssistantApp.Slot] {
        let holders = holders.withLock { $0 }
        return Self.all.filter { holders[$0.id] == nil }
    }

    /// The free slots of some doctors; of all without a choice.
    func slots(of doctors: [String]) -> [AssistantApp.Slot] {
        free.filter { slot in doctors.isEmpty || doctors.contains { slot.id.hasPrefix($0) } }
    }

    /// Takes a slot for a client; nil if it isn't free.
    func take(_ id: String, for client: String) -> AssistantApp.Slot? {
        guard let slot = Self.all.first(where: { $0.id == id }) else { return nil }
        return holders.withLock { holders -> AssistantApp.Slot? in
            guard holders[id] == nil else { return nil }
            holders[id] = client
            return slot
        }
    }

    /// A slot that a client has taken; nil for one that it hasn't.
    func slot(_ id: String?, of client: String) -> AssistantApp.Slot? {
        Self.all.first { slot in slot.id == id && holders.withLock { $0[slot.id] == client } }
    }

    /// Gives a slot back, if the client has taken it.
    func free(_ slot: AssistantApp.Slot, of client: String) {
        holders.withLock { if $0[slot.id] == client { $0[slot.id] = nil } }
    }
}
