import Backlot

/// The response to a request for a feed.
///
/// Source: Floki server protocols, News item protocol and Gallery item protocol.
enum FeedDocument {
    /// - Parameters:
    ///   - language: the code of the language of the sections' names.
    ///   - isFlat: whether to leave out sections, as in search results: iOS would put the entries into collapsed sections, and offer
    ///     no further page.
    static func bytes(
        _ window: FeedWindow,
        of feed: MountedFeed,
        for place: TemplateValues,
        language: String,
        isFlat: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(window.entries.reduce(256) { $0 + $1.count + 128 })
        bytes += "{\"\(feed.key.rawValue)\":[".utf8
        for (index, entry) in window.entries.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let template = JSONTemplate(entry)
            (isFlat ? template.withoutSections : template).render(for: place, into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        if !window.removed.isEmpty {
            bytes += ",\"to_delete\":[\(window.removed.map { "\($0)" }.joined(separator: ","))]".utf8
        }
        if !isFlat, let sections = feed.sections[language] {
            // A response without sections, even an empty one, makes iOS clear a feed that had some.
            bytes += ",\"sections\":".utf8
            bytes += sections
        }
        if window.hasOlder { bytes += ",\"has_older\":true".utf8 }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension FeedDocument {
    static let news = Kind(
        "news feed",
        as: [.newsFeed],
        "A window of a feed of news items.",
        keys: [.required("items", .objects(.item), "The items, in their order.")] + keys
    )
    static let gallery = Kind(
        "gallery feed",
        as: [.galleryFeed],
        "A window of a feed of pictures.",
        keys: [.required("thumbs", .objects(.thumb), "The pictures, in their order.")] + keys
    )

    /// Keys that all feeds have.
    private static let keys: [Key] = [
        .optional("to_delete", .array(.positive), "The ids of removed entries, which clients drop."),
        .optional("sections", .objects(.section), "The parts of the feed, in their order."),
        .optional("has_older", .bool, "Whether clients can request older entries.", default: false),
    ]
}

extension Role {
    static let newsFeed = Role("news feed", hasStep: false)
    static let galleryFeed = Role("gallery feed", hasStep: false)
}
