#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Base64 {
    /// A text's bytes in base64.
    static func encode(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
