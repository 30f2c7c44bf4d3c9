import Backlot
import BacklotJSON

/// For how long a client keeps a page. It shows what it has kept when the server can't be reached.
///
/// Source: Xpedite API reference, disposition.
public enum Disposition: Sendable, Equatable {
    /// Until the app's version changes.
    case permanent
    /// For so many seconds, at least 1.
    case expiry(seconds: Int)

    init(_ value: JSONValue, at pointer: String) throws(WireError) {
        if value.string == "permanent" {
            self = .permanent
            return
        }
        let wire = try WireReader(value, at: pointer)
        guard try wire.string("type") == "expiry" else { throw wire.error("type", "is not 'expiry'") }
        self = .expiry(seconds: try wire.required("seconds", try wire.integer("seconds")))
    }

    func encode(into writer: inout JSONWriter) {
        switch self {
        case .permanent: writer.value(literal: "permanent")
        case .expiry(let seconds):
            writer.object(startingWith: "type", "expiry") { $0.field("seconds", seconds) }
        }
    }
}
