import Backlot

/// The vocabulary of an app's file: the words of the wire, except that feeds and texts have names here.
enum AppFileVocabulary {
    static let all = Vocabulary(
        [root, feed, tab, section, item, thumb] + FlokiVocabulary.all.kinds,
        for: FlokiVocabulary.all.audiences,
        refusal: "can't use it",
        refusesWhole: false
    )

    static let root = Kind(
        "app file",
        as: [Role("app file", hasStep: false)],
        "A Floki app at the folder's path: its texts, feeds and tabs.",
        noun: "an app's file",
        keys: [
            .required(
                "languages",
                .map(.map(.string)),
                "The texts by their names, in each language; the first has all of them."
            ),
            .required("tabs", .array(.object(tabRole), .atLeast(1)), "The tabs, from left to right."),
            .optional("feeds", .map(.object(feedRole)), "The feeds, by their names."),
            .optional(
                "pages",
                .map(.either([.string, .map(.string)])),
                "Web pages in HTML, by their names: one for all languages, or one for each."
            ),
            .optional(
                "ttl",
                .integer(1...Int64(VersionIndicator.longestTTL)),
                "The time that clients keep the version indicator, in seconds.",
                default: 60
            ),
        ]
    )

    private static let tabRole = Role("tab", labels: ["unique_id"])
    private static let feedRole = Role("feed")
    private static let sectionRole = Role("section", labels: ["id"])
    private static let itemRole = Role("item", labels: ["id"])
    private static let thumbRole = Role("thumb", labels: ["id"])

    private static let tab = Kind(
        "tab",
        as: [tabRole],
        "A tab of the app.",
        groups: [.atMostOne(["feed", "page"])],
        keys: keys(of: Tab.vocabulary, without: ["long_title", "short_title", "data"]) + [
            .required("long_title", .string, "The name of the text above the content."),
            .optional("short_title", .string, "The name of a shorter text, for the bar at the bottom."),
            .optional("data", .object(.controller), "The properties of the class."),
            .optional("feed", .string, "The name of the feed that it shows."),
            .optional("page", .string, "The name of the web page that it shows."),
            .optional("search", .bool, "Whether it has a bar that searches the feed.", default: false),
            .optional("older", .bool, "Whether clients that send no `o` get older entries too.", default: false),
            .optional("tags", .bool, "Whether links to /tags/NAME show the items with that tag.", default: false),
            .optional("videos", .bool, "Whether links to /videos/NAME show that movie.", default: false),
            .optional("galleries", .bool, "Whether links to /galleries/NAME show pictures.", default: false),
        ]
    )

    private static let feed = Kind(
        "feed",
        as: [feedRole],
        "A feed: its entries are its rows. Each response has a window of them.",
        groups: [.exactlyOne("items", "thumbs")],
        keys: [
            .optional("items", rows(itemRole), "News items, for all languages or by the codes of languages."),
            .optional("thumbs", rows(thumbRole), "Pictures, for all languages or by the codes of languages."),
            .optional("sections", .objects(sectionRole), "The parts of the feed; every entry needs one of them."),
            .optional(
                "cache_size",
                .integer(1...10_000),
                "The number of entries that clients show and store, and the most in a response.",
                default: 50
            ),
        ]
    )

    private static func rows(_ role: Role) -> ValueType { .either([.objects(role), .map(.objects(role))]) }

    private static let section = Kind(
        "section",
        as: [sectionRole],
        "A part of a feed, with a heading.",
        misnomers: ["hide_if_empty": notImplemented],
        keys: keys(of: Section.vocabulary, without: ["name", "hide_if_empty"]) + [
            .required("name", .string, "The name of the text in the heading.")
        ]
    )

    private static let notImplemented = "Remove it: no client implements it."
    private static let ownEntryKeys: [Key] = [
        .optional("tags", .array(.string), "The tags that searches find the entry by."),
        .optional("feed", .string, "The name of the feed that a tap opens."),
    ]

    private static let item = Kind(
        "item",
        as: [itemRole],
        "A news item.",
        misnomers: ["parent_id": notImplemented],
        keys: keys(of: Item.vocabulary, without: ["body", "parent_id", "url", "image"]) + ownEntryKeys + [
            .optional("url", .string, "The URL for a tap; /a is below the app's path. By default the page or feed."),
            .optional("image", .string, "The picture beside the item; /a.png is below the app's path."),
            .optional("body", .string, "The text below the title.", default: ""),
            .optional("page", .string, "The content of the page that a tap opens, in HTML."),
            .optional("video", .string, "The name of the item in links to videos; the item needs a movie."),
        ]
    )

    private static let thumb = Kind(
        "thumb",
        as: [thumbRole],
        "A picture of a gallery.",
        keys: keys(of: Thumb.vocabulary, without: ["title", "url", "image"]) + ownEntryKeys + [
            .required(
                "url",
                .string,
                "The whole picture, or what a tap opens instead; /a.png is below the app's path."
            ),
            .required("image", .string, "The small picture; /a.png is below the app's path."),
            .optional("title", .string, "The title over the picture; an empty one doesn't show.", default: ""),
        ]
    )

    private static func keys(of kind: Kind, without names: [String]) -> [Key] {
        kind.keys.filter { !names.contains($0.name) }
    }
}
