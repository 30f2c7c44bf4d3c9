internal import BacklotHTTP
internal import HTTPTypes

/// Whether a client's connection is encrypted, as the proxy in front of this server says: in `X-Forwarded-Proto`, or in
/// `Forwarded` (RFC 7239). Anybody can write these fields, so they count only from proxies that are trusted, and of
/// several values only the last one, which the nearest proxy has added.
enum ForwardedProtocol {
    private static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")
    private static let forwarded = HTTPField.Name("Forwarded")

    /// Whether a request came by HTTPS. Where both fields are there, both must say so.
    static func isHTTPS(_ request: Request, trusting proxies: [AddressRange]) -> Bool {
        guard proxies.contain(request.remoteAddress) else { return false }
        let named = forwardedProto.flatMap { request.headers[$0] }.map(lastValue)
        let standard = forwarded.flatMap { request.headers[$0] }.map { lastProtocol(in: $0) ?? "" }
        let values = [named, standard].compactMap(\.self)
        return !values.isEmpty && values.allSatisfy { $0.lowercased() == "https" }
    }

    /// The last value of a list.
    private static func lastValue(in list: String) -> String {
        let last = list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).last
        return String((last.map(Substring.init) ?? "").trimmed)
    }

    /// The `proto` parameter of the last element of a `Forwarded` field; nil where it has none or two, and where the field
    /// is malformed.
    static func lastProtocol(in field: String) -> String? {
        ForwardedElement.all(in: field)?.last?["proto"]
    }
}
