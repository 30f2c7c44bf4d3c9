import BacklotJSON

/// What clients look at to see whether the app has changed.
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
