/// Media types, by patterns: `application/json` is itself, `text/*` all of a type, `*+json` all with a suffix (RFC 6838,
/// section 4.2.8).
struct MediaTypeSet: Sendable {
    private enum Pattern: Sendable {
        case whole([UInt8])
        case beginning([UInt8])
        case ending([UInt8])
    }

    private let patterns: [Pattern]

    /// A pattern of another form stops the program.
    init(_ patterns: [String]) {
        self.patterns = patterns.map { pattern in
            let text = Array(pattern.lowercased().utf8)
            let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 2, !parts.contains(where: \.isEmpty) {
                if !pattern.contains("*") { return .whole(text) }
                if parts[1] == "*", !parts[0].contains("*") { return .beginning(Array(text.dropLast())) }
            } else if pattern.hasPrefix("*+"), pattern.count > 2, parts.count == 1 {
                return .ending(Array(text.dropFirst()))
            }
            preconditionFailure(
                "'\(pattern)' isn't a pattern of media types: write one such as text/*, *+json or image/bmp"
            )
        }
    }

    /// Whether a Content-Type is in the set; its parameters and letter case say nothing about that.
    func contains(_ contentType: String) -> Bool {
        let bytes = contentType.utf8.span
        var end = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: ";"), bytes[end] > UInt8(ascii: " ") { end += 1 }
        let type = bytes.extracting(..<end)
        return patterns.contains { pattern in
            switch pattern {
            case .whole(let text): type.count == text.count && Self.equal(type, from: 0, text)
            case .beginning(let text): type.count > text.count && Self.equal(type, from: 0, text)
            case .ending(let text): type.count > text.count && Self.equal(type, from: type.count - text.count, text)
            }
        }
    }

    private static func equal(_ type: Span<UInt8>, from start: Int, _ text: [UInt8]) -> Bool {
        for offset in text.indices {
            guard ASCII.lowercased(type[start + offset]) == text[offset] else { return false }
        }
        return true
    }
}
