package import Backlot

/// The forms of a list of messages in a response.
package enum MessageForm: Equatable {
    case list, lines, events

    /// The form that a client prefers; a list without a preference.
    package init(_ request: Request) {
        func weight(_ types: String...) -> Double { types.map(request.weight).max() ?? 0 }
        let list = weight("application/a2ui+json", "application/json")
        let lines = weight("application/jsonl", "application/x-ndjson")
        let events = weight("text/event-stream")
        self = events > max(list, lines) ? .events : lines > list ? .lines : .list
    }

    /// The media type of a response.
    package var mediaType: String {
        switch self {
        case .list: "application/a2ui+json"
        case .lines: "application/jsonl"
        case .events: "text/event-stream"
        }
    }

    /// A response with some messages, all of them at once.
    func response(with messages: [JSONValue]) -> Response {
        let text: String =
            switch self {
            case .list: "\(JSONValue.array(messages))"
            case .lines: messages.map { "\($0)\n" }.joined()
            case .events: messages.map { "data: \($0)\n\n" }.joined()
            }
        return Response(headers: [.contentType: mediaType], body: .bytes(Array(text.utf8)))
    }
}
