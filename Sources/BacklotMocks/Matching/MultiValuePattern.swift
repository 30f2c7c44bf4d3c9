/// A condition on all values of one name, such as those of a header field that is repeated or missing.
enum MultiValuePattern: Sendable {
    /// At least one value matches, or the pattern accepts that there is no value.
    case any(ContentPattern)
    /// Exactly these values, in any order.
    case hasExactly([ContentPattern])
    /// These values, and perhaps others.
    case includes([ContentPattern])

    init(_ field: LocatedValue, _ reading: inout MockReader) throws(StubProblem) {
        for key in ["hasExactly", "includes"] {
            guard let list = field[key] else { continue }
            try reading.refuse(field, but: [key])
            var patterns: [ContentPattern] = []
            for element in try list.elements() { patterns.append(try ContentPattern(element, &reading)) }
            self = key == "includes" ? .includes(patterns) : .hasExactly(patterns)
            return
        }
        self = .any(try ContentPattern(field, &reading))
    }

    func matches(_ values: [String], _ budget: inout MatchBudget) -> Bool {
        switch self {
        case .any(let pattern):
            values.isEmpty
                ? pattern.matches(.absent, &budget) : values.contains { pattern.matches(.text($0), &budget) }
        case .hasExactly(let patterns):
            values.count == patterns.count && Self.areIncluded(patterns, in: values, &budget)
        case .includes(let patterns): Self.areIncluded(patterns, in: values, &budget)
        }
    }

    private static func areIncluded(
        _ patterns: [ContentPattern],
        in values: [String],
        _ budget: inout MatchBudget
    ) -> Bool {
        var left = values
        return patterns.allSatisfy { pattern in
            guard let index = left.firstIndex(where: { pattern.matches(.text($0), &budget) }) else { return false }
            left.remove(at: index)
            return true
        }
    }

    /// The distance of values that don't match, from 0 to 1.
    func distance(from values: [String], _ budget: inout MatchBudget) -> Double {
        guard case .any(let pattern) = self, !values.isEmpty else { return 1 }
        return values.map { pattern.distance(from: .text($0), &budget) }.min() ?? 1
    }

    var expected: String {
        switch self {
        case .any(let pattern): "\(pattern)"
        case .hasExactly(let patterns): "exactly " + patterns.map(\.description).joined(separator: " and ")
        case .includes(let patterns): patterns.map(\.description).joined(separator: " and ")
        }
    }
}
