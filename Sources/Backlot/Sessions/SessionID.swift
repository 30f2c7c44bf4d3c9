/// The secret in a session's cookie: 192 bits from the system's random generator, as 32 characters of base64url (RFC 4648, section
/// 5). 24 bytes fill 32 characters exactly, so an id has only one spelling.
struct SessionID: Sendable {
    /// The number of random bytes in an id.
    static let byteCount = 24
    /// The number of characters in an id.
    static let length = 32

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The id in the cookie's form.
    let text: String

    /// Creates an id from exactly `byteCount` random bytes.
    init(randomBytes: [UInt8]) {
        precondition(randomBytes.count == Self.byteCount, "an id is made of \(Self.byteCount) random bytes")
        var characters: [UInt8] = []
        characters.reserveCapacity(Self.length)
        for start in stride(from: 0, to: Self.byteCount, by: 3) {
            let group = randomBytes[start..<start + 3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            for shift in [18, 12, 6, 0] { characters.append(Self.alphabet[Int(group >> UInt32(shift) & 0x3F)]) }
        }
        text = String(decoding: characters, as: UTF8.self)
    }

    /// Whether a client's text has the form of an id. Only the store knows whether the session exists.
    static func canBe(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == length else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else {
                return false
            }
        }
        return true
    }

    /// Creates an id from a token that doesn't come from a cookie. It may be any text.
    init(token: String) { text = token }

    /// The key of the session in the store.
    var hash: SessionHash { SessionHash(hashing: text) }
}

extension SessionID: CustomStringConvertible, CustomDebugStringConvertible {
    /// A fixed text: an id gives access to a session, and descriptions end up in logs.
    var description: String { "a session id" }
    var debugDescription: String { description }
}

/// The key of a session in a store: the SHA-256 of its id. It doesn't reveal the id, so reading a store isn't enough to use its
/// sessions.
///
/// Hashes are compared in constant time.
public struct SessionHash: Sendable {
    private let words: [4 of UInt64]

    /// The hash of an id, which is its session's key in stores: the SHA-256 of its UTF-8 (FIPS 180-4).
    public init(hashing id: String) { self.init(hashing: id.utf8.span) }

    /// The hash of an id's bytes.
    package init(hashing id: Span<UInt8>) { words = SHA256.words(id) }

    /// The first eight bytes.
    package var firstWord: UInt64 { words[0] }

    /// The hash of an empty id, which never has a session.
    package static let nobody = SessionHash(hashing: "")

    /// Creates a hash from the bytes in a store; nil unless there are 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        words = .init { word in
            bytes[word * 8..<word * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Creates a hash from 64 hexadecimal digits, such as those of `description`; nil for any other text.
    package init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 64 else { return nil }
        var words: [4 of UInt64] = .init(repeating: 0)
        for (index, digit) in digits.enumerated() {
            guard let value = ASCII.hexadecimal(digit) else { return nil }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.words = words
    }

    /// The 32 bytes of the hash.
    public var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
    }
}

extension SessionHash: Hashable {
    /// Whether two hashes are equal. The time of the comparison doesn't depend on the number of equal bytes.
    public static func == (left: SessionHash, right: SessionHash) -> Bool {
        var difference: UInt64 = 0
        for index in left.words.indices { difference |= left.words[index] ^ right.words[index] }
        return difference == 0
    }

    /// Feeds only the first eight bytes to the hasher, because the bytes are practically random.
    public func hash(into hasher: inout Hasher) { hasher.combine(words[0]) }
}

extension SessionHash: CustomStringConvertible {
    /// The hash as 64 hexadecimal digits in lower case, for stores with texts as keys.
    public var description: String { String(decoding: hexadecimal, as: UTF8.self) }

    /// The ASCII digits of `description`.
    package var hexadecimal: [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return (0..<64).map { digits[Int(truncatingIfNeeded: words[$0 / 16] >> UInt64(60 - $0 % 16 * 4)) & 15] }
    }
}
