internal import BacklotJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the URLs on a page like clients: with Foundation's `URL`, as this module does, so that the results are identical.
///
/// Clients on iOS before 17 can't read URLs with characters that need percent-encoding.
enum ClientURL {
    /// The target of a URL that clients build from the app's base URL and a path on the page.
    enum Place {
        case inside
        case outside
        /// It is absolute, and the app's base URL isn't known.
        case unknown
        /// The text can't be read as a URL.
        case unreadable
    }

    /// Stands for a base URL that isn't known.
    private static let unknownBase = "http://base.invalid/app/"

    /// Whether clients can read a text as a URL.
    static func isReadable(_ text: String) -> Bool {
        if !text.isEmpty, isPlainPath(text) { return true }
        return URL(string: text) != nil && !hasBadHost(text)
    }

    /// Whether a text is a path that needs no parser: most are.
    private static func isPlainPath(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            byte.isLetter || byte.isDigit || "/-_.~".utf8.contains(byte)
        }
    }

    /// Whether the host has a blank, which can't be encoded, or an open bracket.
    private static func hasBadHost(_ text: String) -> Bool {
        guard let slashes = text.firstRange(of: "//"), text[..<slashes.lowerBound].last.map({ $0 == ":" }) ?? true
        else {
            return false
        }
        let host = text[slashes.upperBound...].prefix { !"/?#".contains($0) }
        return host.contains(where: \.isWhitespace) || host.contains("[") && !host.contains("]")
    }

    /// The target of rpcs and uploads: clients remove a slash from the beginning, and put the base URL before the rest.
    ///
    /// - Parameter base: the app's base URL, with a slash at its end; nil if unknown.
    static func place(of text: String, base: String?) -> Place {
        let relative = text.hasPrefix("/") ? String(text.dropFirst()) : text
        if relative.isEmpty || isPlainPath(relative), !relative.hasPrefix("/"), !relative.contains("..") {
            return .inside
        }
        guard let base = URL(string: base ?? unknownBase), let url = URL(string: relative, relativeTo: base),
            !hasBadHost(relative)
        else { return .unreadable }
        // Clients leave the base's last slash out, so that `/travels/x` counts as inside of `/travel/`.
        if url.absoluteString.hasPrefix(base.path == "/" ? base.absoluteString : "\(base.absoluteString.dropLast())") {
            return .inside
        }
        let isWeb = ["http:", "https:"].contains(where: text.lowercased().hasPrefix)
        return base.absoluteString == unknownBase && isWeb ? .unknown : .outside
    }

    /// The same URL with percent-encoding where needed; nil for a URL that is already encoded or can't be read.
    static func encoded(_ text: String) -> String? {
        guard !isPlainPath(text), let url = URL(string: text), url.absoluteString != text else { return nil }
        return url.absoluteString
    }

    /// Whether clients take the beginning of a path for the scheme of a URL: `/8:30`, `a:b`, but not `/x/8:30`.
    static func hasColonInFirstSegment(_ path: String) -> Bool {
        path.drop { $0 == "/" }.prefix { !"/?#".contains($0) }.contains(":")
    }
}

extension String {
    /// The part before the query and the fragment.
    var beforeQuery: String {
        String(prefix { $0 != "?" && $0 != "#" })
    }

    /// Whether the URL begins with a scheme and a colon (RFC 3986, section 3.1).
    var hasScheme: Bool {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first = utf8.first, first.isLetter else {
            return false
        }
        return utf8[..<colon].allSatisfy { byte in
            byte.isLetter || byte.isDigit || "+-.".utf8.contains(byte)
        }
    }
}
