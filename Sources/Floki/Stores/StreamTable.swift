import Backlot

/// The entries of a feed in one language, in their order.
struct StreamTable: Sendable {
    /// The number of expired entries that windows skip before the table removes them.
    private static let mostExpired = 1_000
    /// Up to this number, entries with a word are sorted; for more, the search follows the feed's order.
    private static let fewFound = 4_000

    typealias Place = EntryQuery.Place

    private(set) var entries: [Int: StoredEntry] = [:]
    /// The places, from the end of the feed to its beginning.
    private var order: [Place] = []
    /// The ids, ascending.
    private var ids: [Int] = []
    /// The entries that expire, with the time as `sortID`.
    private var ends: [Place] = []
    private var words = TermIndex()
    private var tags = TermIndex()
    /// The places of removed entries, by their ids.
    private var tombstones: [Int: Place] = [:]
    /// The removed ids, the last one at the end.
    private var removed: [Int] = []

    mutating func save(_ entry: StoredEntry) {
        if let old = entries.removeValue(forKey: entry.id) {
            drop(old)
        } else if tombstones.removeValue(forKey: entry.id) != nil {
            removed.removeAll { $0 == entry.id }
        }
        entries[entry.id] = entry
        let place = Place(sortID: entry.sortID, id: entry.id)
        order.insert(place, at: order.lowerBound(of: place))
        ids.insert(entry.id, at: ids.lowerBound(of: entry.id))
        if entry.expirationDate > 0 {
            let end = Place(sortID: entry.expirationDate, id: entry.id)
            ends.insert(end, at: ends.lowerBound(of: end))
        }
        for word in entry.words { words.insert(place, for: word) }
        for tag in entry.tags { tags.insert(place, for: tag) }
    }

    mutating func remove(_ id: Int) {
        guard let old = entries.removeValue(forKey: id) else { return }
        drop(old)
        tombstones[id] = Place(sortID: old.sortID, id: id)
        removed.append(id)
        if removed.count > FeedQuery.maximumRemoved { tombstones[removed.removeFirst()] = nil }
    }

    private mutating func drop(_ entry: StoredEntry) {
        let place = Place(sortID: entry.sortID, id: entry.id)
        order.remove(at: order.lowerBound(of: place))
        ids.remove(at: ids.lowerBound(of: entry.id))
        if entry.expirationDate > 0 {
            ends.remove(at: ends.lowerBound(of: Place(sortID: entry.expirationDate, id: entry.id)))
        }
        for word in entry.words { words.remove(place, for: word) }
        for tag in entry.tags { tags.remove(place, for: tag) }
    }

    /// Removes the expired entries if there are many.
    mutating func removeExpired(at now: Int) {
        let end = ends.lowerBound(of: Place(sortID: now, id: 0))
        guard end > Self.mostExpired else { return }
        let gone = Dictionary(
            uniqueKeysWithValues: ends[..<end].compactMap { end in
                entries.removeValue(forKey: end.id).map { (end.id, $0) }
            }
        )
        ends.removeFirst(end)
        order.removeAll { gone[$0.id] != nil }
        ids.removeAll { gone[$0] != nil }
        words.remove(Set(gone.keys), for: gone.values.flatMap(\.words))
        tags.remove(Set(gone.keys), for: gone.values.flatMap(\.tags))
    }

    func window(_ query: FeedQuery) -> FeedWindow {
        let candidates: any Sequence<Int>
        switch query.start {
        case .newest: candidates = order.reversed().lazy.map(\.id)
        case .after(let id):
            let own = entries[id].map { Place(sortID: $0.sortID, id: id) }
            let place = own ?? tombstones[id] ?? Place(sortID: id, id: id)
            candidates = order[..<order.lowerBound(of: place)].reversed().lazy.map(\.id)
        case .below(let id): candidates = ids[..<ids.lowerBound(of: id)].reversed()
        }
        var found: [StoredEntry] = []
        for id in candidates {
            guard let entry = live(id, query.now) else { continue }
            found.append(entry)
            if found.count > query.limit { break }
        }
        var hasOlder = found.count > query.limit
        if hasOlder { found.removeLast() }
        let hole = hasOlder ? hole(below: found, query) : []
        if query.start == .newest, hole.isEmpty, let lowest = query.lowest {
            hasOlder = ids[..<ids.lowerBound(of: lowest)].reversed().contains { live($0, query.now) != nil }
        }
        if case .below = query.start { found.sort { ($0.sortID, $0.id) > ($1.sortID, $1.id) } }
        return FeedWindow(
            entries: found.map(\.wire),
            removed: removed(query) + hole,
            hasOlder: hasOlder,
            unchangedUntil: firstEnd(after: query.now)
        )
    }

    /// The first second at which another entry has ended; nil for never.
    private func firstEnd(after now: Int) -> Int? {
        let index = ends.lowerBound(of: Place(sortID: now, id: 0))
        return index < ends.count ? ends[index].sortID + 1 : nil
    }

    /// The published entries of a page.
    func page(_ query: EntryQuery) -> [StoredEntry] {
        let places = query.ids.map { Set($0).compactMap { entries[$0]?.place }.sorted() } ?? order
        let end = query.after.map { places.lowerBound(of: $0) } ?? places.count
        return Array(
            places[..<end].reversed().lazy.compactMap { entries[$0.id] }.filter(query.matches).prefix(query.limit)
        )
    }

    /// The ids of the client that would remain behind a hole.
    private func hole(below window: [StoredEntry], _ query: FeedQuery) -> [Int] {
        guard query.start == .newest, let highest = query.highest, let end = window.map(\.id).min(), highest < end - 1,
            ids[ids.lowerBound(of: highest + 1)..<ids.lowerBound(of: end)].contains(where: {
                live($0, query.now) != nil
            })
        else { return [] }
        let held = ids[ids.lowerBound(of: min(query.lowest ?? 1, highest))..<ids.lowerBound(of: highest + 1)]
        return Array(held.reversed().prefix(query.longestRemovedLimit))
    }

    private func live(_ id: Int, _ now: Int) -> StoredEntry? {
        entries[id].flatMap { $0.hasExpired(at: now) ? nil : $0 }
    }

    private func removed(_ query: FeedQuery) -> [Int] {
        guard let lowest = query.lowest else { return Array(removed.reversed().prefix(query.removedLimit)) }
        return Array(removed.reversed().lazy.filter { $0 >= lowest }.prefix(query.longestRemovedLimit))
    }

    /// - Parameter most: the number of entries to look at, including the entries of earlier pages.
    func search(_ search: FeedSearch, _ most: Int) throws(StatusError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var skipped = 0
        for (looked, place) in candidates(search.criterion).reversed().enumerated() {
            if found.count >= search.limit ?? most { break }
            guard looked < most else { throw .searchTooLong }
            guard let entry = live(place.id, search.now), Self.matches(entry, search.criterion) else { continue }
            if skipped < search.offset { skipped += 1 } else { found.append(entry.wire) }
        }
        return found
    }

    /// The places of all entries that a search may find, ascending.
    private func candidates(_ criterion: FeedSearch.Criterion) -> [Place] {
        switch criterion {
        case .tag(let tag): return tags.places(of: TermIndex.Term(tag))
        case .words(let words):
            guard !words.contains("") else { return [] }
            let terms = words.map { self.words.terms(beginningWith: $0) }
            let counts = terms.map { $0.reduce(0) { $0 + self.words.places(of: $1).count } }
            guard let rarest = counts.indices.min(by: { counts[$0] < counts[$1] }) else { return [] }
            if counts[rarest] > Self.fewFound { return order }
            return Set(terms[rarest].flatMap { self.words.places(of: $0) }).sorted()
        }
    }

    private static func matches(_ entry: StoredEntry, _ criterion: FeedSearch.Criterion) -> Bool {
        switch criterion {
        case .tag(let tag): entry.tags.contains(tag)
        case .words(let words): entry.hasWords(beginningWith: words)
        }
    }
}

/// The places of entries by their words or tags.
private struct TermIndex: Sendable {
    /// A word or tag. As in databases, the bytes of its UTF-8 decide its order and beginnings.
    struct Term: Hashable, Comparable, Sendable {
        let bytes: [UInt8]

        init(_ text: String) { bytes = Array(text.utf8) }

        static func < (left: Term, right: Term) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
    }

    private var places: [Term: [StreamTable.Place]] = [:]
    /// The keys, ascending.
    private var terms: [Term] = []

    func places(of term: Term) -> [StreamTable.Place] { places[term] ?? [] }

    func terms(beginningWith text: String) -> ArraySlice<Term> {
        let beginning = Term(text)
        return terms[terms.lowerBound(of: beginning)...].prefix { $0.bytes.starts(with: beginning.bytes) }
    }

    mutating func insert(_ place: StreamTable.Place, for text: String) {
        let term = Term(text)
        if places[term] == nil { terms.insert(term, at: terms.lowerBound(of: term)) }
        let index = places[term]?.lowerBound(of: place) ?? 0
        places[term, default: []].insert(place, at: index)
    }

    mutating func remove(_ place: StreamTable.Place, for text: String) {
        let term = Term(text)
        guard let index = places[term]?.lowerBound(of: place), places[term]?.indices.contains(index) == true else {
            return
        }
        places[term]?.remove(at: index)
        removeIfEmpty(term)
    }

    /// Removes entries from some terms.
    mutating func remove(_ ids: Set<Int>, for texts: [String]) {
        for term in Set(texts.map(Term.init)) {
            places[term]?.removeAll { ids.contains($0.id) }
            removeIfEmpty(term)
        }
    }

    private mutating func removeIfEmpty(_ term: Term) {
        guard places[term]?.isEmpty == true else { return }
        places[term] = nil
        terms.remove(at: terms.lowerBound(of: term))
    }
}

extension Array where Element: Comparable {
    /// The first index of an ascending array with an element that isn't below another, by binary search.
    func lowerBound(of element: Element) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = self[middle] < element ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
