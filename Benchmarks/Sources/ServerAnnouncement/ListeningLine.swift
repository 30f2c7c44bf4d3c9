import Glibc

/// The one line that a measured server prints on standard output as soon as it accepts connections.
///
/// Without Foundation, whose loading would count as the time that a server takes to start.
public enum ListeningLine {
    private static let start = "listening on http://127.0.0.1:"

    /// The line for a server on `port`, without a line feed.
    public static func text(port: Int) -> String {
        "\(start)\(port)/"
    }

    /// The port that `line` names; nil if it is another line.
    public static func port(in line: some StringProtocol) -> Int? {
        guard line.hasPrefix(start), line.hasSuffix("/") else { return nil }
        return UInt16(line.dropFirst(start.count).dropLast()).map(Int.init)
    }

    /// Prints the line at once, also when standard output is a pipe.
    public static func announce(port: Int) {
        print(text(port: port))
        fflush(nil)
    }
}
