internal import HTTPTypes

extension Request {
    /// The address of the client itself, as the proxies say that are trusted: in `Forwarded` (RFC 7239), or else in
    /// `X-Forwarded-For`.
    ///
    /// Anybody can write these fields. So they are read from the end, where the nearest proxy has added its own, as long as
    /// each address belongs to a trusted proxy; the first that does not is the client. Its port is 0 where none is said.
    ///
    /// - Returns: `remoteAddress` when that is no trusted proxy's; the last address that could be read, when one is malformed
    ///   or hidden.
    public func clientAddress(trusting proxies: [AddressRange]) -> SocketAddress {
        var address = remoteAddress
        guard proxies.contain(address) else { return address }
        for text in hops.reversed() {
            guard let hop = ForwardedNode.address(in: text) else { return address }
            address = hop
            guard proxies.contain(hop) else { break }
        }
        return address
    }

    /// What the fields say about each hop, the nearest last.
    private var hops: [String] {
        if let field = HTTPField.Name.forwarded.flatMap({ headers[$0] }) {
            return (ForwardedElement.all(in: field) ?? []).map { $0["for"] ?? "" }
        }
        let field = HTTPField.Name.forwardedFor.flatMap { headers[$0] } ?? ""
        guard !field.isEmpty else { return [] }
        return field.utf8.split(separator: ASCII.comma, omittingEmptySubsequences: false).map {
            String(Substring($0).trimmed)
        }
    }
}

extension [AddressRange] {
    /// Whether one of the ranges has the address.
    package func contain(_ address: SocketAddress) -> Bool {
        contains { $0.contains(address) }
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded = HTTPField.Name("Forwarded")
    fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For")
}
