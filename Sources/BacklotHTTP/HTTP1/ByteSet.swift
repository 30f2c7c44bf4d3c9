/// A set of ASCII characters, as a bit for each: to ask whether a byte is one of them takes the same few instructions
/// whichever they are.
struct ByteSet: Sendable {
    /// The characters below 64, and those from 64 to 127.
    private let low: UInt64
    private let high: UInt64

    /// Letters, digits and ``!#$%&'*+-.^_`|~``: the characters of a token (RFC 9110, section 5.6.2).
    static let token = ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)

    /// Letters, digits and `!$&'()*+,-./:;=@_~`: what stands for itself in a path and in a query (RFC 3986, sections 3.3 and
    /// 3.4). The question mark, which ends a path, and the percent sign are left out.
    static let pathOrQuery = ByteSet(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

    /// Letters, digits and `!$&'()*+-.;=_~`: the characters of a registered name or IPv4 address (RFC 3986, section 3.2.2),
    /// without two that no real host has: the percent sign, and the comma, which would make a list of it.
    static let host = ByteSet(low: 0x2BFF_6FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }
}

extension Span where Element == UInt8 {
    /// The end of the run of characters of a set that begins at `start`: at most `end`.
    @inline(__always)
    func endOfRun(of set: ByteSet, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, set.contains(self[index]) { index += 1 }
        return index
    }
}
