/// Finds what somebody probably meant, among what there is.
enum NearestMatch {
    /// The most characters of a text that are compared.
    private static let compared = 60

    /// The candidate that is nearest to a text; nil when none is near.
    ///
    /// One that begins with the text, or holds it, or is held by it, is nearer than one that differs by some edits. An edit
    /// adds, removes or replaces a character, or swaps two neighbours; a third of the characters may differ. Letter case
    /// doesn't count.
    static func nearest(to text: String, among candidates: [String]) -> String? {
        let wanted = Array(text.lowercased().prefix(compared))
        guard !wanted.isEmpty else { return nil }
        var best: (candidate: String, score: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().prefix(compared))
            guard !other.isEmpty, let score = score(wanted, other), score < best?.score ?? .max else { continue }
            best = (candidate, score)
        }
        return best?.candidate
    }

    private static func score(_ wanted: [Character], _ other: [Character]) -> Int? {
        let edits = distance(wanted, other)
        let allowed = max(1, min(wanted.count, other.count) / 3)
        if edits <= allowed { return edits }
        let (short, long) = wanted.count < other.count ? (wanted, other) : (other, wanted)
        guard short.count >= 3 else { return nil }
        if long.starts(with: short) { return compared + long.count - short.count }
        return String(long).contains(String(short)) ? 2 * compared + long.count - short.count : nil
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                var edits = min(last[column + 1], current[column]) + 1
                edits = min(edits, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    edits = min(edits, beforeLast[column - 1] + 1)
                }
                current.append(edits)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
