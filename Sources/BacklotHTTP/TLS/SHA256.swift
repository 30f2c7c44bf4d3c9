internal import COpenSSL

/// The hash function SHA-256 (FIPS 180-4, section 6.2), by OpenSSL.
package enum SHA256 {
    /// Looked up once, which takes longer than to hash a short text.
    nonisolated(unsafe) private static let function = {
        TLSLibrary.begin()
        return unsafe EVP_MD_fetch(nil, "SHA256", nil)
    }()

    /// The hash of some bytes, which has 32.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 32)
        let isDone = unsafe EVP_Digest(bytes, bytes.count, &hash, nil, function, nil)
        precondition(isDone == 1, "OpenSSL has no SHA-256: its configuration (openssl.cnf) leaves it out")
        return hash
    }
}
