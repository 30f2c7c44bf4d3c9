import Backlot

/// The app as clients get it, encoded once.
///
/// Source: Floki server protocols, General app data.
struct AppData: Sendable {
    /// The document, with marks for the app's address.
    let template: JSONTemplate

    init(tabs: [Tab], texts: TextTable, devices: DeviceLists) {
        let lookup = TextLookup(texts.numbers)
        template = JSONTemplate(
            JSONWriter.document(capacity: 4096) { writer in
                writer.object { writer in
                    writer.array("tabs") { writer in
                        for tab in tabs { tab.encode(into: &writer, lookup) }
                    }
                    texts.encode(into: &writer)
                    devices.encode(into: &writer)
                }
            }
        )
    }
}

extension AppData {
    static let vocabulary = Kind(
        "app data",
        as: [.appData],
        "The data of an app; clients keep it until its version changes.",
        noun: "the app data",
        keys: [
            .required("tabs", .array(.object(.tab), .atLeast(1)), "The tabs, from left to right."),
            .required(
                "langs",
                .array(.map(.map(.string)), .atLeast(1)),
                "The languages, each an object with its code as the only key; the first is the master."
            ),
            .optional("misc", .object(.deviceLists), "Devices that clients treat in a special way."),
        ]
    )
}

extension Role {
    static let appData = Role("app data", hasStep: false)
    static let deviceLists = Role("object of device lists", hasStep: false)
}

/// Devices that get a special treatment, by their UDIDs. `simulator` stands for everything that isn't a device.
///
/// Source: Floki server protocols, General app data, misc.
struct DeviceLists: Sendable, Equatable {
    /// The devices that empty their cache when the app starts next.
    var deletingDiskCache: [String] = []
    /// The devices that draw a red slash over scaled pictures.
    var slashingScaledImages: [String] = []

    func encode(into writer: inout JSONWriter) {
        guard self != DeviceLists() else { return }
        writer.object("misc") { writer in
            for (key, devices) in [
                ("delete_disk_cache", deletingDiskCache), ("slash_scaled_images", slashingScaledImages),
            ] where !devices.isEmpty {
                writer.member(key, .array(devices.map(JSONValue.string)))
            }
        }
    }
}

extension DeviceLists {
    static let vocabulary = Kind(
        "misc",
        as: [.deviceLists],
        "Devices that clients treat in a special way, by their UDIDs.",
        keys: [
            .optional("delete_disk_cache", .array(.string), "The devices that empty their cache when the app starts."),
            .optional(
                "slash_scaled_images",
                .array(.string),
                "The devices that draw a red slash over scaled pictures."
            ),
        ]
    )
}

/// The document that tells clients whether the app has changed.
///
/// Source: Floki server protocols, Version indicator.
struct VersionIndicator: Sendable, Equatable {
    /// The longest ttl, which is the reference's example. It is sent as one second less, since clients keep integers of 32 bits.
    static let longestTTL = 1 << 31

    let version: Int
    let url: String
    let ttl: Int

    var bytes: [UInt8] {
        JSONWriter.document(capacity: 128) { writer in
            writer.object {
                $0.field("v", version)
                $0.field("url", url)
                $0.field("ttl", min(ttl, Int(Int32.max)))
            }
        }
    }
}

extension VersionIndicator {
    static let vocabulary = Kind(
        "version indicator",
        as: [.indicator],
        "The version of the app data, and its address.",
        keys: [
            .required("v", .positive, "The version: clients fetch the app data when it is higher than theirs."),
            .required("url", .text(.absoluteURL(rule: "relative-url")), "The address of the app data."),
            .required(
                "ttl",
                .integer(1...Int64(longestTTL)),
                "The time that clients keep the indicator, in seconds.",
                rule: "ttl-out-of-range"
            ),
        ]
    )
}

extension Role {
    static let indicator = Role("version indicator", hasStep: false)
}

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
