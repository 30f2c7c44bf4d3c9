/// A QR code (ISO/IEC 18004) of a short text, such as a URL, for terminals: bytes, at error correction level M, in
/// versions 1 to 6.
struct QRCode {
    /// How many modules a side has.
    let size: Int
    /// The modules, row by row: true for dark.
    private(set) var modules: [Bool]
    /// Those that belong to patterns rather than to data.
    private var isFixed: [Bool]

    /// For each version: the codewords of error correction of a block, the data codewords of a block, and the blocks
    /// (table 9).
    private static let versions = [(10, 16, 1), (16, 28, 1), (26, 44, 1), (18, 32, 2), (24, 43, 2), (16, 27, 4)]

    /// The code of a text; nil when the text has more than 106 bytes in UTF-8.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        // Before the bytes come four bits of the mode and eight of their number.
        guard let version = Self.versions.firstIndex(where: { $0.1 * $0.2 >= bytes.count + 2 }) else { return nil }
        let codewords = Self.codewords(bytes, Self.versions[version])
        var best: (penalty: Int, code: QRCode)?
        for mask in 0..<8 {
            let code = QRCode(codewords, version: version + 1, mask: mask)
            let penalty = QRPenalty.penalty(of: code)
            if best.map({ penalty < $0.penalty }) ?? true { best = (penalty, code) }
        }
        guard let best else { return nil }
        self = best.code
    }

    /// Whether the module in a row and a column is dark.
    subscript(row: Int, column: Int) -> Bool { modules[row * size + column] }

    // MARK: Codewords

    /// The blocks' codewords in turn, and then those of their error correction.
    private static func codewords(_ bytes: [UInt8], _ version: (correction: Int, data: Int, blocks: Int)) -> [UInt8] {
        let count = version.data * version.blocks
        var data: [UInt8] = []
        // The mode's four bits move all bytes by half a one.
        var previous: UInt8 = 0b0100
        for byte in [UInt8(bytes.count)] + bytes + [0] {
            data.append(previous << 4 | byte >> 4)
            previous = byte & 0x0F
        }
        data = Array(data.prefix(count))
        while data.count < count { data.append((data.count - bytes.count).isMultiple(of: 2) ? 0xEC : 0x11) }
        let blocks = (0..<version.blocks).map { Array(data[($0 * version.data)..<(($0 + 1) * version.data)]) }
        let corrections = blocks.map { correction(of: $0, count: version.correction) }
        return [blocks, corrections].flatMap { lists in
            lists[0].indices.flatMap { index in lists.map { $0[index] } }
        }
    }

    /// A product in the field of 256 elements, by the polynomial x⁸ + x⁴ + x³ + x² + 1.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x1D
            if right >> bit & 1 == 1 { result ^= left }
        }
        return result
    }

    /// The rest of the division by the generator polynomial (Reed–Solomon).
    private static func correction(of block: [UInt8], count: Int) -> [UInt8] {
        var generator: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            var next = generator + [0]
            for (index, factor) in generator.enumerated() { next[index + 1] ^= product(factor, root) }
            generator = next
            root = product(root, 2)
        }
        var rest = [UInt8](repeating: 0, count: count)
        for codeword in block {
            let factor = codeword ^ rest.removeFirst()
            rest.append(0)
            for index in 0..<count { rest[index] ^= product(generator[index + 1], factor) }
        }
        return rest
    }

    // MARK: Modules

    private init(_ codewords: [UInt8], version: Int, mask: Int) {
        size = 17 + 4 * version
        modules = [Bool](repeating: false, count: size * size)
        isFixed = modules
        putPatterns(version)
        putFormat(mask)
        put(codewords, mask)
    }

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        modules[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    /// The squares in three corners, the smaller one of versions from 2 on, and the dotted lines (section 6.3).
    private mutating func putPatterns(_ version: Int) {
        for index in 0..<size {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { putRings(row, column, 4) { $0 != 2 && $0 != 4 } }
        if version > 1 { putRings(size - 7, size - 7, 2) { $0 != 1 } }
    }

    private mutating func putRings(_ row: Int, _ column: Int, _ reach: Int, _ isDark: (Int) -> Bool) {
        for y in -reach...reach {
            for x in -reach...reach { set(row + y, column + x, isDark(max(abs(y), abs(x)))) }
        }
    }

    /// Level M and the mask, with their BCH code, twice (section 7.9).
    private mutating func putFormat(_ mask: Int) {
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        for index in 0..<15 {
            let bit = bits >> index & 1 == 1
            // Around the first corner, past the dotted lines.
            if index < 8 {
                set(index < 6 ? index : index + 1, 8, bit)
                set(8, size - 1 - index, bit)
            } else {
                set(8, index == 8 ? 7 : 14 - index, bit)
                set(size - 15 + index, 8, bit)
            }
        }
        set(size - 8, 8, true)
    }

    /// The codewords, in columns of two from the right, up and down in turn (section 7.7.3).
    private mutating func put(_ codewords: [UInt8], _ mask: Int) {
        var index = 0
        var isUpward = true
        // The dotted line's column holds nothing else.
        for right in Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] {
                    let bit = index < 8 * codewords.count && codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    index += 1
                    modules[row * size + column] = bit != Self.isInverted(row, column, mask)
                }
            }
            isUpward.toggle()
        }
    }

    /// The masks (table 10).
    private static func isInverted(_ row: Int, _ column: Int, _ mask: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    // MARK: Terminals

    /// The code as lines of a terminal, two rows in each, with the light margin that readers need.
    ///
    /// - Parameter colors: whether to set black and white, so that it looks the same on every terminal. Without, light
    ///   modules have the colour of the text.
    func lines(colors: Bool) -> [String] {
        let margin = 4
        let isLight = { (row: Int, column: Int) in
            let isInside = (0..<size).contains(row) && (0..<size).contains(column)
            return !isInside || !self[row, column]
        }
        return stride(from: -margin, to: size + margin, by: 2).map { row in
            let blocks = (-margin..<(size + margin)).map { column in
                switch (isLight(row, column), isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return colors ? "\u{1B}[97;40m\(blocks.joined())\u{1B}[0m" : blocks.joined()
        }
    }
}

/// How hard a code is to read (section 7.8.3): lower is better.
enum QRPenalty {
    static func penalty(of code: QRCode) -> Int {
        let indices = 0..<code.size
        let rows = indices.map { row in indices.map { code[row, $0] } }
        let columns = indices.map { column in indices.map { code[$0, column] } }
        var total = (rows + columns).reduce(0) { $0 + penalty(ofLine: $1) }
        for row in indices.dropFirst() {
            for column in indices.dropFirst() {
                let square = [rows[row - 1][column - 1], rows[row - 1][column], rows[row][column - 1]]
                if square.allSatisfy({ $0 == rows[row][column] }) { total += 3 }
            }
        }
        let dark = code.modules.count { $0 }
        return total + 10 * (abs(20 * dark - 10 * code.modules.count) / code.modules.count)
    }

    private static let likeCorners = ["10111010000", "00001011101"].map { $0.map { $0 == "1" } }

    /// Long runs of a colour, and what looks like a corner.
    private static func penalty(ofLine line: [Bool]) -> Int {
        var total = 0
        var run = 1
        for index in 1...line.count {
            if index < line.count, line[index] == line[index - 1] {
                run += 1
            } else {
                if run >= 5 { total += run - 2 }
                run = 1
            }
        }
        for start in 0...(line.count - 11) where likeCorners.contains(Array(line[start..<(start + 11)])) { total += 40 }
        return total
    }
}
