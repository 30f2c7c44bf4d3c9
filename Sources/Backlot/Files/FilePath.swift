/// The way from a folder to a file in it, out of the path of a request.
///
/// It consists of plain names: none is empty, none begins with a dot (so `.` and `..` can't occur), and none holds a character
/// that another system takes for a separator.
package struct FilePath: Equatable {
    /// The names, with slashes between them; empty for the folder itself.
    package let name: String
    /// Whether it ends in a slash, and so means a folder.
    package let meansFolder: Bool

    /// Reads the path of a request.
    ///
    /// - Parameters:
    ///   - path: percent-encoded, as it was sent.
    ///   - prefix: the path that the folder stands for, without a slash at its end: empty for `/`.
    /// - Returns: nil when it isn't below the prefix, or no file can be meant by it.
    package init?(_ path: String, below prefix: String) {
        var path = path
        if path.utf8.contains(UInt8(ascii: "%")) {
            guard let decoded = Self.decode(path) else { return nil }
            path = decoded
        }
        // Bytes, not characters: strings are equal when they look the same, and files aren't.
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        var rest = path.utf8.dropFirst(prefix.utf8.count)
        if rest.isEmpty {
            // The path that the folder stands for, without a slash.
            (name, meansFolder) = ("", false)
            return
        }
        guard rest.popFirst() == UInt8(ascii: "/") else { return nil }
        if rest.isEmpty {
            (name, meansFolder) = ("", true)
            return
        }
        meansFolder = rest.last == UInt8(ascii: "/")
        if meansFolder { rest = rest.dropLast() }
        guard Self.isPlain(rest) else { return nil }
        name = String(Substring(rest))
    }

    /// Decodes once, segment by segment: a slash that was encoded would be one that separates nothing, and no name has one.
    private static func decode(_ path: String) -> String? {
        guard let names = PathSegments.of(path), !names.contains(where: { $0.utf8.contains(UInt8(ascii: "/")) }) else {
            return nil
        }
        return "/" + names.joined(separator: "/")
    }

    private static func isPlain(_ names: Substring.UTF8View) -> Bool {
        var isFirst = true
        for byte in names {
            switch byte {
            case UInt8(ascii: "/"):
                if isFirst { return false }
                isFirst = true
            case UInt8(ascii: "."):
                if isFirst { return false }
            // A backslash separates names for some clients, proxies and systems. NUL ends a path for all of them.
            case UInt8(ascii: "\\"), 0: return false
            default: isFirst = false
            }
        }
        return !isFirst
    }

    /// Whether a text can be one of the names.
    static func isPlainName(_ name: String) -> Bool {
        isPlain(name[...].utf8) && !name.utf8.contains(UInt8(ascii: "/"))
    }
}
