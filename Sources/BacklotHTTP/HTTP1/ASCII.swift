internal import BacklotJSON

/// Bytes of HTTP/1.1's grammar, and the classes that RFC 9110 and RFC 3986 sort them into.
@usableFromInline package enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let percent = UInt8(ascii: "%")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let question = UInt8(ascii: "?")
    static let comma = UInt8(ascii: ",")

    static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// The lower case of a letter; other bytes don't change.
    @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// The value of a hexadecimal digit, or nil.
    package static func hexadecimal(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - UInt8(ascii: "0") }
        let lowercased = byte | 0x20
        guard lowercased >= UInt8(ascii: "a"), lowercased <= UInt8(ascii: "f") else { return nil }
        return lowercased - UInt8(ascii: "a") + 10
    }

    /// The upper-case hexadecimal digit of a number below 16.
    static func hexadecimalDigit(_ number: UInt8) -> UInt8 {
        number + (number < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }

    /// A control byte that may stand nowhere in a head: all but the tab, and DEL (RFC 9110, section 5.5).
    static func isForbiddenControl(_ byte: UInt8) -> Bool {
        (byte < space && byte != tab) || byte == 0x7F
    }

    @inlinable package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension Span where Element == UInt8 {
    /// Whether the bytes of `range` equal `text`, ignoring letter case. `text` is in lower case.
    @inline(__always)
    func equals(_ range: Range<Int>, ignoringCase text: StaticString) -> Bool {
        // Most texts differ in length, which ends the comparison without a call.
        range.count == text.utf8CodeUnitCount && equals(range.lowerBound, text, ignoringCase: true)
    }

    /// Whether the bytes of `range` equal `text`.
    @inline(__always)
    func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
        range.count == text.utf8CodeUnitCount && equals(range.lowerBound, text, ignoringCase: false)
    }

    /// Whether the eight bytes from `start` on equal `text`, with the first byte in the lowest bits.
    @inline(__always)
    func equals(_ start: Int, eightBytes text: UInt64) -> Bool { eightBytes(from: start) == text }

    private func equals(_ start: Int, _ text: StaticString, ignoringCase: Bool) -> Bool {
        for offset in 0..<text.utf8CodeUnitCount {
            let byte = self[start + offset]
            let isCapital = ignoringCase && byte >= 0x41 && byte <= 0x5A
            guard unsafe (isCapital ? byte | 0x20 : byte) == text.utf8Start[offset] else { return false }
        }
        return true
    }

    /// Whether the bytes of `range` equal those of `other`, eight at a time.
    package func equals(_ range: Range<Int>, _ other: Span<UInt8>) -> Bool {
        guard range.count == other.count else { return false }
        var index = 0
        while index + 8 <= other.count {
            guard eightBytes(from: range.lowerBound + index) == other.eightBytes(from: index) else { return false }
            index += 8
        }
        while index < other.count, self[range.lowerBound + index] == other[index] { index += 1 }
        return index == other.count
    }

    /// Whether the bytes of `range` equal those of `other`, ignoring letter case.
    func equals(_ range: Range<Int>, ignoringCaseOf other: Span<UInt8>) -> Bool {
        guard range.count == other.count else { return false }
        for index in 0..<other.count
        where ASCII.lowercased(self[range.lowerBound + index]) != ASCII.lowercased(other[index]) { return false }
        return true
    }

    /// The index of the first control byte from `start` on that is forbidden in a head; `count` if all bytes are
    /// allowed.
    func firstForbiddenControl(from start: Int) -> Int {
        var index = start
        while index < count {
            // Eight bytes at a time, as long as all are at least a space and not DEL: going byte by byte takes half of
            // a head's instructions.
            if index + 8 <= count {
                let word = eightBytes(from: index)
                let ones: UInt64 = 0x0101_0101_0101_0101
                let tops = ones &* 0x80
                // The top bit of a byte is set when the byte is small. It may also be set in bytes above the first such
                // byte.
                let controls = word &- ones &* 0x20
                let deletions = (word ^ ones &* 0x7F) &- ones
                let found = (controls | deletions) & ~word & tops
                guard found != 0 else {
                    index += 8
                    continue
                }
                index += found.trailingZeroBitCount / 8
            }
            if ASCII.isForbiddenControl(self[index]) { return index }
            index += 1
        }
        return count
    }

    /// Traps when out of bounds. Any eight bytes are a valid UInt64; the first byte is the lowest.
    private func eightBytes(from index: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// `range` without the spaces and tabs at its ends (OWS, RFC 9110, section 5.6.3).
    @inlinable package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, ASCII.isBlank(self[lower]) { lower += 1 }
        while upper > lower, ASCII.isBlank(self[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// Whether two hexadecimal digits follow the percent sign at `index`.
    func isEscape(at index: Int, before end: Int) -> Bool {
        index + 2 < end && ASCII.hexadecimal(self[index + 1]) != nil && ASCII.hexadecimal(self[index + 2]) != nil
    }

    /// The value of the bytes of `range` as plain decimal digits; nil for other text and on overflow.
    func decimal(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        var number = 0
        for index in range {
            guard ASCII.isDigit(self[index]) else { return nil }
            let (tens, tooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(Int(self[index] - UInt8(ascii: "0")))
            guard !tooLarge, !overflows else { return nil }
            number = sum
        }
        return number
    }

    /// The bytes of `range` as text; invalid UTF-8 and too many combining marks become U+FFFD.
    package func string(_ range: Range<Int>) -> String {
        let text = unsafe extracting(range).withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        return text.withFewMarks
    }
}

/// A set of ASCII characters, one bit each: testing a byte takes the same few instructions for every set.
struct ByteSet: Sendable {
    /// The characters below 64, and those from 64 to 127.
    private let low: UInt64
    private let high: UInt64

    /// Letters, digits and ``!#$%&'*+-.^_`|~``: the characters of a token (RFC 9110, section 5.6.2).
    static let token = ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)

    /// Letters, digits and `!$&'()*+,-./:;=@_~`: the characters that stand for themselves in a path and in a query (RFC
    /// 3986, sections 3.3 and 3.4). The question mark, which ends a path, and the percent sign are left out.
    static let pathOrQuery = ByteSet(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

    /// ``[]{}|^\` ``: characters that clients leave raw in paths and queries, against RFC 3986.
    static let raw = ByteSet(low: 0, high: 0x3800_0001_7800_0000)
    /// `"<>`: characters that some clients also leave raw in queries.
    static let rawInQuery = ByteSet(low: 0x5000_0004_0000_0000, high: 0)

    /// Letters, digits and `!$&'()*+-.;=_~`: the characters of a registered name or IPv4 address (RFC 3986, section
    /// 3.2.2). Two characters that real hosts never have are left out: the percent sign, and the comma, which would
    /// turn the host into a list.
    static let host = ByteSet(low: 0x2BFF_6FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
    }
}

extension Span where Element == UInt8 {
    /// The end of the run of characters of a set that begins at `start`; at most `end`.
    @inline(__always)
    func endOfRun(of set: ByteSet, from start: Int, to end: Int) -> Int {
        // Checks the bounds once here instead of for each byte.
        precondition(start >= 0 && end <= count)
        var index = start
        while index < end, set.contains(unsafe self[unchecked: index]) { index &+= 1 }
        return index
    }
}
