import Backlot
import BacklotJSON

/// The app as clients get it, encoded once.
///
/// Source: Floki server protocols, General app data.
struct AppData: Sendable {
    /// The document, with marks for the app's address.
    let template: WireTemplate

    init(tabs: [Tab], texts: TextTable, devices: DeviceLists) {
        let lookup = TextLookup(texts.numbers)
        template = WireTemplate(
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
        "All that clients must know of an app, until its version changes.",
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
