@testable import BacklotHTTP

extension FuzzTarget {
    /// IP addresses in URLs, as the system reads them; ranges of them.
    static let addresses = FuzzTarget(name: "addresses") { input async throws(Violation) in
        let isIPv4 = IPLiteral.isIPv4(input.indices, in: input.span)
        let isIPv6 = IPLiteral.isIPv6(input.indices, in: input.span)
        try require(isIPv4 == AddressGrammar.isIPv4(input), "IPv4 is \(isIPv4), against the system")
        try require(isIPv6 == AddressGrammar.isIPv6(input), "IPv6 is \(isIPv6), against the system")
        guard let range = try? AddressRange(spelled(input)) else { return isIPv4 || isIPv6 }
        let first = spelled(input.prefix { $0 != UInt8(ascii: "/") })
        guard let address = SocketAddress(host: first, port: 1) else {
            throw Violation(description: "a range of nothing")
        }
        try require(range.contains(address), "a range without its first address")
        return true
    }
}
