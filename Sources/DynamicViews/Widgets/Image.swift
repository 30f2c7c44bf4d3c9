import Backlot
public import BacklotJSON

/// A picture.
///
/// Source: Dynamic Views documentation, Image.
public struct Image: Widget {
    /// The name in interactions.
    public let id: String
    /// The picture's name among the app's.
    public let image: String
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `image`
    public var type: StaticString { "image" }

    init(id: String, image: String) {
        self.id = id
        self.image = image
    }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.requiredString("id")
        image = try wire.requiredString("image")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self) { $0.field("image", image) }
    }
}

extension Image {
    static let vocabulary = Kind.widget(
        "image",
        "A picture.",
        keys: [.required("image", .text(.pictureName), "The picture.")]
    )
}

/// Makes an ``Image``.
///
/// - Parameter image: the picture's name among the app's.
public func image(_ image: String, id: String) -> Image {
    Image(id: id, image: image)
}
