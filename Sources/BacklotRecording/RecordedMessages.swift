import Backlot
import BacklotHTTP
import BacklotMocks

/// A recorded WebSocket as the steps of a mock file. They are the body of the recorded response, so that secrets in messages are
/// found by their keys, as in other bodies.
enum RecordedMessages {
    static func body(_ messages: [ProxiedMessage]) -> [UInt8] {
        var (steps, last) = ([JSONValue](), Duration.zero)
        for message in messages {
            var step = JSONObject()
            let delay = Int(((message.time - last) / .milliseconds(1)).rounded())
            last = message.time
            // The client takes its own time.
            if !message.isClients, delay > 0 { step["delay"] = JSONValue(min(delay, ResponseDelay.longest)) }
            switch message.event {
            case .message(let content) where message.isClients: step["expect"] = condition(content)
            case .message(.text(let text)): step["send"] = json(text) ?? .string(text)
            case .message(.binary(let bytes)): step["base64"] = .string(Base64.encode(bytes: bytes))
            // Waits for the client's end.
            case .end where message.isClients: step["expect"] = [:]
            case .end(let close?) where close.code.isSendable:
                step["close"] = JSONValue(Int(close.code.rawValue))
                if !close.reason.isEmpty { step["reason"] = .string(close.reason) }
            case .end(let close?) where close.code == .noStatus: step["close"] = 1000
            case .end: step["cut"] = true
            }
            steps.append(.object(step))
            if case .end = message.event { break }
        }
        return JSONValue.array(steps).bytes
    }

    private static func condition(_ message: WebSocketMessage) -> JSONValue {
        switch message {
        case .text(let text): json(text).map { ["equalToJson": $0] } ?? .string(text)
        case .binary(let bytes): ["binaryEqualTo": .string(Base64.encode(bytes: bytes))]
        }
    }

    /// The object or list in a text, so that its blanks don't matter; nil for other texts.
    private static func json(_ text: String) -> JSONValue? {
        guard let json = try? JSONValue(parsing: text), json.object != nil || json.array != nil else { return nil }
        return json
    }
}
