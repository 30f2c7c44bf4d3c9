import Backlot
import BacklotJSON

/// A tab of the app.
///
/// Source: Floki server protocols, General app data.
struct Tab: Sendable {
    /// Positive, and unique in the app: clients store the content of a tab under it.
    let id: Int
    let title: TextName
    let shortTitle: TextName?
    let image: Picture?
    let controller: any ViewController

    func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
        writer.object { writer in
            writer.field("long_title", texts.number(of: title) ?? 0)
            writer.field("short_title", shortTitle.map { texts.number(of: $0) ?? 0 })
            writer.field("tab_image", image?.base64)
            writer.field("unique_id", id)
            controller.encodeMembers(into: &writer, texts)
        }
    }
}

extension Tab {
    static let vocabulary = Kind(
        "tab",
        as: [.tab],
        "A tab of the app.",
        keys: [
            .required("long_title", .positive, "The number of the text above the content."),
            .optional("short_title", .positive, "The number of a shorter text, for the bar at the bottom."),
            .optional("tab_image", .text(.base64), "The picture, as a PNG file."),
            .required(
                "unique_id",
                .positive,
                "The number under which clients store the content; unique in the app.",
                rule: "malformed-unique-id"
            ),
            .required(
                "class_type",
                .name(of: [
                    NewsViewController.vocabulary, GalleryViewController.vocabulary, WebViewController.vocabulary,
                    MovieViewController.vocabulary, UnwrittenControllers.preferences,
                ]),
                "The class that shows the tab.",
                rule: "unknown-class-type"
            ),
            .required("data", .object(.controller), "The properties of the class."),
        ]
    )
}

extension Role {
    static let tab = Role("tab", labels: ["unique_id"])
}
