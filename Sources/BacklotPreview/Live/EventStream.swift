import BacklotHTTP
import HTTPTypes

/// `GET /__preview/events` tells a browser what happens, as server-sent events, until it goes.
struct EventStream {
    /// How often it is tried whether the browser is still there.
    private static let beat = Duration.seconds(5)

    let hub: EventHub
    /// Names this run of the server.
    let instance: String

    var response: Response {
        let hub = hub
        let instance = instance
        return Response(
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store, no-transform"],
            body: .stream { writer in
                let (number, events) = hub.join()
                defer { hub.leave(number) }
                let beats = Task {
                    while !Task.isCancelled {
                        try await Task.sleep(for: Self.beat)
                        hub.send(.beat, to: number)
                    }
                }
                defer { beats.cancel() }
                try await writer.write(PreviewEvent.hello(instance: instance).text)
                for await event in events { try await writer.write(event.text) }
            }
        )
    }
}
