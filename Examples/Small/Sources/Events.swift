// Server-sent events: every listener gets each message, and after a break the messages that it missed.
// Run it with `swift run --package-path Examples/Small events`, listen with `curl -N http://127.0.0.1:8080/messages`, and send
// with `curl -d 'Hello' http://127.0.0.1:8080/messages`.
import Backlot

/// The messages so far, and those who listen.
actor Board {
    private var messages: [String] = []
    private var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
    private var nextListener = 0

    func post(_ message: String) {
        messages.append(message)
        for listener in listeners.values { listener.yield(messages.count) }
    }

    /// The message with a number from 1; nil until it is there.
    func message(_ number: Int) -> String? { messages.indices.contains(number - 1) ? messages[number - 1] : nil }

    /// The number of messages: now, and after each change.
    func counts() -> AsyncStream<Int> {
        let (counts, listener) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        nextListener += 1
        let id = nextListener
        listeners[id] = listener
        listener.onTermination = { _ in Task { await self.forget(id) } }
        listener.yield(messages.count)
        return counts
    }

    private func forget(_ id: Int) { listeners[id] = nil }
}

func makeRouter(_ board: Board = Board()) -> Router {
    let router = Router()
    router.post("/messages") { request in
        await board.post(String(decoding: try await request.body.collect(), as: UTF8.self))
        return Response(status: .noContent)
    }
    router.get("/messages") { request in
        let last = request.lastEventID.flatMap { Int($0) } ?? 0  // a client that comes back says what it has
        return .events { events in
            var next = last + 1
            for await _ in await board.counts() {
                while let message = await board.message(next) {
                    try await events.send(message, id: "\(next)")
                    next += 1
                }
            }
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
