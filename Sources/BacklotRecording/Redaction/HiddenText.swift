import Backlot
import BacklotHTTP
import BacklotJSON
import BacklotMocks

/// Texts that bodies hold in another shape, in which secrets would be missed.
enum HiddenText {
    /// Larger bodies stay as they are.
    private static let mostInflated = 8 << 20
    /// Shorter texts are words by chance.
    private static let shortest = 16

    private static let gzip = try? ContentEncoding("gzip")

    /// What a gzip file holds; nil for other bytes, broken ones, and those that become too many.
    static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return nil }
        return try? gzip?.decode(bytes, limit: mostInflated)
    }

    /// Bytes as a gzip file of one that stores them; nil where that takes more than they have.
    static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard case .bytes(let deflated)? = ContentEncoder(level: 6, streams: 1).encode(.bytes(bytes), .gzip) else {
            return nil
        }
        return deflated
    }

    /// What a text holds in base64, as RFC 4648 has it in section 4 or 5: JSON, or values with names.
    static func base64(_ text: String) -> [UInt8]? {
        guard text.utf8.count >= shortest, text.utf8.allSatisfy(isBase64) else { return nil }
        var plain = text.replacing("-", with: "+").replacing("_", with: "/").filter { $0 != "=" }
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let bytes = Base64.decode(plain), let inner = String(validating: bytes, as: UTF8.self),
            inner.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 })
        else { return nil }
        return JSONScalars.of(bytes) != nil || inner.contains("=") || inner.contains(":") ? bytes : nil
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "+/-_=".utf8.contains(byte)
    }
}
