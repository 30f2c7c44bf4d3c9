/// The difference between two texts, line by line.
///
/// ```
///   scroll
///     form
/// -     text "Hello"
/// +     text "Hello, Ann"
/// ```
public struct LineDifference: Equatable, Sendable, CustomStringConvertible {
    /// A line, and the texts that contain it.
    public enum Change: Equatable, Sendable {
        /// The line is in both texts.
        case kept(String)
        /// The line is in the expected text only.
        case removed(String)
        /// The line is in the actual text only.
        case added(String)
    }

    /// The maximum number of lines to compare of each text.
    private static let comparedLines = 1000
    /// The number of unchanged lines shown around each change.
    private static let context = 3

    /// All lines of both texts.
    public let changes: [Change]

    /// Compares two texts; nil if they are equal. Line breaks at the end don't count.
    public init?(from expected: String, to actual: String) {
        let (old, new) = (Self.lines(expected), Self.lines(actual))
        guard old != new else { return nil }
        changes = Self.changes(old, new)
    }

    /// The changed lines, with a few lines around them: `-` marks a line of the expected text, `+` a line of the actual one.
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

    /// Marks each line as kept, removed or added. A removed line comes before the line that replaces it.
    private static func changes(_ old: [Substring], _ new: [Substring]) -> [Change] {
        let difference = new.difference(from: old)
        var lines = old.map { Change.kept(String($0)) }
        for case .remove(let index, let line, _) in difference.removals { lines[index] = .removed(String(line)) }
        var changes: [Change] = []
        var added = difference.insertions[...]
        /// The index of the next line of the new text.
        var number = 0
        func addNext() {
            while case .insert(number, let line, _)? = added.first {
                changes.append(.added(String(line)))
                added.removeFirst()
                number += 1
            }
        }
        for line in lines {
            if case .kept = line {
                addNext()
                number += 1
            }
            changes.append(line)
        }
        addNext()
        return changes
    }
}
