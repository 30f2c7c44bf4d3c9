import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// `GET /__preview/events` tells a browser what happens, as server-sent events, until it goes.
struct EventStream {
    /// How often the stream finds out whether the browser is still there.
    private static let beat = Duration.seconds(5)

    let hub: EventHub
    /// Names this run of the server.
    let instance: String
    /// What is wrong with the files of mocks.
    var problems: [String] = []

    /// - Throws: `StatusError` with 503 when too many browsers listen.
    func response() throws(StatusError) -> Response {
        guard let listener = hub.join() else {
            throw StatusError(
                .serviceUnavailable,
                "\(EventHub.mostListeners) browsers listen to preview already: close some of them",
                headers: [.retryAfter: "5"]
            )
        }
        let hub = hub
        let (instance, problems) = (instance, problems)
        return Response(
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store, no-transform"],
            body: .stream { writer in
                defer { listener.leave() }
                let beats = Task {
                    while !Task.isCancelled {
                        try await Task.sleep(for: Self.beat)
                        hub.send(.beat, to: listener.number)
                    }
                }
                defer { beats.cancel() }
                try await writer.write(PreviewEvent.hello(instance: instance).text)
                try await writer.write(PreviewEvent.broken(problems).text)
                for await event in listener.events { try await writer.write(event.text) }
            }
        )
    }
}

/// An event for browsers that show preview.
enum PreviewEvent: Sendable {
    /// The connection is there. `instance` is another one once the server was started again.
    case hello(instance: String)
    /// Pages may have changed.
    case changed
    /// What is wrong with the files of mocks; nothing when all are in order again.
    case broken([String])
    /// A request was answered.
    case exchange(JSONValue)
    /// An answer that went through a network has ended: how it went.
    case transfer(JSONValue)
    /// An empty event: writing it shows whether the browser is still there.
    case beat

    /// The event as it goes over the wire (HTML, section 9.2.5).
    var text: String {
        switch self {
        case .hello(let instance): Self.text("hello", ["instance": .string(instance)])
        case .changed: Self.text("changed", [:])
        case .broken(let problems): Self.text("broken", ["problems": .array(problems.map(JSONValue.string))])
        case .exchange(let exchange): Self.text("exchange", exchange)
        case .transfer(let outcome): Self.text("transfer", outcome)
        case .beat: ": beat\n\n"
        }
    }

    private static func text(_ name: String, _ data: JSONValue) -> String {
        // Written JSON has no line breaks.
        "event: \(name)\ndata: \(String(decoding: data.bytes, as: UTF8.self))\n\n"
    }
}
