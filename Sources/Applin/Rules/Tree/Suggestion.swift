/// Finds what somebody probably meant.
enum Suggestion {
    /// The candidate that is the fewest edits away; nil when none is near. One edit adds, removes or replaces a byte, or
    /// swaps two neighbours; a third of the bytes may differ.
    static func nearest(to text: String, among candidates: some Sequence<String>) -> String? {
        let text = Array(text.lowercased().utf8.prefix(40))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let bytes = Array(candidate.utf8)
            let allowed = max(1, min(bytes.count, text.count) / 3)
            let distance = distance(text, bytes)
            if distance <= allowed, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }

    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
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
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
