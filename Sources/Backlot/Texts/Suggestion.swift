/// Finds the name that a misspelt one probably means.
package enum Suggestion {
    /// The maximum number of compared bytes of a text.
    private static let compared = 60

    /// The nearest candidate to a text; nil if no candidate is near. Letter case doesn't count.
    ///
    /// At most a third of the bytes may differ. Candidates that begin with the text, or the reverse, come next, and then those that
    /// contain the text, or the reverse.
    package static func nearest(to text: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(text.lowercased().utf8.prefix(compared))
        guard !wanted.isEmpty else { return nil }
        var best: (candidate: String, score: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().utf8.prefix(compared))
            guard !other.isEmpty, let score = score(wanted, other), score < best?.score ?? .max else { continue }
            best = (candidate, score)
        }
        return best?.candidate
    }

    /// `; did you mean 'x'?`, or an empty text.
    package static func hint(for text: String, among candidates: some Sequence<String>) -> String {
        nearest(to: text, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    private static func score(_ wanted: [UInt8], _ other: [UInt8]) -> Int? {
        let edits = EditDistance.between(wanted, other)
        let allowed = max(1, min(wanted.count, other.count) / 3)
        if edits <= allowed { return edits }
        let (short, long) = wanted.count < other.count ? (wanted, other) : (other, wanted)
        guard short.count >= 3 else { return nil }
        if long.starts(with: short) { return compared + long.count - short.count }
        let isInside = (0...(long.count - short.count)).contains { long[$0...].starts(with: short) }
        return isInside ? 2 * compared + long.count - short.count : nil
    }
}

/// The distance between two texts.
package enum EditDistance {
    /// The number of edits that lead from one to the other. An edit adds, removes or replaces a byte, or swaps two neighbours.
    ///
    /// The time grows with the product of their lengths: cut long texts first.
    package static func between(_ left: [UInt8], _ right: [UInt8]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        var current = last
        for row in left.indices {
            current[0] = row + 1
            for column in right.indices {
                var edits = last[column] + (left[row] == right[column] ? 0 : 1)
                edits = min(edits, min(last[column + 1], current[column]) + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    edits = min(edits, beforeLast[column - 1] + 1)
                }
                current[column + 1] = edits
            }
            swap(&beforeLast, &last)
            swap(&last, &current)
        }
        return last[right.count]
    }

    /// The difference, from 0 for equal texts to 1 for texts without anything in common. Only the first 200 bytes are compared.
    package static func share(_ left: String, _ right: String) -> Double {
        if left == right { return 0 }
        let (left, right) = (Array(left.utf8.prefix(200)), Array(right.utf8.prefix(200)))
        let most = max(left.count, right.count)
        // Texts that differ only after the compared bytes still differ.
        return most == 0 ? 0.01 : max(0.01, Double(between(left, right)) / Double(most))
    }
}
