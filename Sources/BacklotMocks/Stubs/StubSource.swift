/// Where a stub is from.
public enum StubSource: Sendable, Hashable, CustomStringConvertible {
    /// A file, by its path below the routes' folder, and the line at which the stub begins.
    case file(String, line: Int)
    /// It was added while the server ran.
    case runTime

    /// `users/[id].get.yaml:3`, or `added at run time`.
    public var description: String {
        switch self {
        case .file(let path, let line): "\(path):\(line)"
        case .runTime: "added at run time"
        }
    }

    var isFile: Bool { self != .runTime }
}
