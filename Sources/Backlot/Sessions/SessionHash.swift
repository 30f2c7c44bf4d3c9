internal import Crypto

/// What a store knows a session by: the SHA-256 of its id. The id can't be found from it, so that what is read from a
/// store opens no session.
///
/// Two hashes are compared in constant time.
public struct SessionHash: Sendable {
    private let words: [4 of UInt64]

    /// The hash of an id.
    package init(hashing id: String) {
        var words: [4 of UInt64] = .init(repeating: 0)
        for (offset, byte) in SHA256.hash(data: Array(id.utf8)).enumerated() {
            words[offset / 8] = words[offset / 8] << 8 | UInt64(byte)
        }
        self.words = words
    }

    /// The hash of no id: nothing is stored under it.
    package static let nobody = SessionHash(hashing: "")

    /// A hash that a store has kept as bytes; nil when they are not 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        words = .init { word in
            bytes[word * 8..<word * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
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
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words[0])
    }
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
