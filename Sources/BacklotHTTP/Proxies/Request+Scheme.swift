internal import HTTPTypes

extension Request {
    /// Whether the client's connection is encrypted. A connection without a trusted proxy is when it is over TLS.
    /// Behind one, the proxy says so in `X-Forwarded-Proto` or in `Forwarded` (RFC 7239); where it doesn't, its own
    /// connection counts.
    ///
    /// Anybody can write these fields, so they count only from proxies that are trusted, and of several values only the
    /// last one, which the nearest proxy has added. Where both fields are there, both must say so.
    ///
    /// - Parameter proxies: the proxies that are trusted besides the server's (`ServerConfiguration.trustedProxies`).
    public func isSecure(trusting proxies: [AddressRange]) -> Bool {
        guard trustedProxies.contain(remoteAddress) || proxies.contain(remoteAddress) else { return cameEncrypted }
        let named = HTTPField.Name.forwardedProto.flatMap { headers[$0] }.map(Self.lastValue)
        let standard = HTTPField.Name.forwarded.flatMap { headers[$0] }.map { Self.lastProtocol(in: $0) ?? "" }
        let values = [named, standard].compactMap(\.self)
        return values.isEmpty ? cameEncrypted : values.allSatisfy { $0.lowercased() == "https" }
    }

    /// Whether the client's connection is encrypted, as the server's trusted proxies have it
    /// (`ServerConfiguration.trustedProxies`).
    public var isSecure: Bool { isSecure(trusting: []) }

    /// `https` when `isSecure`, else `http`.
    public var scheme: String { scheme(trusting: []) }

    /// `https` when the client's connection is encrypted, else `http`: as `isSecure(trusting:)`.
    public func scheme(trusting proxies: [AddressRange]) -> String { isSecure(trusting: proxies) ? "https" : "http" }

    /// The last value of a list.
    private static func lastValue(in list: String) -> String {
        let last = list.utf8.split(separator: ASCII.comma, omittingEmptySubsequences: false).last
        return String((last.map(Substring.init) ?? "").trimmed)
    }

    /// The `proto` parameter of the last element of a `Forwarded` field; nil where it has none or two, and where the
    /// field is malformed.
    private static func lastProtocol(in field: String) -> String? {
        ForwardedElement.all(in: field)?.last?["proto"]
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")
    fileprivate static let forwarded = HTTPField.Name("Forwarded")
}
