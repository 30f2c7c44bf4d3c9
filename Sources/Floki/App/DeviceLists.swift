import BacklotJSON

/// Devices that are treated in their own way, by their UDIDs; `simulator` stands for what isn't a device.
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
            writer.field("delete_disk_cache", deletingDiskCache)
            writer.field("slash_scaled_images", slashingScaledImages)
        }
    }
}
