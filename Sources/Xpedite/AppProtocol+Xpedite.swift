public import Backlot
internal import BacklotJSON

extension AppProtocol {
    /// Xpedite: pages of components, which clients request by packets.
    public static let xpedite: AppProtocol = {
        var xpedite = AppProtocol(
            "xpedite",
            title: "Xpedite",
            summary: "pages of components, asked for by packets",
            inspector: XpediteInspector(),
            vocabulary: XpediteVocabulary.all,
            responses: [Packet.vocabulary, RowsPacket.vocabulary],
            recognises: { $0["rc"]?.number != nil },
            start: { $0["rc"] != nil }
        )
        xpedite.module = "Xpedite"
        xpedite.format = { .xpedite() }
        xpedite.clients = [KnownClient("xpedite")]
        return xpedite
    }()
}
