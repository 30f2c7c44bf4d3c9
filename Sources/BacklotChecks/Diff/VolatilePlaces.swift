internal import BacklotJSON
internal import BacklotMocks

/// A difference, as far as it counts for what is volatile.
protocol PlacedChange {
    var rule: String { get }
    var was: String? { get }
    var now: String? { get }
}

extension DriftChange: PlacedChange {}

/// Places of a document that are others each time.
struct VolatilePlaces {
    /// How many changes of a page by itself are looked at.
    static let mostChanges = 10_000

    private var values: Set<String> = []
    /// Parts that come, go or are exchanged as a whole.
    private var wholes: Set<String> = []
    /// Lists in which parts come and go.
    private var lists: Set<String> = []

    init(_ changes: [DriftChange]) {
        for change in changes {
            switch change.rule {
            case "value-changed", "target-changed", "order-changed", "variable-changed", "key-added", "key-removed":
                values.insert(change.ownPlace)
            case _ where change.now == nil:
                wholes.insert(change.place)
                lists.insert(Self.parent(of: change.place))
            case _ where change.was == nil: lists.insert(change.place)
            default: wholes.insert(change.place)
            }
        }
    }

    /// The changes at other places.
    func without<Change: PlacedChange>(_ changes: [Change], at place: (Change) -> String) -> [Change] {
        changes.filter { !hold($0, at: place($0)) }
    }

    /// Whether a change is at one of them.
    func hold(_ change: some PlacedChange, at place: String) -> Bool {
        guard !values.isEmpty || !wholes.isEmpty || !lists.isEmpty else { return false }
        if values.contains(place) || isInWhole(place) { return true }
        if change.rule.hasPrefix("key-") { return false }
        let isPassing = change.was == nil || change.now == nil
        return lists.contains(place) || isPassing && lists.contains(Self.parent(of: place))
    }

    private func isInWhole(_ place: String) -> Bool {
        guard !wholes.isEmpty else { return false }
        var around = place
        while true {
            if wholes.contains(around) { return true }
            guard around.contains("/") else { return false }
            around = Self.parent(of: around)
        }
    }

    /// The place around a place.
    static func parent(of place: String) -> String {
        place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
    }
}
