/// Counts equal elements, in the order of their first occurrences.
struct Tally<Element: Hashable> {
    private(set) var counts: [(element: Element, count: Int)] = []
    private var indexes: [Element: Int] = [:]

    mutating func add(_ element: Element) {
        if let index = indexes[element] {
            counts[index].count += 1
        } else {
            indexes[element] = counts.count
            counts.append((element, 1))
        }
    }

    /// The most frequent element; the first one if several are equally frequent.
    var mostFrequent: Element? {
        let most = counts.map(\.count).max()
        return counts.first { $0.count == most }?.element
    }
}

extension Tally: Sendable where Element: Sendable {}

extension Tally<String> {
    /// A line for each element, with its count if that is at least 2.
    var lines: [String] { counts.map { $0.count > 1 ? "\($0.element) (\($0.count) times)" : $0.element } }
}

/// Numbers distinct elements from 0, in the order of their first occurrences.
struct Numbering<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var numbers: [Element: Int] = [:]

    mutating func number(of element: Element) -> Int {
        if let number = numbers[element] { return number }
        numbers[element] = elements.count
        elements.append(element)
        return elements.count - 1
    }
}
