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

    /// What a client sent as an id; nil when no id looks like it. Whether there is such a session, only the store knows.
    init?(_ text: Substring) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = String(text)
    }

    /// A token that isn't a cookie's: any text may have been sent as one.
    init(token: String) { text = token }

    /// What the store knows the session by.
    var hash: SessionHash { SessionHash(hashing: text) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            return true
        default: return false
        }
    }
}

extension SessionID: CustomStringConvertible, CustomDebugStringConvertible {
    /// Says nothing: an id opens a session, and descriptions end up in logs.
    var description: String { "a session id" }
    var debugDescription: String { description }
}
