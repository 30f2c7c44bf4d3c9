/// The code for texts in header lists (RFC 7541, appendix B). It is canonical: the lengths say everything.
enum HuffmanCode {
    private static let lengths: [Int] = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
        28,
        28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6,
        12,
        10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5,
        6,
        5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22,
        22,
        22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21,
        20,
        22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22,
        23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26,
        28,
        27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27,
        28,
        27, 27, 27, 27, 27, 26, 30,
    ]

    /// Each symbol under its code, a 1 before the code's first bit. 256 is the end, which may not be there.
    private static let symbols: [UInt32: Int] = {
        var symbols: [UInt32: Int] = [:]
        var code: UInt32 = 0
        for length in 1...30 {
            code <<= 1
            for (symbol, own) in lengths.enumerated() where own == length {
                symbols[1 << UInt32(length) | code] = symbol
                code += 1
            }
        }
        return symbols
    }()

    static func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        var result: [UInt8] = []
        var code: UInt32 = 1
        for byte in bytes {
            for bit in (0..<8).reversed() {
                code = code << 1 | UInt32(byte >> UInt8(bit) & 1)
                guard let symbol = symbols[code] else { continue }
                guard symbol < 256 else { throw HPACKDecoder.Malformed() }
                result.append(UInt8(symbol))
                code = 1
            }
        }
        return result
    }
}
