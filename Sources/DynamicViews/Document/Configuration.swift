import Backlot

/// The appearance of a document as a whole.
///
/// Source: Dynamic Views documentation, Configuration.
public struct Configuration: Sendable, Equatable {
    /// The layouts of the widgets.
    public enum Style: String, Sendable, CaseIterable {
        /// One below the other, in a view that scrolls: the default.
        case scroll
        /// In a list, which sections can group.
        case list
    }

    /// The name of the picture behind the widgets.
    public var image: String?
    /// The layout of the widgets; nil for scroll.
    public var style: Style?
    /// The space around all widgets.
    public var padding: Padding?

    init() {}

    init(_ object: DocumentObject) throws(DocumentError) {
        image = try object.string("image")
        style = try object.string("style").flatMap(Style.init)
        padding = try object.padding()
    }

    func encode(into writer: inout JSONWriter, _ name: StaticString) {
        // Android clients need both; an empty name stands for no image.
        let isAndroid = writer.dialect.platform == .android
        let image = isAndroid ? image ?? "" : image
        let style = isAndroid ? style ?? .scroll : style
        writer.object(name) {
            $0.field("image", image)
            $0.field("style", style?.rawValue)
            $0.padding(padding)
        }
    }
}

extension Configuration {
    static let vocabulary = Kind(
        "configuration",
        as: [.configuration],
        "The appearance of a document as a whole.",
        misnomers: Kind.paddingMisnomers,
        keys: [
            .optional("image", images, imageMeaning, support: .on("ios")),
            .required("image", images, "\(imageMeaning) An empty name stands for none.", support: .on("android")),
            .optional("style", styles(), styleMeaning, default: "scroll", support: .on("ios")),
            .required(
                "style",
                styles([Name(text: "", meaning: "The same as scroll.")]),
                styleMeaning,
                support: .on("android")
            ),
        ] + Key.paddings
    )

    private static let images = ValueType.text(.pictureName)
    private static let imageMeaning = "The picture behind the widgets."
    private static func styles(_ more: [Name] = []) -> ValueType {
        let styles = [
            Name(text: "scroll", meaning: "The widgets stand one below the other, in a view that scrolls."),
            Name(text: "list", meaning: "The widgets stand in a list, which sections can group."),
        ]
        return .oneOf(more + styles, ifUnknown: .warning("take it for \"scroll\""))
    }
    private static let styleMeaning = "The layout of the widgets."
}
