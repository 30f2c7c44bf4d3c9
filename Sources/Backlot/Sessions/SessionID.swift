/// The secret that a session's cookie holds: 192 bits from the system's random generator, written as 32 characters of
/// base64url (RFC 4648, section 5). 24 bytes fill 32 characters exactly, so an id has one spelling only.
struct SessionID: Sendable {
    /// How many random bytes there are in an id.
    static let byteCount = 24
    /// How many characters an id has.
    static let length = 32

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The id as the cookie has it.
    let text: String

    /// The id that some random bytes make. There must be `byteCount` of them.
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

    /// Whether what a client has sent looks like an id. Whether there is such a session, only the store knows.
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

    /// A token that isn't a cookie's: any text may have been sent as one.
    init(token: String) { text = token }

    /// What the store knows the session by.
    var hash: SessionHash { SessionHash(hashing: text) }
}

extension SessionID: CustomStringConvertible, CustomDebugStringConvertible {
    /// Says nothing: an id opens a session, and descriptions end up in logs.
    var description: String { "a session id" }
    var debugDescription: String { description }
}

/// What a store knows a session by: the SHA-256 of its id. The id can't be found from it, so that what is read from a
/// store opens no session.
///
/// Two hashes are compared in constant time.
public struct SessionHash: Sendable {
    private let words: [4 of UInt64]

    /// The hash of an id, by which stores know its session: the SHA-256 of its UTF-8 (FIPS 180-4).
    public init(hashing id: String) { self.init(hashing: id.utf8.span) }

    /// The hash of an id's bytes.
    package init(hashing id: Span<UInt8>) { words = SHA256.words(id) }

    /// The first eight bytes.
    package var firstWord: UInt64 { words[0] }

    /// The hash of no id: nothing is stored under it.
    package static let nobody = SessionHash(hashing: "")

    /// A hash that a store has kept as bytes; nil when they are not 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        words = .init { word in
            bytes[word * 8..<word * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// A hash as 64 hexadecimal digits, such as `description`; nil when they are none.
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
    /// Whether two hashes are the same. How long it takes says nothing about how much of them is.
    public static func == (left: SessionHash, right: SessionHash) -> Bool {
        var difference: UInt64 = 0
        for index in left.words.indices { difference |= left.words[index] ^ right.words[index] }
        return difference == 0
    }

    /// Feeds the first eight bytes to a hasher: they are as good as random.
    public func hash(into hasher: inout Hasher) { hasher.combine(words[0]) }
}

extension SessionHash: CustomStringConvertible {
    /// The hash as 64 hexadecimal digits in lower case, for stores whose keys are texts.
    public var description: String { String(decoding: hexadecimal, as: UTF8.self) }

    /// The digits of `description`.
    package var hexadecimal: [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return (0..<64).map { digits[Int(truncatingIfNeeded: words[$0 / 16] >> UInt64(60 - $0 % 16 * 4)) & 15] }
    }
}
