/// Decodes deflate data (RFC 1951) with separate code, slowly, so that no mistake in the server's use of zlib cancels itself
/// out.
public struct ReferenceInflater {
    /// The reason why bytes can't be decoded.
    public enum Failure: Error, Equatable {
        /// They end in the middle.
        case endsEarly
        /// They are something else.
        case malformed(String)
    }

    private struct Code {
        /// The number of symbols for each length of a code in bits.
        var counts = [Int](repeating: 0, count: 16)
        /// The symbols in the order of their codes.
        var symbols: [Int] = []

        init(_ lengths: [Int]) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            for length in 1...15 {
                for symbol in lengths.indices where lengths[symbol] == length { symbols.append(symbol) }
            }
        }
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12_289, 16_385, 24_577,
    ]

    private let input: [UInt8]
    private var place: Int
    private var bit = 0
    private var output: [UInt8] = []

    private init(_ input: [UInt8], from place: Int) {
        self.input = input
        self.place = place
    }

    /// The content of one member of gzip, with nothing after it.
    public static func gunzip(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        var inflater = ReferenceInflater(bytes, from: try contentOfGzip(bytes))
        try inflater.inflate()
        let trailer = inflater.rest
        guard trailer.count == 8 else { throw .malformed("\(trailer.count) bytes after the data, not 8") }
        let checksum = trailer.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        let size = trailer.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        guard checksum == crc32(inflater.output) else { throw .malformed("a wrong checksum") }
        guard size == UInt32(truncatingIfNeeded: inflater.output.count) else { throw .malformed("a wrong length") }
        return inflater.output
    }

    /// The content of zlib data, with nothing after it.
    public static func inflate(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        guard bytes.count > 2, bytes[0] == 0x78, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0, bytes[1] & 0x20 == 0
        else {
            throw .malformed("not zlib's head")
        }
        var inflater = ReferenceInflater(bytes, from: 2)
        try inflater.inflate()
        guard inflater.rest.count == 4 else { throw .malformed("\(inflater.rest.count) bytes after the data, not 4") }
        guard inflater.rest.reduce(0, { $0 << 8 | UInt32($1) }) == adler32(inflater.output) else {
            throw .malformed("a wrong checksum")
        }
        return inflater.output
    }

    /// The content of gzip data that may not be complete yet, as far as a client can read it.
    public static func gunzip(beginning bytes: [UInt8]) throws(Failure) -> [UInt8] {
        var inflater = ReferenceInflater(bytes, from: try contentOfGzip(bytes))
        do {
            try inflater.inflate()
        } catch .endsEarly {}
        return inflater.output
    }

    private static func contentOfGzip(_ bytes: [UInt8]) throws(Failure) -> Int {
        guard bytes.count >= 10 else { throw .endsEarly }
        guard bytes.starts(with: [0x1F, 0x8B, 8, 0]) else { throw .malformed("not the plain head of gzip") }
        return 10
    }

    /// The bytes that follow those that were read.
    private var rest: ArraySlice<UInt8> { input[(bit == 0 ? place : place + 1)...] }

    private mutating func inflate() throws(Failure) {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try copyStored()
            case 1:
                let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
                try decode(Code(lengths), Code([Int](repeating: 5, count: 30)))
            case 2: try decodeWithOwnCodes()
            default: throw .malformed("a block of no type")
            }
        }
    }

    private mutating func copyStored() throws(Failure) {
        if bit > 0 { (bit, place) = (0, place + 1) }
        guard input.count >= place + 4 else { throw .endsEarly }
        let count = Int(input[place]) | Int(input[place + 1]) << 8
        guard count ^ 0xFFFF == Int(input[place + 2]) | Int(input[place + 3]) << 8 else {
            throw .malformed("a stored block of two lengths")
        }
        place += 4
        output += input[place..<min(input.count, place + count)]
        guard input.count >= place + count else { throw .endsEarly }
        place += count
    }

    private mutating func decodeWithOwnCodes() throws(Failure) {
        let literals = try bits(5) + 257
        let distances = try bits(5) + 1
        let count = try bits(4) + 4
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var lengths = [Int](repeating: 0, count: 19)
        for place in order.prefix(count) { lengths[place] = try bits(3) }
        let code = Code(lengths)
        lengths = []
        while lengths.count < literals + distances {
            switch try symbol(of: code) {
            case 16:
                guard let last = lengths.last else { throw .malformed("nothing to repeat") }
                for _ in 0..<(try bits(2) + 3) { lengths.append(last) }
            case 17: for _ in 0..<(try bits(3) + 3) { lengths.append(0) }
            case 18: for _ in 0..<(try bits(7) + 11) { lengths.append(0) }
            case let length: lengths.append(length)
            }
        }
        guard lengths.count == literals + distances else { throw .malformed("too many lengths") }
        try decode(Code(Array(lengths[..<literals])), Code(Array(lengths[literals...])))
    }

    private mutating func decode(_ literals: Code, _ distances: Code) throws(Failure) {
        while true {
            let symbol = try symbol(of: literals)
            if symbol == 256 { return }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            guard symbol < 286 else { throw .malformed("a length of no meaning") }
            let extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4
            let length = Self.lengthBases[symbol - 257] + (try bits(extra))
            let place = try self.symbol(of: distances)
            guard place < 30 else { throw .malformed("a distance of no meaning") }
            let distance = Self.distanceBases[place] + (try bits(max(0, place / 2 - 1)))
            guard distance <= output.count else { throw .malformed("a distance beyond the beginning") }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    private mutating func symbol(of code: Code) throws(Failure) -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            value |= try bits(1)
            let count = code.counts[length]
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw .malformed("a code of no symbol")
    }

    private mutating func bits(_ count: Int) throws(Failure) -> Int {
        var value = 0
        for position in 0..<count {
            guard place < input.count else { throw .endsEarly }
            value |= Int(input[place] >> UInt8(bit) & 1) << position
            bit += 1
            if bit == 8 { (bit, place) = (0, place + 1) }
        }
        return value
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var table: [UInt32] = []
        for byte in 0..<UInt32(256) {
            var sum = byte
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
            table.append(sum)
        }
        var sum = UInt32.max
        for byte in bytes { sum = (sum >> 8) ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
        return ~sum
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
