import A2UI
import Backlot

extension A2UIApp {
    /// Serves the surfaces to clients of AG-UI too, at a path below the app's.
    ///
    /// A run without an action opens the first surface. Each surface that changes is an event `ACTIVITY_SNAPSHOT` of the type
    /// `a2ui-surface`, with all messages that make it. Actions come in `forwardedProps.a2uiAction.userAction`, models and capabilities
    /// in `forwardedProps`. Calls of a client's functions can't be carried: ``Turn/call(_:_:)`` throws.
    ///
    /// The thread's id, up to 200 ASCII characters, identifies the client: anybody who knows the id gets the client's surfaces.
    ///
    /// - Parameters:
    ///   - path: the path of the runs, for POST.
    ///   - start: the first surface.
    public func agUI<Model>(_ path: String = "/ag-ui", start: SurfaceDeclaration<Model>) {
        let binding = AGUIBinding(server: server, start: start.name)
        add(.post, path) { try await binding.run($0) }
    }
}

/// Runs of AG-UI with messages in activities.
///
/// Source: the AG-UI protocol, Events; its middleware for A2UI.
struct AGUIBinding: Sendable {
    let server: A2UIServer
    let start: String

    func run(_ request: Request) async throws -> Response {
        let input = try await server.json(of: request)
        guard let thread = input["threadId"]?.string, let run = input["runId"]?.string,
            (1...200).contains(thread.utf8.count), thread.utf8.allSatisfy({ $0 < 0x80 })
        else {
            let text = "A run has a runId, and a threadId of 1 to 200 ASCII characters."
            throw A2UIError(.validation, "missing_field", text, at: "/threadId")
        }
        let properties = input["forwardedProps"]
        let client = server.clients.client(named: thread, of: .agUI)
        var messages: [ClientMessage] = []
        if let action = properties?["a2uiAction"]?["userAction"] {
            messages = [try server.message("action", action, of: client, at: "/forwardedProps/a2uiAction")]
        }
        let metadata = try ClientMetadata(properties, version: server.configuration.version)
        let exchange = A2UIExchange(server, client, request, metadata)
        try exchange.check(messages)
        let streamed = try await StreamedWork(exchange) { [messages] exchange in
            if messages.isEmpty { try await exchange.visit(start) } else { try await exchange.handle(messages) }
        }
        return .events(heartbeat: server.configuration.heartbeat) { events in
            @Sendable func send(_ type: String, _ members: JSONObject) async throws {
                let event: JSONObject = ["type": .string(type), "threadId": .string(thread), "runId": .string(run)]
                try await events.send(
                    "\(JSONValue.object(members.members.reduce(into: event) { $0[$1.key] = $1.value }))"
                )
            }
            @Sendable func write(_ messages: [ServerMessage]) async throws {
                var seen: Set<String> = []
                for message in messages {
                    // A snapshot replaces the one before, so that it holds the whole surface.
                    guard let id = message.surfaceID, seen.insert(id).inserted else { continue }
                    let creation = client.state[id]?.creation ?? [ServerMessage(message.version, .deleteSurface(id))]
                    try await send(
                        "ACTIVITY_SNAPSHOT",
                        [
                            "messageId": .string("a2ui-surface-\(id)"), "activityType": "a2ui-surface", "replace": true,
                            "content": ["a2ui_operations": .array(creation.map(\.json))],
                        ]
                    )
                }
            }
            try await send("RUN_STARTED", [:])
            do {
                try await write(try await streamed.finish(write))
                try await send("RUN_FINISHED", [:])
            } catch {
                guard let details = ProblemDetails(of: error) else { throw error }
                let code = details.members["code"] ?? .string("\(details.status.code)")
                try await send("RUN_ERROR", ["message": .string(details.reason), "code": code])
            }
        }
    }
}
