import Backlot

/// Commands about the clock of mocks, of all clients or, with `?session=`, of one. WireMock doesn't have them.
extension MockAdmin {
    static let clockRoutes: [AdminRoute] = [
        AdminRoute(.get, "/clock") { admin, call in Response(json: admin.clock(of: call.scope)) },
        AdminRoute(.put, "/clock") { admin, call in
            guard admin.backend.clocks.set(try admin.clock(call), of: call.scope) else {
                let text =
                    "\(MockClocks.maximumClients) clients have clocks of their own; remove one by DELETE /__admin/clock?session=…"
                throw AdminError(.conflict, "Too many clocks", text)
            }
            return Response(json: admin.clock(of: call.scope))
        },
        AdminRoute(.delete, "/clock") { admin, call in
            admin.backend.clocks.set(nil, of: call.scope)
            return Response(json: admin.clock(of: call.scope))
        },
    ]

    static let clockKind = Kind("clock", as: [.clock], "The time that mocks take for now.", keys: clockKeys)
    private static let clockKeys: [Key] = [
        .optional("now", .string, "The time: 2026-12-24T18:00:00Z, now, or a span from now such as +3 days."),
        .optional(
            "offset",
            .either([.string, .integer(-999_999_999...999_999_999)]),
            "What is added to now, or to the system's time: a span such as 3 days, or seconds."
        ),
        .optional("speed", .number(MockClock.speeds), "How fast it runs: 0 stands still.", default: 1),
    ]

    /// The clock that a command sets.
    private func clock(_ call: AdminCall) throws -> MockClock {
        let document = try call.object(as: .clock)
        let system = MockClocks.system
        let speed = document.value["speed"]?.number?.double
        guard document["now"] != nil || document["offset"] != nil else {
            guard let speed else {
                let text =
                    "write now, offset or speed, such as {\"now\": \"2026-12-24T18:00:00Z\"}; DELETE sets the clock back"
                throw AdminError(.unprocessableContent, "No time", text)
            }
            return backend.clocks.clock(of: call.scope).running(at: speed, from: system)
        }
        var date = TemplateDate(milliseconds: system)
        if let now = document["now"] {
            let text = try now.string()
            guard let clock = MockClock(text, at: system) else {
                throw now.problem("\(text.shown) is no time; write one such as 2026-12-24T18:00:00Z, now, or +3 days")
            }
            date = TemplateDate(milliseconds: clock.milliseconds(at: system))
        }
        if let offset = document["offset"] {
            let text = offset.value.string ?? "\(offset.value.int ?? 0) seconds"
            guard let moved = date.moved(by: text) else {
                throw offset.problem(
                    "\(text.shown) is no span within the years 1 to 9999; write one such as 3 days or -2 hours, or a number of seconds"
                )
            }
            date = moved
        }
        guard let clock = MockClock(now: date.milliseconds, at: system, speed: speed ?? 1) else {
            throw AdminError.value("now", "a clock shows the years 1 to 9999; write a time in them")
        }
        return clock
    }

    private func clock(of client: ScenarioStates.Scope) -> JSONValue {
        let (system, clock) = (MockClocks.system, backend.clocks.clock(of: client))
        let now = clock.milliseconds(at: system)
        return [
            "now": .string(TemplateDate(milliseconds: now).text),
            "offset": .number(JSONNumber((now - system) / 1000)),
            "speed": JSONNumber(clock.speed).map(JSONValue.number) ?? .null,
            "isSystem": .bool(clock == .system),
        ]
    }
}

extension Role {
    fileprivate static let clock = Role("clock")
}
