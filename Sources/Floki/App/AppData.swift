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
