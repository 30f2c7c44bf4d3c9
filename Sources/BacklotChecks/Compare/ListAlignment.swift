internal import BacklotJSON

/// Finds the corresponding parts of two lists, so that one added part is one difference instead of one for each part after it.
struct ListAlignment {
    /// An element of a list.
    struct Element {
        let value: JSONValue
        let part: ComparedPart?
        /// The route of the list's rows, if the element is a row of data; nil for a single part.
        let row: String?
        /// The value without ids and numbers; nil if they count.
        let shape: JSONValue?
        /// The route of the part's first action; nil without one.
        let route: String?
    }

    /// The alignment of an element.
    enum Step {
        case both(Int, Int)
        case removed(Int)
        case added(Int)
    }

    /// The maximum product of the lists' lengths; longer lists take too much time.
    static let most = 250_000

    private(set) var steps: [Step] = []

    init(_ one: [Element], _ two: [Element]) {
        let (rows, columns) = (one.count, two.count)
        var scores = [Int](repeating: 0, count: (rows + 1) * (columns + 1))
        func at(_ row: Int, _ column: Int) -> Int { row * (columns + 1) + column }
        var likeness = [Int](repeating: 0, count: rows * columns)
        for row in (0..<rows).reversed() {
            for column in (0..<columns).reversed() {
                let own = score(one[row], two[column])
                likeness[row * columns + column] = own
                let skipped = max(scores[at(row + 1, column)], scores[at(row, column + 1)])
                scores[at(row, column)] = own > 0 ? max(skipped, own + scores[at(row + 1, column + 1)]) : skipped
            }
        }
        var gap: (removed: [Int], added: [Int]) = ([], [])
        var (row, column) = (0, 0)
        while row < rows || column < columns {
            let own = row < rows && column < columns ? likeness[row * columns + column] : 0
            if own > 0, scores[at(row, column)] == own + scores[at(row + 1, column + 1)] {
                close(&gap, one, two)
                steps.append(.both(row, column))
                (row, column) = (row + 1, column + 1)
            } else if column == columns || row < rows && scores[at(row + 1, column)] >= scores[at(row, column + 1)] {
                gap.removed.append(row)
                row += 1
            } else {
                gap.added.append(column)
                column += 1
            }
        }
        close(&gap, one, two)
    }

    /// The similarity of two elements; 0 if they can't correspond.
    private func score(_ one: Element, _ two: Element) -> Int {
        let hasSameShape = one.shape != nil && one.shape == two.shape
        guard let left = one.part, let right = two.part else {
            return one.value == two.value ? 8 : hasSameShape ? 7 : 1
        }
        guard left.noun == right.noun, left.name == right.name else { return 0 }
        var score = 4
        if left.variable != nil || right.variable != nil { score += left.variable == right.variable ? 8 : -2 }
        if let route = one.route, let other = two.route { score += route == other ? 4 : -2 }
        if let row = one.row, row == two.row { score += 2 }
        if one.value == two.value {
            score += 6
        } else if hasSameShape {
            score += 5
        } else if left.title == right.title {
            score += 4
        }
        return score
    }

    /// Aligns the elements between two matches: as many as possible count as changed in kind.
    private mutating func close(_ gap: inout (removed: [Int], added: [Int]), _ one: [Element], _ two: [Element]) {
        defer { gap = ([], []) }
        // A list made from data has as many rows as there is data, possibly none.
        func isRow(_ element: Element, of others: [Element], beside own: [Element]) -> Bool {
            guard let row = element.row else { return false }
            return others.contains { $0.row == row } || own.count { $0.row == row } > 1
        }
        let removed = gap.removed.filter { !isRow(one[$0], of: two, beside: one) }
        let added = gap.added.filter { !isRow(two[$0], of: one, beside: two) }
        let both = min(removed.count, added.count)
        for index in 0..<both { steps.append(.both(removed[index], added[index])) }
        for index in removed.dropFirst(both) { steps.append(.removed(index)) }
        for index in added.dropFirst(both) { steps.append(.added(index)) }
    }
}

extension JSONValue {
    /// The value without ids and numbers in its texts.
    var shape: JSONValue {
        mapTexts { text in
            guard text.contains(where: \.isNumber) else { return text }
            let words = text.split { $0 == " " || $0 == "/" }
            return words.map { $0.contains(where: \.isNumber) ? "*" : String($0) }.joined(separator: " ")
        }
    }
}
