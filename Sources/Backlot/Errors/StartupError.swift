/// Mistakes in what was registered, all at once: duplicate routes, malformed paths, folders that are not there.
public struct StartupError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and where, one mistake each.
    public let problems: [String]

    package init(problems: [String]) {
        self.problems = problems
    }

    /// All mistakes, one a line.
    public var description: String {
        let count = problems.count == 1 ? "a mistake" : "\(problems.count) mistakes"
        return "can't start, because of \(count):\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}
