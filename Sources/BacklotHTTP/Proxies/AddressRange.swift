/// An IP address, or all addresses that begin with the same bits: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32` (CIDR, RFC
/// 4632, section 3.1, and RFC 4291, section 2.3).
public struct AddressRange: Hashable, Sendable {
    /// This machine: `127.0.0.0/8` and `::1`.
    public static let loopback = [
        AddressRange(octets: [127, 0, 0, 0], prefixLength: 8),
        AddressRange(octets: [UInt8](repeating: 0, count: 15) + [1], prefixLength: 128),
    ]

    /// The first address: 4 bytes for IPv4, 16 for IPv6.
    private let octets: [UInt8]
    /// The number of leading bits that all addresses of the range share.
    private let prefixLength: Int

    private init(octets: [UInt8], prefixLength: Int) {
        self.octets = octets
        self.prefixLength = prefixLength
    }

    /// Reads a range in the usual notation.
    ///
    /// - Throws: `AddressRangeError`, which describes the error and suggests a fix.
    public init(_ text: String) throws(AddressRangeError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].utf8.allSatisfy(Self.isAddressByte),
            let octets = SocketAddress(host: String(parts[0]), port: 0)?.octets
        else { throw .notAnAddress(text) }
        let bits = octets.count * 8
        guard parts.count == 2 else {
            self.init(octets: octets, prefixLength: bits)
            return
        }
        guard parts[1].utf8.allSatisfy(ASCII.isDigit), let prefixLength = Int(parts[1]), prefixLength <= bits
        else { throw .badPrefixLength(text, maximum: bits) }
        let first = Self.masked(octets, prefixLength)
        guard first == octets else { throw .bitsBeyondPrefix(text) }
        self.init(octets: octets, prefixLength: prefixLength)
    }

    /// Whether an address belongs to the range. Its port doesn't matter.
    public func contains(_ address: SocketAddress) -> Bool {
        let other = address.octets
        return other.count == octets.count && Self.masked(other, prefixLength) == octets
    }

    /// The address with only its first bits; all others are cleared.
    private static func masked(_ octets: [UInt8], _ prefixLength: Int) -> [UInt8] {
        octets.enumerated().map { index, octet in
            let kept = min(max(prefixLength - index * 8, 0), 8)
            return octet & ~(UInt8.max >> UInt8(kept))
        }
    }

    /// Digits, dots and colons: neither host names nor brackets.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        ASCII.hexadecimal(byte) != nil || byte == UInt8(ascii: ".") || byte == ASCII.colon
    }
}

/// The reason why a text isn't a range of addresses.
public enum AddressRangeError: Error, Equatable, CustomStringConvertible {
    /// The text before the slash is not an IP address.
    case notAnAddress(String)
    /// The text after the slash is not a number from 0 to the number of bits of such an address.
    case badPrefixLength(String, maximum: Int)
    /// The address has bits set beyond the prefix.
    case bitsBeyondPrefix(String)

    /// The error, and the text to write instead.
    public var description: String {
        switch self {
        case .notAnAddress(let text):
            "'\(text)' is not an IP address or a range of them: write one such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32"
        case .badPrefixLength(let text, let maximum):
            "'\(text)' has no number of bits after its slash: write one from 0 to \(maximum)"
        case .bitsBeyondPrefix(let text):
            "'\(text)' sets bits beyond its prefix: write the first address of the range, or the address alone"
        }
    }
}
