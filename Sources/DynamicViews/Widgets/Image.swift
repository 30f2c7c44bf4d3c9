public import Backlot

/// A picture.
///
/// Source: Dynamic Views documentation, Image.
public struct Image: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The picture's name among the app's.
    public let image: String
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `image`
    public var type: StaticString { "image" }

    static let vocabulary = Kind(Image(id: "", image: ""), "A picture.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("image", image).required("The picture.", .text(.pictureName))
    }
}

extension Image {
    init(_ object: DocumentObject) throws(DocumentError) {
        self.init(id: try object.requiredString("id"), image: try object.requiredString("image"))
    }
}

/// Makes an ``Image``.
///
/// ```swift
/// document { image("Dashboard/teaser", id: "teaser").padding(bottom: 16) }
/// ```
/// - Parameter image: the picture's name among the app's.
public func image(_ image: String, id: String) -> Image {
    Image(id: id, image: image)
}
