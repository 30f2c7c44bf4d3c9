/// Places in stored JSON that are filled in for each answer. They are noncharacters of Unicode, which no text has (Unicode
/// Standard, section 23.7), so that what is stored is JSON all the same.
enum WireMark {
    /// The app's address, without a slash at its end.
    static let base = mark(0)
    /// Before three alternatives, for iPad, iPhone 4 and other devices.
    static let open = mark(1)
    /// Between alternatives.
    static let separator = mark(2)
    /// After alternatives.
    static let close = mark(3)
    /// What relative URLs are resolved against, where they may not stay relative.
    static let folder = mark(4)
    /// The language of the answer.
    static let language = mark(5)

    /// Swift has no literals of noncharacters.
    private static func mark(_ number: UInt8) -> String {
        String(decoding: [head.0, head.1, firstByte + number], as: UTF8.self)
    }

    /// Whether a scalar is a mark.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool { (0xFDD0..<0xFDD0 + UInt32(count)).contains(scalar.value) }

    /// The bytes that all marks begin with.
    static let head: (UInt8, UInt8) = (0xEF, 0xB7)
    /// The last byte of the first mark; those of the others follow.
    static let firstByte: UInt8 = 0x90
    /// How many marks there are.
    static let count: UInt8 = 6
}

extension String {
    /// The text without the marks, which mean something else.
    var unmarked: String {
        guard unicodeScalars.contains(where: WireMark.isMark) else { return self }
        var text = ""
        text.unicodeScalars.append(contentsOf: unicodeScalars.filter { !WireMark.isMark($0) })
        return text
    }
}
