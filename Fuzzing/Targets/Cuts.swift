/// Where inputs are cut into pieces. The places follow from the bytes, so that a failure can be seen again.
enum Cuts {
    /// Pieces of one byte each, two pieces, and three.
    static func some(of input: [UInt8]) -> [[Int]] {
        guard !input.isEmpty else { return [] }
        let hash = input.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
        let places = [hash >> 8, hash >> 24, hash >> 40].map { Int($0 % UInt64(input.count)) }
        return [Array(1..<max(2, min(input.count, 4096))), [places[0]], [places[1], places[2]].sorted()]
    }
}

/// The bytes as a text of one character each, for messages and comparisons.
func spelled(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
}
