import Backlot
import BacklotJSON

/// The document that tells clients whether the app has changed.
///
/// Source: Floki server protocols, Version indicator.
struct VersionIndicator: Sendable, Equatable {
    /// The longest ttl: clients keep a whole number of 32 bits.
    static let longestTTL = Int(Int32.max)

    let version: Int
    let url: String
    let ttl: Int

    var bytes: [UInt8] {
        JSONWriter.document(capacity: 128) { writer in
            writer.object {
                $0.field("v", version)
                $0.field("url", url)
                $0.field("ttl", ttl)
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
            .required("ttl", .positive, "For how many seconds clients keep the indicator.", rule: "ttl-out-of-range"),
        ]
    )
}

extension Role {
    static let indicator = Role("version indicator", hasStep: false)
}
