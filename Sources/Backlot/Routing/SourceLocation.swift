/// Where in the source something was registered.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let file: String
    /// The line, from 1.
    public let line: Int

    /// A place in a file.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }
}
