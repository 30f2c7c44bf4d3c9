public import Backlot

/// A picture. Clients show PNG and JPEG.
///
/// Source: Applin documentation, Widgets, image.
public struct Image: Widget, KeyedObject {
    /// The picture's fit in the widget.
    public enum Disposition: String, Sendable, CaseIterable {
        /// As large as it can be while all of it is visible.
        case fit
        /// Large enough to leave no gap; its edges may be cut off.
        case cover
        /// Stretched to exactly the widget's size.
        case stretch
    }

    /// The location of the picture: a path below the app's base URL (`image.png`), a path from the host's root (`/travel/image.png`),
    /// or an absolute URL on any server.
    public let url: String
    /// The widget's width divided by its height, more than 0.
    public let aspectRatio: Double
    /// The picture's fit in the widget.
    public let disposition: Disposition

    /// `image`
    public var typ: StaticString { "image" }

    static let vocabulary = Kind(Image(url: "", aspectRatio: 1, disposition: .cover), "A picture.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("url", url).required(
            "The picture's URL: a path below the base URL, one from the host's root after a slash, or an absolute URL."
        )
        keys("aspect_ratio", aspectRatio).required("The widget's width divided by its height, more than 0.")
        // iOS clients assume `cover`; the Rust library requires the key.
        keys("disposition", disposition.rawValue).recommended(
            "The picture's fit in the widget.",
            .names(
                [
                    "fit": "As large as it can be while all of it is visible.",
                    "cover": "Large enough to leave no gap; its edges may be cut off.",
                    "stretch": "Stretched to exactly the widget's size.",
                ],
                ifUnknown: .warning("use their default")
            ),
            otherwise: "cover"
        )
    }
}

/// Makes an ``Image``.
///
/// ```swift
/// image("/photos/7.jpg", aspectRatio: 1.5, disposition: .fit)
/// ```
/// - Parameters:
///   - url: The location of the picture: a path below the app's base URL (`image.png`), a path from the host's root
///     (`/travel/image.png`), or an absolute URL on any server.
///   - aspectRatio: The widget's width divided by its height, more than 0.
///   - disposition: The picture's fit in the widget; `cover` is the default of clients.
public func image(_ url: String, aspectRatio: Double, disposition: Image.Disposition = .cover) -> Image {
    Image(url: url, aspectRatio: aspectRatio, disposition: disposition)
}
