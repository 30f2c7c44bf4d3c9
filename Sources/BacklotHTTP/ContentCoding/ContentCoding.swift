/// A content coding that is understood (RFC 9110, section 8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
    /// The gzip format (RFC 1952).
    case gzip
    /// The zlib format (RFC 1950). Bare deflate data, which some programs send under this name, is not it.
    case deflate

    /// The coding that a token of a header field names, letter case aside; nil where it is none of these.
    init?(_ token: Range<Int>, in field: Span<UInt8>) {
        if field.equals(token, ignoringCase: "gzip") || field.equals(token, ignoringCase: "x-gzip") {
            self = .gzip
        } else if field.equals(token, ignoringCase: "deflate") {
            self = .deflate
        } else {
            return nil
        }
    }

    /// All codings, as a list for a header field.
    package static let list = allCases.map(\.rawValue).joined(separator: ", ")
}
