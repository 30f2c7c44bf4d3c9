// WebSockets: everybody in a room gets what one of them writes.
// Run it with `swift run --package-path Examples/Small chat`, and connect twice: `websocat ws://127.0.0.1:8080/rooms/garden?name=ann`.
import Backlot

/// The open WebSockets of each room.
actor Rooms {
    private var rooms: [String: [ObjectIdentifier: WebSocket]] = [:]

    func enter(_ room: String, _ socket: WebSocket) { rooms[room, default: [:]][ObjectIdentifier(socket)] = socket }

    func leave(_ room: String, _ socket: WebSocket) {
        rooms[room]?[ObjectIdentifier(socket)] = nil
        if rooms[room]?.isEmpty == true { rooms[room] = nil }
    }

    /// Sends a text to everybody in a room. A slow client delays nobody else, and one that has left gets nothing.
    func say(_ text: String, in room: String) async {
        await withTaskGroup { group in
            for socket in (rooms[room] ?? [:]).values { group.addTask { try? await socket.send(text) } }
        }
    }
}

func makeRouter(_ rooms: Rooms = Rooms()) -> Router {
    let router = Router()
    var options = WebSocketOptions()
    options.messageLimit = 4096
    router.webSocket("/rooms/{room}", options: options) { request, socket in
        let room = try request.parameter("room")
        let name = try request.query("name") ?? "somebody"
        await rooms.enter(room, socket)
        do {
            for try await message in socket.messages {
                await rooms.say("\(name): \(message.text ?? "bytes")", in: room)
            }
        } catch {}  // the client has gone without a word
        await rooms.leave(room, socket)
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
