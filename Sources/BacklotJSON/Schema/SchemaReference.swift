/// An address of a schema, split into its parts (RFC 3986, section 3).
struct SchemaReference {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    init(_ text: String) {
        var rest = text[...]
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
            scheme = String(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            let start = rest.index(rest.startIndex, offsetBy: 2)
            let end = rest[start...].firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[start..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    /// The address of this reference in a document with the address `base` (RFC 3986, section 5.2.2).
    func resolved(in base: SchemaReference) -> SchemaReference {
        var result = self
        guard scheme == nil else { return result }
        result.scheme = base.scheme
        guard authority == nil else { return result }
        result.authority = base.authority
        if path.isEmpty {
            result.path = base.path
            result.query = query ?? base.query
        } else if !path.hasPrefix("/") {
            let folder = base.path.lastIndex(of: "/").map { base.path[...$0] }
            result.path = "\(folder ?? (base.authority == nil ? "" : "/"))\(path)"
        }
        if result.path.contains(".") { result.path = Self.withoutDots(result.path) }
        return result
    }

    /// RFC 3986, section 5.2.4.
    private static func withoutDots(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 || kept.first.map({ !$0.isEmpty }) == true { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }

    /// The address without its fragment.
    var document: String {
        var text = scheme.map { "\($0):" } ?? ""
        if let authority { text += "//\(authority)" }
        text += path
        if let query { text += "?\(query)" }
        return text
    }

    /// The fragment without percent-encoding; nil if that isn't a text.
    var plainFragment: String? {
        guard let fragment else { return "" }
        let parts = fragment.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        for part in parts.dropFirst() {
            let digits = part.prefix(2)
            guard digits.count == 2, digits.allSatisfy(\.isHex), let value = UInt8(Substring(digits), radix: 16) else {
                return nil
            }
            bytes.append(value)
            bytes += part.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
