import Backlot

/// Commands about the journal.
extension MockAdmin {
    static let requestRoutes: [AdminRoute] = [
        AdminRoute(.get, "/requests") { admin, call in try admin.listRequests(call) },
        .doing(.delete, "/requests") { admin, _ in admin.journal.removeAll() },
        .doing(.post, "/requests/reset") { admin, _ in admin.journal.removeAll() },
        AdminRoute(.post, "/requests/count") { admin, call in
            let count = try admin.entries(matching: call).count
            return Response(json: ["count": JSONValue(count), "requestJournalDisabled": false])
        },
        AdminRoute(.post, "/requests/find") { admin, call in
            admin.loggedRequests(try admin.entries(matching: call))
        },
        AdminRoute(.post, "/requests/remove") { admin, call in
            let unwanted = Set(try admin.entries(matching: call).map(\.id))
            let removed = admin.journal.remove { unwanted.contains($0.id) }
            return Response(json: ["serveEvents": .array(removed.map(admin.event))])
        },
        AdminRoute(.post, "/requests/remove-by-metadata") { admin, call in
            let unwanted = Set(
                try admin.stubs(withMetadata: call, among: admin.journal.entries.compactMap(\.stub)).map(\.id)
            )
            let removed = admin.journal.remove { $0.stub.map { unwanted.contains($0.id) } ?? false }
            return Response(json: ["serveEvents": .array(removed.map(admin.event))])
        },
        AdminRoute(.get, "/requests/unmatched") { admin, _ in
            admin.loggedRequests(admin.journal.entries.filter { !$0.wasMatched })
        },
    ]

    /// Commands about a single entry.
    static let entryRoutes: [AdminRoute] = [
        AdminRoute(.get, "/requests/{id}") { admin, call in
            let id = try call.id("request")
            guard let entry = admin.journal.entry(id) else { throw AdminError.notFound("request \(id)") }
            return Response(json: admin.event(entry))
        },
        .doing(.delete, "/requests/{id}") { admin, call in
            let id = try call.id("request")
            admin.journal.remove { $0.id == id }
        },
    ]

    /// Whether a command requests the journal as a Swift test.
    static func asksForTest(_ command: MockRequest) -> Bool {
        [.get, .head].contains(command.method) && command.path == "/requests.swift"
    }

    /// The entries with requests that match the pattern in a command's body, the newest first.
    private func entries(matching call: AdminCall) throws -> [JournalEntry] {
        let pattern = try call.pattern()
        return call.comparing(on: backend) { journal.entries(matching: pattern, &$0) }
    }

    func event(_ entry: JournalEntry) -> JSONValue { entry.json(below: backend.configuration.prefix) }

    /// The requests in WireMock's form, the oldest first.
    private func loggedRequests(_ entries: [JournalEntry]) -> Response {
        let requests = entries.reversed().map { $0.requestJSON(below: backend.configuration.prefix) }
        return Response(json: ["requests": .array(requests), "requestJournalDisabled": false])
    }

    private func listRequests(_ call: AdminCall) throws(AdminError) -> Response {
        let all = journal.entries
        var entries = all
        if let text = call.query("since") {
            guard let since = CivilTime(text)?.utc else {
                let advice = "write a time such as 2026-01-01T12:00:00Z"
                throw AdminError(.unprocessableContent, "Bad parameter", "since is '\(text)'; \(advice)")
            }
            entries = entries.filter { Double($0.time) > (since * 1000).rounded() }
        }
        if call.query("unmatched") == "true" { entries = entries.filter { !$0.wasMatched } }
        if let id = call.query("matchingStub") { entries = entries.filter { $0.stub?.id == StubID(id) } }
        if let limit = try call.number("limit") { entries = Array(entries.prefix(limit)) }
        return Response(json: [
            "requests": .array(entries.map(event)), "meta": ["total": JSONValue(all.count)],
            "requestJournalDisabled": false,
        ])
    }
}
