internal import COpenSSL

/// The hash function SHA-256 (FIPS 180-4, section 6.2), computed by OpenSSL.
package enum SHA256 {
    /// Looked up only once: the lookup takes longer than hashing a short text.
    nonisolated(unsafe) private static let function = {
        TLSLibrary.begin()
        return unsafe EVP_MD_fetch(nil, "SHA256", nil)
    }()

    /// Contexts for reuse, as many as threads have hashed at the same time: creating one takes longer than hashing a short text.
    private static let idle = unsafe Locked<[OpaquePointer]>([])

    /// The hash of some bytes, 32 bytes long.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        let words = words(bytes.span)
        return (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// The hash of some bytes as four numbers, each of eight bytes with the first one highest.
    package static func words(_ bytes: Span<UInt8>) -> [4 of UInt64] {
        let context = unsafe idle.withLock { unsafe $0.popLast() } ?? EVP_MD_CTX_new()
        defer { unsafe idle.withLock { if let context = unsafe context { unsafe $0.append(context) } } }
        var words: [4 of UInt64] = .init(repeating: 0)
        var mutableWords = words.mutableSpan
        let isDone = unsafe mutableWords.withUnsafeMutableBytes { hash in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe EVP_DigestInit_ex2(context, function, nil) == 1
                    && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
                    && EVP_DigestFinal_ex(context, hash.baseAddress, nil) == 1
            }
        }
        precondition(isDone, "OpenSSL has no SHA-256: its configuration (openssl.cnf) leaves it out")
        for index in words.indices { words[index] = UInt64(bigEndian: words[index]) }
        return words
    }
}
