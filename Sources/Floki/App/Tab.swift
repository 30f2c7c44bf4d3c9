import BacklotJSON

/// A tab of the app.
///
/// Source: Floki server protocols, General app data.
struct Tab: Sendable {
    /// Positive, and unique in the app: clients keep what a tab has under it.
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
