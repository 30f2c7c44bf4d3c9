@testable import BacklotHTTP

extension FuzzTarget {
    /// Ranges of IP addresses.
    static let addresses = FuzzTarget(name: "addresses") { input async throws(Violation) in
        guard let range = try? AddressRange(spelled(input)) else { return false }
        let first = spelled(input.prefix { $0 != UInt8(ascii: "/") })
        guard let address = SocketAddress(host: first, port: 1) else {
            throw Violation(description: "a range of nothing")
        }
        try require(range.contains(address), "a range without its first address")
        return true
    }
}
