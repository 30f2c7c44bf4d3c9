public import Backlot

/// A picture that the client loads for the components that name it, on this page and on later ones of the session.
///
/// Source: Xpedite API reference, images.
public struct Preload: Sendable, Equatable, KeyedObject {
    /// The time at which a picture is loaded.
    public enum Priority: String, Sendable, CaseIterable {
        /// Before the page is shown.
        case critical
        /// After the page is shown: the default.
        case background
    }

    /// The name that components use for the picture.
    public let id: String
    /// The picture's address, with https.
    public let url: String
    /// The time at which the picture is loaded.
    public let load: Priority?

    /// Creates a picture to load.
    public init(id: String, url: String, load: Priority? = nil) {
        self.id = id
        self.url = url
        self.load = load
    }

    static let vocabulary = Kind(
        Preload(id: "", url: ""),
        "A picture that the client loads for the components that name it.",
        noun: "a preloaded picture"
    )

    package var wireName: StaticString { "preload" }
    package static var roles: [Role] { [.preload] }

    package func keys(_ keys: inout some Keys) {
        keys("id", id).required("The name that components use for it.", .filled)
        keys("url", url).required("Its address.", .pictureURL)
        keys("load", load?.rawValue).optional(
            "The time at which it is loaded.",
            .names(["critical": "Before the page is shown.", "background": "After the page is shown."]),
            default: "background"
        )
    }
}

extension Role {
    static let preload = Role("preload", labels: ["id"])
}
