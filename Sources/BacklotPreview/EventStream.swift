import Backlot

/// `GET /__preview/events` tells a browser what happens, as server-sent events, until it goes.
struct EventStream {
    /// The interval at which the stream checks that the browser is still connected.
    private static let beat = Duration.seconds(5)

    let hub: EventHub
    /// Names this run of the server.
    let instance: String
    /// The problems of the mocks' files. It is read once the browser listens, so that the browser misses no later one.
    let problems: @Sendable () -> [String]

    /// - Throws: `StatusError` with 503 when too many browsers listen.
    func response() throws(StatusError) -> Response {
        guard let listener = hub.join() else {
            throw StatusError(
                .serviceUnavailable,
                "\(EventHub.mostListeners) browsers listen to preview already: close some of them",
                headers: [.retryAfter: "5"]
            )
        }
        let (instance, problems) = (instance, problems())
        return .events(heartbeat: Self.beat) { events in
            defer { listener.leave() }
            try await events.send(PreviewEvent.hello(instance: instance).event)
            try await events.send(PreviewEvent.broken(problems).event)
            for await event in listener.events { try await events.send(event.event) }
        }
    }
}

/// An event for browsers that show preview.
enum PreviewEvent: Sendable {
    /// The connection is there. `instance` is another one once the server was started again.
    case hello(instance: String)
    /// Pages may have changed.
    case changed
    /// The problems of the mocks' files; empty when all are in order again.
    case broken([String])
    /// A request got its response.
    case exchange(JSONValue)
    /// A response that went through a network has ended, with its fate.
    case transfer(JSONValue)

    /// The event as it goes over the wire.
    var event: ServerSentEvent {
        switch self {
        case .hello(let instance): Self.event("hello", ["instance": .string(instance)])
        case .changed: Self.event("changed", [:])
        case .broken(let problems): Self.event("broken", ["problems": .array(problems.map(JSONValue.string))])
        case .exchange(let exchange): Self.event("exchange", exchange)
        case .transfer(let outcome): Self.event("transfer", outcome)
        }
    }

    private static func event(_ type: String, _ data: JSONValue) -> ServerSentEvent {
        ServerSentEvent(String(decoding: data.bytes, as: UTF8.self), type: type)
    }
}
