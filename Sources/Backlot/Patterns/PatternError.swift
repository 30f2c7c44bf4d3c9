/// Why a text can't be read as a pattern: what is wrong, and where.
package struct PatternError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    package let text: String
    /// The place in the pattern, in characters from 1.
    package let column: Int
    /// Whether it is in order elsewhere, as in Java, and is only not known here.
    package let isUnknownHere: Bool

    /// - Parameter offset: the place, in bytes from 0.
    init(_ text: String, at offset: Int, in source: String, isUnknownHere: Bool = false) {
        self.text = text
        self.isUnknownHere = isUnknownHere
        column = 1 + String(decoding: source.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count
    }

    /// `missing closing parenthesis, at character 3`.
    package var description: String { "\(text), at character \(column)" }
}
