public import HTTPTypes

/// An answer that a client got, all of it.
public struct ClientResponse: Sendable, Equatable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields.
    public var headers: HTTPFields
    /// The body.
    public var body: [UInt8]
    /// The time from the beginning of the request to the first byte of the answer.
    public var firstByte: Duration
    /// The time from the beginning of the request to the last byte of the answer.
    public var total: Duration

    /// An answer.
    public init(
        status: HTTPResponse.Status,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        firstByte: Duration = .zero,
        total: Duration = .zero
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.firstByte = firstByte
        self.total = total
    }

    /// The body as text; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The media type without its parameters, in lower case; nil where the answer doesn't say one.
    public var mediaType: String? {
        guard let value = headers[.contentType] else { return nil }
        let type = value.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return type.isEmpty ? nil : type
    }
}
