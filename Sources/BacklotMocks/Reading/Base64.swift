#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes as text (RFC 4648, section 4).
enum Base64 {
    /// The bytes; nil when the text is no base64. Line breaks and blanks don't count, and padding may be missing.
    static func decode(_ text: String) -> [UInt8]? {
        var digits = text.filter { $0 != " " && !$0.isNewline && $0 != "\t" }
        if !digits.hasSuffix("=") { digits += String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4) }
        return Data(base64Encoded: digits).map(Array.init)
    }

    /// A text's bytes in base64.
    static func encode(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
