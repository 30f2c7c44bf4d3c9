internal import Crypto

/// A short name for bytes, which differs for other bytes.
package enum ContentHash {
    /// The SHA-256 of some bytes, as 64 hexadecimal digits in lower case.
    package static func text(of bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
