internal import Backlot

/// The id of a stub: a UUID (RFC 9562).
public struct StubID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// A new id.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(high: generator.next(), low: generator.next(), version: 4)
    }

    /// The id of what a file says: the same each time the file is read.
    package init(name: String) {
        // FNV-1a twice, from two offsets. Names in files need no protection from collisions that are made on purpose.
        var (high, low): (UInt64, UInt64) = (FNV1a.start, 0x8422_2325_CBF2_9CE4)
        for byte in name.utf8 {
            high = FNV1a.adding(byte, to: high)
            low = FNV1a.adding(byte, to: low) &+ high
        }
        self.init(high: high, low: low, version: 8)
    }

    /// An id of bits that were drawn.
    init(_ bits: (UInt64, UInt64)) {
        self.init(high: bits.0, low: bits.1, version: 4)
    }

    private init(high: UInt64, low: UInt64, version: UInt64) {
        self.high = high & ~0xF000 | version << 12
        self.low = low & ~(3 << 62) | 2 << 62
    }

    /// Reads an id; nil when the text isn't a UUID.
    public init?(_ text: String) {
        let digits = text.filter { $0 != "-" }
        guard text.utf8.isUUID, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// `8-4-4-4-12` hexadecimal digits in lower case.
    public var description: String {
        let digits = Self.hex(high) + Self.hex(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
