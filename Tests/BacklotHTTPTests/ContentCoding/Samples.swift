import TestSupport
import Testing

/// Data that other programs than zlib's wrapper in this project have made.
enum Samples {
    static let text =
        #"{"page":{"typ":"nav_page","title":"Hello","widget":{"typ":"text","text":"Hello, hello, hello!"}}}"#

    /// `gzip -9n`
    static let gzip = bytes(
        hex: """
            1f8b0800000000000203ab562a484c4f55b2aa562aa92c50b252ca4b2c8b078be828956496e40065943c527372f281fcf2cc94f4d41284d2
            92d48a129032100555a5a3908144292ad5d6d6020071cea61061000000
            """
    )

    /// `gzip` of a file, with its name and time.
    static let namedGzip = bytes(
        hex: """
            1f8b0808b7a8016b00037061676500ab562a484c4f55b2aa562aa92c50b252ca4b2c8b078be828956496e40065943c527372f281fcf2cc94
            f4d41284d292d48a129032100555a5a3908144292ad5d6d6020071cea61061000000
            """
    )

    /// By Python: not compressed, with every optional field of a head and the head's checksum.
    static let storedGzip = bytes(
        hex: """
            1f8b081f00f1536500030400414200006e616d6500636f6d6d656e740060830161009eff7b2270616765223a7b22747970223a226e61765f
            70616765222c227469746c65223a2248656c6c6f222c22776964676574223a7b22747970223a2274657874222c2274657874223a2248656c
            6c6f2c2068656c6c6f2c2068656c6c6f21227d7d7d71cea61061000000
            """
    )

    /// By Python: the zlib format.
    static let zlib = bytes(
        hex: """
            789cab562a484c4f55b2aa562aa92c50b252ca4b2c8b078be828956496e40065943c527372f281fcf2cc94f4d41284d292d48a1290321005
            55a5a3908144292ad5d6d6020016252002
            """
    )

    /// By Python: the zlib format with a dictionary that nobody else has.
    static let zlibWithDictionary = bytes(
        hex: """
            78bb16c00437ab562a484c4f55b2aa562aa92c50b252ca4b2c8b078be828956496e40065943c527372f281fcf2cc94f4d41284d292d48a12
            9032100555a5a3908144292ad5d6d6020016252002
            """
    )

    /// By Python: deflate data with nothing around it.
    static let bareDeflate = bytes(
        hex: """
            ab562a484c4f55b2aa562aa92c50b252ca4b2c8b078be828956496e40065943c527372f281fcf2cc94f4d41284d292d48a12903210
            0555a5a3908144292ad5d6d60200
            """
    )

    private static func bytes(hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Lines that repeat each other as much as pages do.
    static func page(lines: Int) -> [UInt8] {
        var text = ""
        for line in 0..<lines {
            text += #"{"typ":"nav_button","text":"Room \#(line)","actions":["push:/rooms/\#(line * 7919 % 10_007)"]},"#
        }
        return Array(text.utf8)
    }

    /// Bytes that no coding makes fewer of.
    static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
