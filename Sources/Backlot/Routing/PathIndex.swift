/// Finds a path among those without parameters, by its bytes: for one that is requested no text has to be made, and a table of
/// its own takes a third of the instructions of a dictionary, which guards against keys that strangers add.
struct PathIndex: Sendable {
    private struct Entry {
        /// Where the path stands in `bytes`.
        let range: Range<Int>
        let number: Int
    }

    /// All paths, one after the other.
    private var bytes: [UInt8] = []
    private var count = 0
    /// The entry of each path, at the first free place from the one that its hash names. At most half of the places are
    /// taken, and there is a power of two of them.
    private var places: [Entry?] = [nil, nil]

    /// The number of a path: 0 for the first that was added, and so on; nil for one that was not.
    func number(of path: Span<UInt8>) -> Int? {
        var place = Self.hash(path) & (places.count - 1)
        while let entry = places[place] {
            if bytes.span.equals(entry.range, path) { return entry.number }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Adds a path that is not there, and returns its number.
    mutating func add(_ path: String) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: path.utf8)
        if 2 * (count + 1) > places.count {
            let entries = places.compactMap(\.self)
            places = Array(repeating: nil, count: 2 * places.count)
            for entry in entries { put(entry) }
        }
        put(Entry(range: start..<bytes.count, number: count))
        count += 1
        return count - 1
    }

    private mutating func put(_ entry: Entry) {
        var place = Self.hash(bytes.span.extracting(entry.range)) & (places.count - 1)
        while places[place] != nil { place = (place + 1) & (places.count - 1) }
        places[place] = entry
    }

    private static func hash(_ path: Span<UInt8>) -> Int { Int(truncatingIfNeeded: FNV1a.hash(path)) }
}
