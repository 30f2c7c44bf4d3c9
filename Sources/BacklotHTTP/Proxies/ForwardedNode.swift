/// How proxies write an address: `192.0.2.7`, `192.0.2.7:4711`, `[2001:db8::1]:4711` (RFC 7239, section 6), and without
/// brackets as `X-Forwarded-For` often has it.
enum ForwardedNode {
    /// nil for `unknown`, for names that hide an address, and for what is malformed.
    static func address(in text: String) -> SocketAddress? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return address(host: text[...end], port: text[text.index(after: end)...])
        }
        // Two colons or more: an IPv6 address, which without brackets has no port.
        guard text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = text.firstIndex(of: ":") else {
            return address(host: text[...], port: "")
        }
        return address(host: text[..<colon], port: text[colon...])
    }

    private static func address(host: Substring, port: Substring) -> SocketAddress? {
        guard port.isEmpty || port.first == ":" else { return nil }
        let digits = port.dropFirst()
        guard host != "localhost", digits.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        let number = digits.isEmpty ? 0 : UInt16(digits)
        return number.flatMap { SocketAddress(host: String(host), port: $0) }
    }
}
