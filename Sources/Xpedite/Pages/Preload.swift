import Backlot
import BacklotJSON

/// A picture that the client loads for the components that name it, on this page and on later ones of the session.
///
/// Source: Xpedite API reference, images.
public struct Preload: Sendable, Equatable {
    /// When a picture is loaded.
    public enum Priority: String, Sendable {
        /// Before the page is shown.
        case critical
        /// Afterwards: the default.
        case background
    }

    /// What components name it by.
    public let id: String
    /// Where it is, by https.
    public let url: String
    /// When it is loaded.
    public let load: Priority?

    /// A picture to load.
    public init(id: String, url: String, load: Priority? = nil) {
        self.id = id
        self.url = url
        self.load = load
    }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.required("id", try wire.string("id"))
        url = try wire.required("url", try wire.string("url"))
        load = try wire.name("load", Priority.init(rawValue:))
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("id", id)
            $0.field("url", url)
            $0.field("load", load?.rawValue)
        }
    }
}
