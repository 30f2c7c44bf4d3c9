import Backlot
import BacklotJSON

/// A picture that the client loads for the components that name it, on this page and on later ones of the session.
///
/// Source: Xpedite API reference, images.
public struct Preload: Sendable, Equatable {
    /// The time at which a picture is loaded.
    public enum Priority: String, Sendable, CaseIterable {
        /// Before the page is shown.
        case critical
        /// After the page is shown: the default.
        case background
    }

    /// The name that components use for it.
    public let id: String
    /// Its address, with https.
    public let url: String
    /// The time at which it is loaded.
    public let load: Priority?

    /// A picture to load.
    public init(id: String, url: String, load: Priority? = nil) {
        self.id = id
        self.url = url
        self.load = load
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("id", id)
            $0.field("url", url)
            $0.field("load", load?.rawValue)
        }
    }
}

extension Preload {
    static let vocabulary = Kind(
        "preload",
        as: [.preload],
        "A picture that the client loads for the components that name it.",
        noun: "a preloaded picture",
        keys: [
            .required("id", .filled, "The name that components use for it."),
            .required("url", .pictureURL, "Its address."),
            .optional(
                "load",
                .names(["critical": "Before the page is shown.", "background": "After the page is shown."]),
                "The time at which it is loaded.",
                default: "background"
            ),
        ]
    )
}

extension Role {
    static let preload = Role("preload", labels: ["id"])
}
