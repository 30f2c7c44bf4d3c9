/// How far two texts are from each other, for suggestions of what somebody probably meant.
package enum EditDistance {
    /// How many edits lead from one to the other. An edit adds, removes or replaces a byte, or swaps two neighbours.
    ///
    /// The time grows with the product of their lengths: cut them before.
    package static func between(_ left: [UInt8], _ right: [UInt8]) -> Int {
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
