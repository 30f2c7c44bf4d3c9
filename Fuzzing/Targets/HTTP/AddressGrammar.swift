import BacklotHTTP

/// What the system's own parser says of IP addresses.
enum AddressGrammar {
    static func isIPv6(_ text: some Collection<UInt8>) -> Bool {
        SocketAddress(host: plain(text), port: 0)?.family == .ipv6
    }

    /// Nothing where there is more than digits, colons and points: brackets and names mean something to `SocketAddress`.
    private static func plain(_ text: some Collection<UInt8>) -> String {
        let isPlain = text.allSatisfy { Lines.hexadecimal.contains($0) || $0 == 0x3A || $0 == 0x2E }
        return isPlain ? spelled(text) : ""
    }
}
