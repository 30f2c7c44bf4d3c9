import Backlot
import BacklotJSON

/// How a document is shown as a whole.
///
/// Source: Dynamic Views documentation, Configuration.
public struct Configuration: Sendable, Equatable {
    /// How the widgets are laid out.
    public enum Style: String, Sendable, CaseIterable {
        /// One below the other, in a view that scrolls: the default.
        case scroll
        /// In a list, which sections can group.
        case list
    }

    /// The name of the picture behind the widgets.
    public var image: String?
    /// How the widgets are laid out; nil for scroll.
    public var style: Style?
    /// The space around all widgets.
    public var padding: Padding?

    init() {}

    init(_ wire: WireReader) throws(WireError) {
        image = try wire.string("image")
        style = try wire.string("style").flatMap(Style.init)
        padding = try wire.padding()
    }

    func encode(into writer: inout JSONWriter) {
        // Android clients have no default for the style.
        let style = writer.dialect.platform == .android ? style ?? .scroll : style
        writer.object("configuration") {
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
        "How a document is shown as a whole.",
        misnomers: Kind.misnomers,
        keys: [
            .optional("image", .text(.pictureName), "The picture behind the widgets."),
            .optional(
                "style",
                .names(
                    [
                        "scroll": "The widgets stand one below the other, in a view that scrolls.",
                        "list": "The widgets stand in a list, which sections can group.",
                    ],
                    ifUnknown: .warning("take it for \"scroll\"")
                ),
                "How the widgets are laid out.",
                default: "scroll"
            ),
        ] + Key.paddings
    )
}
