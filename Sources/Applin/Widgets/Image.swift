internal import Backlot
public import BacklotJSON

/// A picture. Clients show PNG and JPEG.
///
/// Source: Applin documentation, Widgets, image.
public struct Image: Widget {
    /// How the picture fills the widget.
    public enum Disposition: String, Sendable, CaseIterable {
        /// As large as it can be while all of it is visible.
        case fit
        /// Large enough to leave no gap; its edges may be cut off.
        case cover
        /// Stretched to exactly the widget's size.
        case stretch
    }

    /// Where the picture is: a path from the host's root (`/image.png`), or an absolute URL on any server.
    public let url: String
    /// The widget's width divided by its height, more than 0.
    public let aspectRatio: Double
    /// How the picture fills the widget.
    public let disposition: Disposition

    /// `image`
    public var typ: StaticString { "image" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("url", url)
            $0.field("aspect_ratio", aspectRatio)
            $0.field("disposition", disposition.rawValue)
        }
    }
}

extension Image {
    static let vocabulary = Kind(
        "image",
        as: [.widget],
        "A picture.",
        keys: [
            .required(
                "url",
                .string,
                "Where the picture is: a path from the host's root, or an absolute URL on any server."
            ),
            .required("aspect_ratio", .number, "The widget's width divided by its height, more than 0."),
            // iOS clients assume `cover`; the Rust library requires the key.
            .recommended(
                "disposition",
                .names(
                    [
                        "fit": "As large as it can be while all of it is visible.",
                        "cover": "Large enough to leave no gap; its edges may be cut off.",
                        "stretch": "Stretched to exactly the widget's size.",
                    ],
                    ifUnknown: .warning("use their default")
                ),
                otherwise: "cover",
                "How the picture fills the widget."
            ),
        ]
    )
}

/// Makes an ``Image``.
///
/// - Parameters:
///   - url: Where the picture is: a path from the host's root (`/image.png`), or an absolute URL on any server.
///   - aspectRatio: The widget's width divided by its height, more than 0.
///   - disposition: How the picture fills the widget; `cover` is what clients do by themselves.
public func image(_ url: String, aspectRatio: Double, disposition: Image.Disposition = .cover) -> Image {
    Image(url: url, aspectRatio: aspectRatio, disposition: disposition)
}
