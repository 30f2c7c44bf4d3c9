public import Backlot

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
        xpedite.comparison.variables = ["name"]
        xpedite.comparison.targets = ["function", "dynamic"]
        xpedite.comparison.calls = "methods that take input"
        xpedite.comparison.packets = ComparedKeys.Packets(
            code: "rc",
            success: 0,
            token: "token",
            method: "method",
            parameters: "parameters",
            refusal: { $0["components"]?[0]?["text"]?.string }
        )
        xpedite.tree = { XpediteRules.tree(of: $0) }
        xpedite.mayBeResponse = { $0["rc"] != nil }
        xpedite.format = { .xpedite() }
        xpedite.clients = [KnownClient("xpedite")]
        return xpedite
    }()
}
