package import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PercentEncoding {
    /// A segment of a path, encoded (RFC 3986, section 3.3).
    package static func segment(_ text: String) -> String { encode(text, keeping: "-._~!$&'()*+,;=:@") }
}

/// Bytes as text (RFC 4648, section 4).
package enum Base64 {
    /// The bytes; nil when the text isn't base64. Line breaks and blanks don't count, and padding may be missing.
    package static func decode(_ text: String) -> [UInt8]? {
        var digits = text.filter { $0 != " " && !$0.isNewline && $0 != "\t" }
        if !digits.hasSuffix("=") { digits += String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4) }
        return Data(base64Encoded: digits).map(Array.init)
    }

    /// A text's bytes in base64.
    package static func encode(_ text: String) -> String { encode(bytes: Array(text.utf8)) }

    /// Bytes in base64.
    package static func encode(bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
