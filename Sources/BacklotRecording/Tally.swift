/// Counts equal things, in the order in which they were met first.
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

    /// The first of those that were met most.
    var mostFrequent: Element? {
        let most = counts.map(\.count).max()
        return counts.first { $0.count == most }?.element
    }
}

extension Tally: Sendable where Element: Sendable {}

extension Tally<String> {
    /// A line for each, with its number from 2 on.
    var lines: [String] { counts.map { $0.count > 1 ? "\($0.element) (\($0.count) times)" : $0.element } }
}

/// Gives equal things one number, from 0 on, in the order in which they were met first.
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
