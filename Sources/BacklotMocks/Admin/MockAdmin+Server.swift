import Backlot

/// Commands about the whole server.
extension MockAdmin {
    static let serverRoutes: [AdminRoute] = [
        .doing(.post, "/reset") { admin, call in
            guard call.scope == .shared else { return admin.backend.reset(call.scope) }
            admin.backend.reset()
            admin.journal.removeAll()
            admin.faults.removeAll()
            admin.faults.removeNetworks()
            admin.settings.set(.none, nil)
        },
        AdminRoute(.get, "/settings") { admin, _ in
            Response(json: ["settings": .object(admin.settings.json)])
        },
        .doing(.post, "/settings") { admin, call in try admin.change(call) },
        .doing(.put, "/settings") { admin, call in try admin.change(call) },
        AdminRoute(.get, "/version") { _, _ in Response(json: ["version": .string(BacklotVersion.current)]) },
        AdminRoute(.get, "/health") { admin, _ in
            let broken = admin.backend.broken.list
            let files = Set(broken.map(\.file)).count
            let message = "The mocks are served"
            return Response(json: [
                "status": "healthy",
                "message": .string(
                    files == 0 ? message : "\(message), but for \(files) broken \(files == 1 ? "file" : "files")"
                ),
                "state": "in the memory of this process: replicas share no states, data, sessions or clocks",
                "brokenFiles": .array(broken.map(\.json)), "version": .string(BacklotVersion.current),
                "uptimeInSeconds": .number(JSONNumber((ContinuousClock.now - admin.settings.start).components.seconds)),
                "timestamp": .string(HTTPDate.now.rfc3339),
            ])
        },
        AdminRoute(.post, "/shutdown") { _, _ in
            throw AdminError(
                .forbidden,
                "No shutdown from here",
                "the server stops when its process gets SIGINT or SIGTERM, and finishes what is in flight"
            )
        },
    ]

    static let settingsKind = Kind("settings", as: [.settings], "Settings for all responses.", keys: settingsKeys)
    private static let settingsKeys: [Key] = [
        .optional("fixedDelay", .milliseconds, "The delay of each response, in milliseconds."),
        .optional("delayDistribution", .object(.distribution), "A random delay."),
        // Clients may send back the settings that they got.
        .optional("proxyPassThrough", .any, "Nothing, if it is false."),
    ]

    /// Sets the delay of all responses. Null, or a missing key, removes it.
    private func change(_ call: AdminCall) throws {
        let document = try call.object(as: .settings)
        if let passing = document["proxyPassThrough"], passing.value != false {
            throw passing.problem("only stubs send requests on; leave the key out")
        }
        let distribution = document["delayDistribution"]
        let delay = try ResponseDelay(fixed: document.value["fixedDelay"], drawn: distribution)
        settings.set(delay, distribution?.value)
    }
}

extension Role {
    fileprivate static let settings = Role("settings")
}
