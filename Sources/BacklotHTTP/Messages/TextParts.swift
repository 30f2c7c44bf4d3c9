extension Substring {
    /// The text without the blanks at both ends (RFC 9110, section 5.6.3).
    package var trimmed: Substring {
        var bytes = utf8
        while let first = bytes.first, ASCII.isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, ASCII.isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without white space and line breaks at both ends.
    package var withoutBlanks: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last].drop(while: \.isWhitespace))
    }

    /// The parts of a URL before and after its first `://`; nil without one.
    package var atScheme: (scheme: Substring, rest: Substring)? {
        firstRange(of: "://").map { (self[..<$0.lowerBound], self[$0.upperBound...]) }
    }
}

extension Sequence where Element == UInt8 {
    /// Two hexadecimal digits in lower case for each byte.
    package var hexadecimalText: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
