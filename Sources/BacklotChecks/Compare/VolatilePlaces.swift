/// Places of a document that are others each time.
struct VolatilePlaces {
    /// How many changes of a page by itself are looked at.
    static let mostChanges = 10_000

    private var values: Set<String> = []
    /// Parts that come, go or are exchanged as a whole.
    private var wholes: Set<String> = []
    /// Lists in which parts come and go.
    private var lists: Set<String> = []

    /// - Parameter differences: those between two responses of one server.
    init(_ differences: [Difference]) {
        for difference in differences {
            switch difference.rule {
            case "variable-changed", "key-added", "key-removed": values.insert(difference.ownPlace)
            case _ where difference.isOfValue: values.insert(difference.ownPlace)
            case _ where difference.now == nil:
                wholes.insert(difference.place)
                lists.insert(Self.parent(of: difference.place))
            case _ where difference.was == nil: lists.insert(difference.place)
            default: wholes.insert(difference.place)
            }
        }
    }

    /// Whether a difference is at one of them.
    ///
    /// - Parameter isNow: whether they are of the second of the sides that differ.
    func hold(_ difference: Difference, isNow: Bool) -> Bool {
        guard difference.isOfDocument, !values.isEmpty || !wholes.isEmpty || !lists.isEmpty else { return false }
        let place = isNow && difference.now != nil ? difference.pointer : difference.ownPlace
        if values.contains(place) || isInWhole(place) { return true }
        if difference.rule.hasPrefix("key-") { return false }
        let isPassing = difference.was == nil || difference.now == nil
        return lists.contains(place) || isPassing && lists.contains(Self.parent(of: place))
    }

    private func isInWhole(_ place: String) -> Bool {
        guard !wholes.isEmpty else { return false }
        var around = place
        while !wholes.contains(around) {
            guard around.contains("/") else { return false }
            around = Self.parent(of: around)
        }
        return true
    }

    /// The place around a place.
    static func parent(of place: String) -> String {
        place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
    }
}
