/// The limit of combining marks in a client's text.
///
/// Swift compares, hashes and splits texts in their normal form (Unicode Standard Annex #15). For that it sorts the marks after a
/// letter, in a time that rises with the square of their number. No language needs many: the annex's Stream-Safe Text Format has 30.
package enum CombiningMarks {
    /// The most marks in a row.
    package static let limit = 128
}

extension String {
    /// The number of bytes before the first mark beyond the limit; nil without one.
    var excessMark: Int? {
        // A mark takes at least two bytes.
        guard utf8.count > 2 * CombiningMarks.limit, !utf8Span.isKnownASCII else { return nil }
        var (offset, marks) = (0, 0)
        for scalar in unicodeScalars {
            marks = scalar.isMark ? marks + 1 : 0
            if marks > CombiningMarks.limit { return offset }
            offset += UTF8.width(scalar)
        }
        return nil
    }

    /// Whether there are more marks in a row than the limit.
    package var hasTooManyMarks: Bool { excessMark != nil }

    /// The text with U+FFFD in place of each mark beyond the limit, as in place of bytes that aren't UTF-8.
    package var withFewMarks: String {
        guard hasTooManyMarks else { return self }
        var (text, marks) = ("", 0)
        for scalar in unicodeScalars {
            marks = scalar.isMark ? marks + 1 : 0
            text.unicodeScalars.append(marks > CombiningMarks.limit ? "\u{FFFD}" : scalar)
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether normal forms reorder this character. U+0300 is the first one.
    fileprivate var isMark: Bool { value >= 0x300 && properties.canonicalCombiningClass != .notReordered }
}
