/// The names and addresses for which a machine's authority may issue certificates: private ones, and the machine's own.
enum NameLimits {
    /// Private, link-local and loopback addresses (RFC 1918, 3927, 1122; RFC 4193, 4291), with their masks.
    private static let ranges = [
        ("10.0.0.0/8", "255.0.0.0"), ("172.16.0.0/12", "255.240.0.0"), ("192.168.0.0/16", "255.255.0.0"),
        ("169.254.0.0/16", "255.255.0.0"), ("127.0.0.0/8", "255.0.0.0"), ("fc00::/7", "fe00::"),
        ("fe80::/10", "ffc0::"),
        ("::1/128", wholeIPv6),
    ]
    private static let wholeIPv6 = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
    /// Names of this machine, and those of multicast DNS (RFC 6762, section 3).
    private static let names = ["localhost", "local"]

    /// The name constraints, as OpenSSL writes them.
    ///
    /// - Parameter hosts: the machine's own names and addresses.
    static func value(with hosts: [String]) -> String {
        let own = hosts.filter { isHost($0) && !isAddress($0) && !couldBeTopLevel($0) && !$0.hasSuffix(".local") }
        let addresses = ranges.map { "\($0.prefix { $0 != "/" })/\($1)" } + hosts.filter(isAbroad).map(alone)
        let permitted = (names + own).map { "permitted;DNS:\($0)" } + addresses.map { "permitted;IP:\($0)" }
        return (["critical"] + permitted).joined(separator: ",")
    }

    /// Whether an address is in none of the ranges.
    private static func isAbroad(_ host: String) -> Bool {
        guard isAddress(host), let address = SocketAddress(host: host, port: 0) else { return false }
        return !ranges.contains { range, _ in (try? AddressRange(range))?.contains(address) ?? false }
    }

    /// One address with its mask.
    private static func alone(_ address: String) -> String {
        "\(address)/\(address.contains(":") ? wholeIPv6 : "255.255.255.255")"
    }

    /// Whether a name without a dot could be a top-level domain, such as `dev`: a constraint allows all names below it
    /// too. Those domains have letters alone, or begin with `xn--`.
    private static func couldBeTopLevel(_ name: String) -> Bool {
        let name = name.lowercased()
        guard !name.contains("."), !names.contains(name) else { return false }
        return name.hasPrefix("xn--") || name.utf8.allSatisfy(isLetter)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let lowercased = ASCII.lowercased(byte)
        return lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z")
    }

    /// Whether a text is an IP address rather than a name.
    static func isAddress(_ host: String) -> Bool {
        host != "localhost" && !host.hasPrefix("[") && SocketAddress(host: host, port: 0) != nil
    }

    /// Whether a text is an IP address or the name of a host (RFC 1123, section 2.1).
    static func isHost(_ text: String) -> Bool {
        guard !isAddress(text) else { return true }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ASCII.isDigit($0) || isLetter($0) }
            }
    }
}
