import Backlot
import BacklotJSON

extension MultiValue {
    /// One of the options.
    ///
    /// Source: Dynamic Views documentation, MultiValue, values.
    public struct Option: Sendable, Equatable {
        /// What the app stores when it is chosen; its last dotted component differs from those of the others.
        public let id: String
        /// The text's localisation key.
        public let text: String

        init(id: String, text: String) {
            self.id = id
            self.text = text
        }

        init(_ wire: WireReader) throws(WireError) {
            id = try wire.requiredString("id")
            text = try wire.requiredString("text")
        }

        func encode(into writer: inout JSONWriter) {
            writer.object {
                $0.field("id", id)
                $0.field("text", text)
            }
        }

        var lastComponent: String { id.lastDottedComponent }
    }
}

/// Makes an option of a ``MultiValue``.
///
/// - Parameters:
///   - text: the text's localisation key.
///   - id: what the app stores when it is chosen.
public func option(_ text: String, id: String) -> MultiValue.Option {
    MultiValue.Option(id: id, text: text)
}

extension String {
    /// What stands after the last dot; all of it where there is none.
    var lastDottedComponent: String {
        split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
}
