/// How two texts differ, line by line.
///
/// ```
///   scroll
///     form
/// -     text "Hello"
/// +     text "Hello, Ann"
/// ```
public struct LineDifference: Equatable, Sendable, CustomStringConvertible {
    /// A line, with the texts that it is in.
    public enum Change: Equatable, Sendable {
        /// It is in both texts.
        case kept(String)
        /// It was expected, and is not there.
        case removed(String)
        /// It is there, and was not expected.
        case added(String)
    }

    /// The most lines of a text that are compared.
    private static let comparedLines = 1000
    /// How many lines are shown around those that differ.
    private static let context = 3

    /// All lines of both texts.
    public let changes: [Change]

    /// Compares two texts; nil where they are the same. Line breaks at the end don't count.
    public init?(from expected: String, to actual: String) {
        let (old, new) = (Self.lines(expected), Self.lines(actual))
        guard old != new else { return nil }
        changes = Self.changes(old, new)
    }

    /// The lines that differ, marked with `-` for what was expected and `+` for what is there, and some around them.
    public var description: String {
        let differing = changes.indices.filter { index in
            if case .kept = changes[index] { false } else { true }
        }
        var shown = [Bool](repeating: false, count: changes.count)
        for index in differing {
            for near in max(0, index - Self.context)...min(changes.count - 1, index + Self.context) {
                shown[near] = true
            }
        }
        var lines: [String] = []
        for (index, change) in changes.enumerated() {
            guard shown[index] else {
                if index == 0 || shown[index - 1] { lines.append("  ⋮") }
                continue
            }
            switch change {
            case .kept(let line): lines.append("  \(line)")
            case .removed(let line): lines.append("- \(line)")
            case .added(let line): lines.append("+ \(line)")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func lines(_ text: String) -> [Substring] {
        var lines = text.split(separator: "\n", maxSplits: comparedLines, omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// By the longest common subsequence, after equal lines at both ends have been set aside.
    private static func changes(_ old: [Substring], _ new: [Substring]) -> [Change] {
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        let (middleOld, middleNew) = (Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)]))
        return old[..<start].map { .kept(String($0)) } + middle(middleOld, middleNew)
            + old[(old.count - end)...].map { .kept(String($0)) }
    }

    private static func middle(_ old: [Substring], _ new: [Substring]) -> [Change] {
        // A row for each old line, and one more: how many lines the rests have in common.
        let width = new.count + 1
        var common = [Int32](repeating: 0, count: (old.count + 1) * width)
        for row in old.indices.reversed() {
            for column in new.indices.reversed() {
                common[row * width + column] =
                    old[row] == new[column]
                    ? common[(row + 1) * width + column + 1] + 1
                    : max(common[(row + 1) * width + column], common[row * width + column + 1])
            }
        }
        var changes: [Change] = []
        var (row, column) = (0, 0)
        while row < old.count || column < new.count {
            if row < old.count, column < new.count, old[row] == new[column] {
                changes.append(.kept(String(old[row])))
                (row, column) = (row + 1, column + 1)
            } else if column == new.count
                || row < old.count && common[(row + 1) * width + column] >= common[row * width + column + 1]
            {
                changes.append(.removed(String(old[row])))
                row += 1
            } else {
                changes.append(.added(String(new[column])))
                column += 1
            }
        }
        return changes
    }
}
