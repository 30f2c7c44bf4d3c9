/// Why a text is no range of addresses.
public enum AddressRangeError: Error, Equatable, CustomStringConvertible {
    /// What stands before the slash is not an IP address.
    case notAnAddress(String)
    /// What stands after the slash is not a number of bits that such an address has.
    case badPrefixLength(String, maximum: Int)
    /// The address has bits set that the range leaves open.
    case bitsBeyondPrefix(String)

    /// What is wrong, and what to write.
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
