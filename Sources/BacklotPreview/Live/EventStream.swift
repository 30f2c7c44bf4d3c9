import Backlot
import BacklotHTTP
import HTTPTypes

/// `GET /__preview/events` tells a browser what happens, as server-sent events, until it goes.
struct EventStream {
    /// How often it is tried whether the browser is still there.
    private static let beat = Duration.seconds(5)

    let hub: EventHub
    /// Names this run of the server.
    let instance: String

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
        let instance = instance
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
                for await event in listener.events { try await writer.write(event.text) }
            }
        )
    }
}
