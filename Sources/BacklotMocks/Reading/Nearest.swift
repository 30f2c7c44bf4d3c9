/// Finds what somebody probably meant.
enum Nearest {
    /// The candidate that is the fewest edits away; nil when none is near: a third of the letters may differ.
    static func name(to text: String, among candidates: some Sequence<String>) -> String? {
        let bytes = Array(text.lowercased().utf8.prefix(60))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().utf8)
            let distance = EditDistance.between(bytes, other)
            if distance <= max(1, max(bytes.count, other.count) / 3), distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }

    /// `; did you mean x?`, or nothing.
    static func hint(for text: String, among candidates: some Sequence<String>) -> String {
        name(to: text, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }
}

/// How many bytes must be added, removed, replaced or swapped with their neighbours to make one text of another.
enum EditDistance {
    static func between(_ left: [UInt8], _ right: [UInt8]) -> Int {
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

    /// From 0 for the same text to 1 for one that has nothing in common. Only the first 200 bytes are looked at.
    static func share(_ left: String, _ right: String) -> Double {
        if left == right { return 0 }
        let (left, right) = (Array(left.utf8.prefix(200)), Array(right.utf8.prefix(200)))
        let most = max(left.count, right.count)
        // What differs only after so many bytes is not the same all the same.
        return most == 0 ? 0.01 : max(0.01, Double(between(left, right)) / Double(most))
    }
}
