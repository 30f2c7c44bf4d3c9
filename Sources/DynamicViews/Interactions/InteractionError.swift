import Backlot

/// An interaction that can't be routed to a widget.
enum InteractionError: HTTPError, Equatable {
    /// The document has no such widget.
    case unknownWidget(String, known: [String])
    /// It says something that the widget doesn't. The text says what.
    case malformed(String)

    /// 404 for a widget that isn't there, else 400.
    var status: HTTPResponse.Status {
        switch self {
        case .unknownWidget: .notFound
        case .malformed: .badRequest
        }
    }

    var reason: String {
        switch self {
        case .unknownWidget(let id, let known):
            "there is no widget \"\(id.excerpt)\" here; there are \(known.prefix(20).map(\.excerpt).joined(separator: ", "))"
        case .malformed(let problem): problem
        }
    }
}
